"""What speaks for a label that a paper names: factors, whose product is its score."""

from collections.abc import Callable, Collection, Mapping
from functools import reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from futex.naming.counts import Counts

IN_TITLE = IN_ABSTRACT = 0.5
"""What a name in the title or in the abstract adds to the weight of all its mentions."""

PER_WORD = 0.2
"""What each further word of a name adds: the longer a name, the less likely it means something else."""

GENERAL = 0.1
"""A label whose name stands in a thousand others scores half as high."""

Scores = NDArray[np.float64]


class Among(NamedTuple):
    """What the corpus and the taxonomy tell of each label that a paper names."""

    rarity: Scores
    names_around: NDArray[np.int64]


def frequency(counts: Counts, among: Among) -> Scores:
    """ln(1 + tf): the tenth mention says less than the second."""
    return np.asarray(np.log1p(counts.mentions))


def rarity(counts: Counts, among: Among) -> Scores:
    return among.rarity


def place(counts: Counts, among: Among) -> Scores:
    return np.asarray(1 + IN_TITLE * (counts.in_title > 0) + IN_ABSTRACT * (counts.in_abstract > 0))


def length(counts: Counts, among: Among) -> Scores:
    return np.asarray(1 + PER_WORD * (counts.words - 1))


def generality(counts: Counts, among: Among) -> Scores:
    return np.asarray((1.0 + among.names_around) ** -GENERAL)


BY_NAME: Mapping[str, Callable[[Counts, Among], Scores]] = {
    "frequency": frequency,
    "rarity": rarity,
    "place": place,
    "length": length,
    "generality": generality,
}

MEANING = "meaning"
"""The factor that asks a PLM: exp(cos(h_a, h_l) + mean of the top 3 cos(h_p, h_l)), see `ranker.py`."""

ROUTINE = "routine"
"""Not a factor of its own: with it, neither rarity, generality nor the PLM counts for labels given by routine."""

ALL_FACTORS = (*BY_NAME, ROUTINE, MEANING)


def product(factors: Collection[str], counts: Counts, among: Among) -> Scores:
    """Of all but the PLM's, a number a label."""
    values = (factor(counts, among) for name, factor in BY_NAME.items() if name in factors)
    return reduce(np.multiply, values, np.ones(len(counts.labels)))


def in_its_place(scores: Scores, before: Scores, after: Scores) -> Scores:
    """What scores become that keep their place among others, when those went from `before` to `after`.

    The third of four others had a score of 1 and the second one of 4; now they have 2 and 16, whichever they are:

    >>> in_its_place(np.array([2.0]), np.array([1.0, 0.5, 4.0, 8.0]), np.array([32.0, 16.0, 0.1, 2.0])).round(3)
    array([5.657])
    """
    x, y = np.sort(np.log(before)), np.sort(np.log(after))
    own = np.log(scores)
    beyond = own - np.clip(own, x[0], x[-1])
    kept: Scores = np.exp(np.interp(own, x, y) + beyond)
    return kept

"""What speaks for a label that a paper names: factors, whose product is its score."""

from collections.abc import Callable, Collection, Mapping
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from futex.naming.counts import Counts

IN_TITLE = IN_ABSTRACT = 0.5
"""What a name in the title or in the abstract adds to the weight of all its mentions."""

PER_WORD = 0.2
"""What each further word of a name adds: the longer a name, the less likely it means something else."""

Scores = NDArray[np.float64]


def frequency(counts: Counts, rare: Scores) -> Scores:
    """ln(1 + tf): the tenth mention says less than the second."""
    return np.asarray(np.log1p(counts.mentions), np.float64)


def rarity(counts: Counts, rare: Scores) -> Scores:
    return rare


def place(counts: Counts, rare: Scores) -> Scores:
    return np.asarray(1 + IN_TITLE * (counts.in_title > 0) + IN_ABSTRACT * (counts.in_abstract > 0), np.float64)


def length(counts: Counts, rare: Scores) -> Scores:
    return np.asarray(1 + PER_WORD * (counts.words - 1), np.float64)


BY_NAME: Mapping[str, Callable[[Counts, Scores], Scores]] = {
    "frequency": frequency,
    "rarity": rarity,
    "place": place,
    "length": length,
}

MEANING = "meaning"
"""The factor that asks a PLM: exp(cos(h_a, h_l) + mean of the top 3 cos(h_p, h_l)), see `ranker.py`."""

ROUTINE = "routine"
"""Not a factor of its own: with it, neither rarity nor the PLM counts for labels that are given by routine."""

ALL_FACTORS = (*BY_NAME, ROUTINE, MEANING)


def product(factors: Collection[str], counts: Counts, rare: Scores) -> Scores:
    """Of all but the PLM's, a number a label; `rare` says how rare each of them is in the corpus."""
    values = (factor(counts, rare) for name, factor in BY_NAME.items() if name in factors)
    return reduce(np.multiply, values, np.ones(len(counts.labels)))

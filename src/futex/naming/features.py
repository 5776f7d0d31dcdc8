"""What is known of a label that a paper names, whichever label it is: a row of numbers."""

import math
from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from futex.labels.label import LabelSpace
from futex.labels.routine import is_routine
from futex.naming.counts import Counts
from futex.naming.meaning import ABSTRACT, NEAREST

FEATURES = (
    "log score",
    "log rank",
    "log rank by mentions",
    "log rank by mentions and idf",
    "log rank by paragraphs",
    "log rank by abstract",
    "log rank by nearest paragraphs",
    "log mentions",
    "in title",
    "in abstract",
    "log mentions in abstract",
    "log mentions in headings",
    "log paragraphs",
    "log sections",
    "log mentions in one paragraph",
    "share of its own name",
    "share of capitals",
    "idf",
    "further words",
    "log letters",
    "log mean mentions",
    "similar to abstract",
    "similar to nearest paragraphs",
    "similar to all paragraphs",
    "given by routine",
    "depth in the taxonomy",
    "log narrower labels",
    "log names around its own",
    "given before",
    "log times given",
)

Matrix = NDArray[np.float64]
SMOOTHING = 5.0
"""So many papers stand beside those that were reviewed, with labels given as often as over all labels."""


class Experience(NamedTuple):
    """What reviewers did with each label: in how many reviewed papers it was named, and in how many of them given."""

    named: Matrix
    given: Matrix

    @classmethod
    def none(cls, labels: int) -> "Experience":
        return cls(np.zeros(labels), np.zeros(labels))

    def of(self, labels: NDArray[np.int32], own: NDArray[np.bool_] | None = None) -> Matrix:
        """Two columns: the log odds that a label is given when it is named, against all labels; and how often it was.

        `own` says which labels a reviewed paper itself was given, so that it is not told its own answer.
        """
        usual = (self.given.sum() + 1) / (self.named.sum() + 2)
        given, named = self.given[labels], self.named[labels]
        if own is not None:
            given, named = np.maximum(given - own, 0), np.maximum(named - 1, 0)
        rate = (given + SMOOTHING * usual) / (named + SMOOTHING)
        return np.column_stack([_log_odds(rate) - _log_odds(usual), np.log1p(given)])


class Known(NamedTuple):
    """What is known of the labels of a paper besides how it names them, a row a label."""

    scores: Matrix
    idf: Matrix
    mean_mentions: Matrix
    """In the papers that name it."""
    similarity: Matrix
    """As in `meaning.py`; all 0 without a PLM."""
    place: Matrix
    """What the taxonomy tells of it, see `places`."""
    experience: Matrix


def features(counts: Counts, known: Known) -> Matrix:
    """A row a label that the paper names, columns as in `FEATURES`."""
    mentions = counts.mentions
    return np.column_stack(
        [
            np.log(known.scores),
            _log_rank(known.scores),
            _log_rank(mentions),
            _log_rank(mentions * known.idf),
            _log_rank(counts.paragraphs),
            _log_rank(known.similarity[:, ABSTRACT]),
            _log_rank(known.similarity[:, NEAREST]),
            np.log1p(mentions),
            counts.in_title > 0,
            counts.in_abstract > 0,
            np.log1p(counts.in_abstract),
            np.log1p(counts.in_headings),
            np.log1p(counts.paragraphs),
            np.log1p(counts.sections),
            np.log1p(counts.most),
            counts.by_own_name / mentions,
            counts.capitalised / mentions,
            known.idf,
            counts.words - 1,
            np.log(np.maximum(1, counts.letters)),
            np.log(known.mean_mentions),
            known.similarity,
            known.place,
            known.experience,
        ]
    )


def places(labels: LabelSpace, names_around: NDArray[np.int64]) -> Matrix:
    """Of each label whether it is given by routine, how deep it lies, and logarithms of how many labels are right below
    it and how many names are around its own."""
    below = Counter(broader for label in labels.values() for broader in label.broader)
    rows = [
        (is_routine(label), len(labels.path_to(label.id)), math.log1p(below[label.id])) for label in labels.values()
    ]
    return np.column_stack([np.array(rows, np.float64), np.log1p(names_around)])


def _log_rank(values: NDArray[np.int32] | Matrix) -> Matrix:
    """ln 1 for the highest of the paper, ln 2 for the next, …; nothing but 0 where all are the same."""
    if not np.ptp(values if len(values) else [0]):
        return np.zeros(len(values))
    rank = np.empty(len(values))
    rank[np.argsort(-values, kind="stable")] = np.arange(1, len(values) + 1)
    ranks: Matrix = np.log(rank)
    return ranks


def _log_odds(rate: Matrix | float) -> Matrix:
    odds: Matrix = np.log(rate) - np.log1p(-np.asarray(rate))
    return odds

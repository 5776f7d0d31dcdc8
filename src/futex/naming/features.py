"""What is known of a label that a paper names, whichever label it is: a row of numbers."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from futex.naming.counts import Counts

FEATURES = (
    "log score",
    "log rank",
    "log rank by mentions",
    "log rank by mentions and idf",
    "log mentions",
    "in title",
    "in abstract",
    "idf",
    "further words",
    "log mean mentions",
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

        `own` says which labels the paper itself was given, so that a paper is not told its own answer.
        """
        usual = (self.given.sum() + 1) / (self.named.sum() + 2)
        given = self.given[labels] - (0 if own is None else own)
        named = self.named[labels] - (0 if own is None else 1)
        rate = (given + SMOOTHING * usual) / (named + SMOOTHING)
        return np.column_stack([_log_odds(rate) - _log_odds(usual), np.log1p(given)])


def features(
    counts: Counts, scores: NDArray[np.float64], idf: NDArray[np.float64], mean_mentions: Matrix, experience: Matrix
) -> Matrix:
    """A row a label that the paper names, columns as in `FEATURES`; all but `counts` are of these labels too."""
    return np.column_stack(
        [
            np.log(scores),
            _log_rank(scores),
            _log_rank(counts.mentions),
            _log_rank(counts.mentions * idf),
            np.log1p(counts.mentions),
            counts.in_title,
            counts.in_abstract,
            idf,
            counts.words - 1,
            np.log(mean_mentions),
            experience,
        ]
    )


def _log_rank(values: NDArray[np.int32] | Matrix) -> Matrix:
    """ln 1 for the highest of the paper, ln 2 for the next, …"""
    rank = np.empty(len(values))
    rank[np.argsort(-values, kind="stable")] = np.arange(1, len(values) + 1)
    ranks: Matrix = np.log(rank)
    return ranks


def _log_odds(rate: Matrix | float) -> Matrix:
    odds: Matrix = np.log(rate) - np.log1p(-np.asarray(rate))
    return odds

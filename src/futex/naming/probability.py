"""Scores as probabilities, and how many labels they say apply.

>>> from futex.ranking import Ranking
>>> number_that_apply(Ranking(("A", "B", "C", "D"), (0.9, 0.8, 0.3, 0.1)))
2
"""

import numpy as np
from numpy.typing import NDArray

from futex.ranking import Ranking

EVEN = 3.35
"""The score of a label that applies as likely as not."""

STEEPNESS = 2.3
"""How fast the odds grow: with a score twice as high they are 2^2.3 times as high.

Both are logistic regressions of gold on the logarithm of the score, over eLife and PLOS together: what to expect from
annotators like those. `futex adapt` learns what those of another collection do.
"""


def probability(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pr(l applies to d) = σ(b · ln(score / c)); the order stays."""
    odds: NDArray[np.float64] = (scores / EVEN) ** STEEPNESS
    return odds / (1 + odds)


def number_that_apply(ranking: Ranking) -> int:
    """The k with the highest expected F1: 2 · Σ_{i≤k} p_i / (k + Σ_i p_i), as if p_i were true and independent."""
    if not len(ranking):
        return 0
    found = np.cumsum(ranking.scores)
    expected_f1 = 2 * found / (np.arange(1, len(found) + 1) + found[-1])
    return int(np.argmax(expected_f1)) + 1

"""Is one method better than another by more than the luck of its seeds? (§4.2)

Scores of several seeds are compared with scores of several seeds by a two-tailed t-test, with the one score of a method
without randomness by a two-tailed Z-test.

>>> round(t_test([0.52, 0.50, 0.54], [0.41, 0.43, 0.42]), 4), stars(0.0041)
(0.0048, '**')
"""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, variance

from scipy.special import ndtr, stdtr

from futex.errors import InputError

NOTHING_TO_WEIGH_AGAINST = 1.0
"""The p-value where all seeds agree: luck played no part, so the test says nothing, and nothing is significant."""


def t_test(a: Sequence[float], b: Sequence[float]) -> float:
    """Welch's: t = (ā - b̄) / √(s²_a/n_a + s²_b/n_b), with his degrees of freedom; two-tailed p."""
    spread_a, spread_b = _spread(a), _spread(b)
    spread = spread_a + spread_b
    difference = fmean(a) - fmean(b)
    if spread == 0:
        return NOTHING_TO_WEIGH_AGAINST
    freedom = spread**2 / (spread_a**2 / (len(a) - 1) + spread_b**2 / (len(b) - 1))
    return float(2 * stdtr(freedom, -abs(difference) / sqrt(spread)))


def z_test(a: Sequence[float], constant: float) -> float:
    """z = (ā - c) / √(s²_a/n_a); two-tailed p."""
    spread = _spread(a)
    difference = fmean(a) - constant
    if spread == 0:
        return NOTHING_TO_WEIGH_AGAINST
    return float(2 * ndtr(-abs(difference) / sqrt(spread)))


def stars(p: float) -> str:
    """** for p < 0.01, * for p < 0.05, as in the tables of the paper."""
    return "**" if p < 0.01 else "*" if p < 0.05 else ""


def _spread(scores: Sequence[float]) -> float:
    """s²/n, what the seeds leave unsure of their mean."""
    if len(scores) < 2:
        raise InputError("one seed says nothing about the luck of seeds: run the method with two or more")
    # Scores that are equal in all but the last bits do not vary.
    return 0.0 if max(scores) - min(scores) < 1e-12 else variance(scores) / len(scores)

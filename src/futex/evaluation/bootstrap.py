"""How sure the means are: percentile bootstrap over papers.

>>> from futex.evaluation.gold import Gold
>>> from futex.evaluation.metrics import evaluate
>>> from futex.ranking import Ranking
>>> gold = Gold({"d1": ["A"], "d2": ["A"], "d3": ["B"]})
>>> confidence(evaluate({paper: Ranking.of({"A": 1.0}) for paper in gold}, gold))["P@1"]
(0.0, 1.0)
"""

from dataclasses import dataclass

import numpy as np

from futex.errors import InputError
from futex.evaluation.metrics import Array, Evaluation, Measure

RESAMPLES = 1_000
LEVEL = 0.95

_WEIGHTS_AT_ONCE = 4_000_000
"""32 MB of them, however many papers there are."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How much better one evaluation is than another on the same papers."""

    mean: float
    low: float
    high: float


def confidence(evaluation: Evaluation, *, resamples: int = RESAMPLES) -> dict[str, tuple[float, float]]:
    """For each metric, between which bounds 95 % of the resampled means lie."""
    lows, highs = _percentiles(_resampled_means(evaluation.numerators, evaluation.denominators, resamples))
    return {
        metric: (float(low), float(high)) for metric, low, high in zip(evaluation.metrics, lows, highs, strict=True)
    }


def interval_of_mean(values: Array) -> tuple[float, float]:
    """Of one number a paper."""
    column = np.asarray(values, np.float64)[:, None]
    low, high = _percentiles(_resampled_means(column, np.ones_like(column), RESAMPLES)[:, 0])
    return float(low), float(high)


def paired_difference(a: Evaluation, b: Evaluation, metric: Measure | str, *, resamples: int = RESAMPLES) -> Difference:
    """mean(a) - mean(b), with every resample drawing the same papers for both."""
    if a.paper_ids != b.paper_ids:
        raise InputError(
            f"the two evaluations are not over the same papers ({a.papers} and {b.papers}); "
            "rank the same papers both times and evaluate with the same gold"
        )
    numerators, denominators = (
        np.column_stack([first[:, a.column(metric)], second[:, b.column(metric)]])
        for first, second in ((a.numerators, b.numerators), (a.denominators, b.denominators))
    )
    means = _resampled_means(numerators, denominators, resamples)
    low, high = _percentiles(means[:, 0] - means[:, 1])
    return Difference(a.mean(metric) - b.mean(metric), float(low), float(high))


def _resampled_means(numerators: Array, denominators: Array, resamples: int) -> Array:
    """m_r = Σ_d w_rd numerator_d / Σ_d w_rd denominator_d, where w_rd is how often resample r draws paper d."""
    rng = np.random.default_rng(0)
    papers = len(numerators)
    chunk = max(1, _WEIGHTS_AT_ONCE // papers)
    means = []
    for start in range(0, resamples, chunk):
        weights = np.empty((min(chunk, resamples - start), papers))
        for row in weights:
            # The same distribution as rng.multinomial, many times faster.
            row[:] = np.bincount(rng.integers(papers, size=papers), minlength=papers)
        means.append((weights @ numerators) / (weights @ denominators))
    return np.concatenate(means)


def _percentiles(means: Array) -> Array:
    tail = (1 - LEVEL) / 2
    return np.asarray(np.quantile(means, [tail, 1 - tail], axis=0))

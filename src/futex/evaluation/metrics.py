"""How good rankings are (§4.1, and the appendix on infrequent labels).

>>> gold = Gold({"d1": ["A", "B"], "d2": ["A"], "d3": ["C"]})
>>> evaluation = evaluate({"d1": Ranking.of({"A": 0.9, "C": 0.4}), "d2": Ranking()}, gold)
>>> evaluation.papers, evaluation.mean("P@1"), evaluation.mean("R@1")
(2, 0.5, 0.25)
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from itertools import chain
from math import log
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from futex.errors import InputError
from futex.evaluation.gold import Gold
from futex.ranking import Ranking

Array: TypeAlias = NDArray[np.float64]

A, B = 0.55, 1.5
"""The constants of the propensity p_l (appendix)."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure is a value.

    >>> str(Measure.parse("NDCG@5")), Measure.parse("NDCG@5").k
    ('NDCG@5', 5)
    """

    name: str
    k: int

    @classmethod
    def parse(cls, text: str) -> "Measure":
        match = re.fullmatch(rf"({'|'.join(_FORMULAS)})@([1-9][0-9]{{0,3}})", text)
        if not match:
            accepted = ", ".join(f"{name}@k" for name in _FORMULAS)
            raise InputError(f"unknown measure {text!r}; give one of {accepted}, with k from 1 to 9999")
        return cls(match[1], int(match[2]))

    def __str__(self) -> str:
        return f"{self.name}@{self.k}"


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """What each paper (row) adds to each measure (column); a mean is Σ_d numerator / Σ_d denominator.

    Rows are all a bootstrap needs: to resample papers is to reweight rows.
    """

    paper_ids: tuple[str, ...]
    measures: tuple[Measure, ...]
    numerators: Array
    denominators: Array

    @property
    def papers(self) -> int:
        return len(self.paper_ids)

    @property
    def metrics(self) -> tuple[str, ...]:
        return tuple(map(str, self.measures))

    def column(self, metric: Measure | str) -> int:
        """Where a measure stands in the arrays."""
        measure = Measure.parse(metric) if isinstance(metric, str) else metric
        if measure not in self.measures:
            raise InputError(f"{measure} was not measured; take one of {', '.join(self.metrics)}")
        return self.measures.index(measure)

    def mean(self, metric: Measure | str) -> float:
        """Over all papers, of a measure such as "P@5"."""
        column = self.column(metric)
        return float(self.numerators[:, column].sum() / self.denominators[:, column].sum())

    def as_dict(self) -> dict[str, float]:
        """{"papers": n, "P@1": …}, ready for JSON."""
        return {"papers": self.papers, **{str(measure): self.mean(measure) for measure in self.measures}}


def evaluate(rankings: Mapping[str, Ranking], gold: Gold, ks: Collection[int] = (1, 3, 5)) -> Evaluation:
    """Every measure at every k, over the ranked papers that have a gold label.

    A place that a short or empty ranking leaves open is a miss.
    """
    if not ks or min(ks) < 1:
        raise InputError(f"cannot evaluate at k = {sorted(ks)}; give at least one k, each 1 or more")
    # Sorted, so that neither the order of the rankings nor that of gold can change a digit.
    papers = sorted(paper for paper in rankings if gold.get(paper))
    if not papers:
        raise InputError(
            f"none of the {len(rankings)} ranked papers has a label among the {len(gold)} papers of gold; "
            "check that both use the same paper ids"
        )
    judged = _judge({paper: rankings[paper] for paper in papers}, gold, max(ks))
    measures = tuple(Measure(name, k) for name in _FORMULAS for k in sorted(set(ks)) if k > 1 or name not in _SAME_AT_1)
    contributions = [_FORMULAS[measure.name](judged, measure.k) for measure in measures]
    return Evaluation(
        paper_ids=tuple(papers),
        measures=measures,
        numerators=np.column_stack([numerator for numerator, _ in contributions]),
        denominators=np.column_stack([np.broadcast_to(denominator, len(papers)) for _, denominator in contributions]),
    )


def inverse_propensities(gold: Gold) -> dict[str, float]:
    """1/p_l = 1 + C (N_l + B)^-A with C = (ln|D| - 1)(B + 1)^A; N_l and |D| are counted over the whole gold."""
    frequency = Counter(chain.from_iterable(gold.values()))
    # The appendix wants C > 0; one or two papers would give less and turn the rewards round.
    c = max(0.0, (log(len(gold)) - 1) * (B + 1) ** A)
    return {label: 1 + c * (n + B) ** -A for label, n in frequency.items()}


@dataclass(frozen=True, slots=True)
class _Judged:
    """One row a paper, one column a place i; what stands there is a reward 1/p_l, or 0 for a miss or nothing."""

    attained: Array
    """z_rank(i) / p_rank(i)."""

    best: Array
    """The paper's gold labels, the most rewarding first: no ranking attains more."""

    gold_labels: Array
    """‖z_d‖₀."""

    @property
    def hits(self) -> Array:
        """z_rank(i)."""
        return (self.attained > 0).astype(np.float64)

    @property
    def ideal(self) -> Array:
        """z of a ranking that has all gold labels on top."""
        return (self.best > 0).astype(np.float64)


def _judge(rankings: Mapping[str, Ranking], gold: Gold, k_max: int) -> _Judged:
    rewards = inverse_propensities(gold)
    attained, best = np.zeros((2, len(rankings), k_max))
    gold_labels = np.zeros(len(rankings))
    for row, (paper, ranking) in enumerate(rankings.items()):
        truth, top = gold[paper], ranking.labels[:k_max]
        if len(set(top)) < len(top):
            raise InputError(f"the ranking of paper {paper!r} has a label twice; rank each label once")
        attained[row, : len(top)] = [rewards[label] if label in truth else 0.0 for label in top]
        largest = sorted((rewards[label] for label in truth), reverse=True)[:k_max]
        best[row, : len(largest)] = largest
        gold_labels[row] = len(truth)
    return _Judged(attained, best, gold_labels)


def _sum(gains: Array, k: int) -> Array:
    """Σ_{i≤k} g_i."""
    return np.asarray(gains[:, :k].sum(axis=1))


def _discounted_sum(gains: Array, k: int) -> Array:
    """Σ_{i≤k} g_i / log(i + 1); in every measure the base cancels."""
    return np.asarray(gains[:, :k] @ (1 / np.log2(np.arange(2, k + 2))))


def _precision(judged: _Judged, k: int) -> tuple[Array, ArrayLike]:
    """P@k = 1/k Σ_{i≤k} z_rank(i)."""
    return _sum(judged.hits, k), k


def _ndcg(judged: _Judged, k: int) -> tuple[Array, ArrayLike]:
    """NDCG@k = Σ_{i≤k} z_rank(i) / log(i+1)  ÷  Σ_{i≤min(k,‖z_d‖₀)} 1 / log(i+1)."""
    return _discounted_sum(judged.hits, k) / _discounted_sum(judged.ideal, k), 1


def _recall(judged: _Judged, k: int) -> tuple[Array, ArrayLike]:
    """R@k = 1/‖z_d‖₀ Σ_{i≤k} z_rank(i)."""
    return _sum(judged.hits, k) / judged.gold_labels, 1


def _psp(judged: _Judged, k: int) -> tuple[Array, ArrayLike]:
    """PSP@k = Σ_d Σ_{i≤k} z_rank(i) / p_rank(i)  ÷  the same sum for the best rankings there can be."""
    return _sum(judged.attained, k), _sum(judged.best, k)


def _psn(judged: _Judged, k: int) -> tuple[Array, ArrayLike]:
    """PSN@k = Σ_d Σ_{i≤k} z_rank(i) / (p_rank(i) log(i+1))  ÷  the same sum for the best rankings there can be."""
    return _discounted_sum(judged.attained, k), _discounted_sum(judged.best, k)


def _raw_psp(judged: _Judged, k: int) -> tuple[Array, ArrayLike]:
    """rawPSP@k = 1/k Σ_{i≤k} z_rank(i) / p_rank(i): the appendix to the letter; it may exceed 1."""
    return _sum(judged.attained, k), k


def _raw_psn(judged: _Judged, k: int) -> tuple[Array, ArrayLike]:
    """rawPSN@k = PSDCG@k ÷ Σ_{i≤min(k,‖z_d‖₀)} 1 / log(i+1): the appendix to the letter; it may exceed 1."""
    return _discounted_sum(judged.attained, k) / _discounted_sum(judged.ideal, k), 1


_FORMULAS: Mapping[str, Callable[[_Judged, int], tuple[Array, ArrayLike]]] = {
    "P": _precision,
    "NDCG": _ndcg,
    "R": _recall,
    "PSP": _psp,
    "PSN": _psn,
    "rawPSP": _raw_psp,
    "rawPSN": _raw_psn,
}

_SAME_AT_1 = frozenset({"NDCG", "PSN", "rawPSN"})
"""With one place there is nothing to discount: NDCG@1 ≡ P@1 and PSN@1 ≡ PSP@1, so these are left out."""

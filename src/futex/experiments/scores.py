"""How good a method is: the evaluations of its seeds, their mean, its interval, and tests against another method."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

import numpy as np

from futex.evaluation.bootstrap import confidence, paired_difference
from futex.evaluation.gold import Gold
from futex.evaluation.metrics import Evaluation, evaluate
from futex.evaluation.significance import stars, t_test, z_test
from futex.experiments.jobs import Outcome
from futex.experiments.results import Cell

DAGGERS = {"": "", "*": "†", "**": "‡"}


@dataclass(frozen=True)
class Scores:
    evaluations: tuple[Evaluation, ...]
    """One a seed, all over the same papers."""
    is_random: bool
    seconds: float
    learnt_from: str = ""
    """What the method says of its training."""
    only_on: str = ""
    """Says so, where a profile gives it fewer papers than others."""

    @classmethod
    def of(
        cls, outcomes: Sequence[Outcome], gold: Gold, *, is_random: bool, papers: Collection[str] | None = None
    ) -> "Scores":
        """Of all ranked papers, or only of those named."""
        chosen = [
            {paper: ranking for paper, ranking in outcome.rankings.items() if papers is None or paper in papers}
            for outcome in outcomes
        ]
        seconds = sum(outcome.seconds for outcome in outcomes)
        evaluations = tuple(evaluate(rankings, gold) for rankings in chosen)
        return cls(evaluations, is_random, seconds, outcomes[0].learnt_from)

    @property
    def remark(self) -> str:
        """How often it was run, on what it was trained, and on how many papers if not on all."""
        count = len(self.evaluations)
        seeds = f"{count} seed{'s' if count > 1 else ''}" if self.is_random else ""
        return ", ".join(filter(None, (seeds, self.learnt_from, self.only_on)))

    def values(self, metric: str) -> list[float]:
        return [evaluation.mean(metric) for evaluation in self.evaluations]

    def mean(self, metric: str) -> float:
        return fmean(self.values(metric))

    def cell(self, metric: str, mark: str = "") -> Cell:
        low, high = self._intervals[metric]
        return Cell(self.mean(metric), low, high, mark)

    def is_over(self, other: "Scores") -> bool:
        """Whether both are over the same papers."""
        return self.evaluations[0].paper_ids == other.evaluations[0].paper_ids

    def difference(self, other: "Scores", metric: str) -> Cell:
        """How much better this is than the other."""
        found = paired_difference(self._mean_of_seeds, other._mean_of_seeds, metric)
        return Cell(found.mean, found.low, found.high)

    @cached_property
    def _mean_of_seeds(self) -> Evaluation:
        """What a paper adds is its mean over the seeds."""
        first = self.evaluations[0]
        numerators = np.mean([evaluation.numerators for evaluation in self.evaluations], axis=0)
        return Evaluation(first.paper_ids, first.measures, numerators, first.denominators)

    @cached_property
    def _intervals(self) -> dict[str, tuple[float, float]]:
        """Bootstrap over papers."""
        return confidence(self._mean_of_seeds)


def mark(ours: Scores, theirs: Scores, metric: str) -> str:
    """Stars where ours is significantly better, daggers where it is significantly worse (§4.2 and Table 2)."""
    if len(ours.evaluations) < 2 or (theirs.is_random and len(theirs.evaluations) < 2):
        return ""
    if not ours.is_over(theirs):
        return ""
    a, b = ours.values(metric), theirs.values(metric)
    found = stars(t_test(a, b) if theirs.is_random else z_test(a, b[0]))
    return found if ours.mean(metric) > theirs.mean(metric) else DAGGERS[found]

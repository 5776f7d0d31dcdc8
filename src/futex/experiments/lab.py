"""Where an experiment gets its scores from: one corpus, one choice of PLM, one profile of work."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from futex.experiments.corpus import Corpus
from futex.experiments.jobs import Job, Outcome, is_known, is_random
from futex.experiments.plans import Plan, Profile
from futex.experiments.scores import Scores
from futex.experiments.units import NotRun, Units


@dataclass(frozen=True)
class Lab:
    corpus: Corpus
    units: Units
    plm: str | None
    profile: Profile

    def for_plan(self, plan: Plan, *, with_links: bool = False) -> "Lab":
        """The same with as many papers as the profile, or else the plan, allows; the first ones."""
        count = self.profile.papers.get(plan.name, plan.wants.get("papers"))
        return replace(self, corpus=self.corpus.first(count, with_links=with_links))

    def job(self, method: str, **more: Any) -> Job:
        plm = self.plm or self.profile.plm_of.get(method)
        return Job(method=method, **{"plm": plm, "triples": self.profile.triples_for(method)} | more)

    def outcomes(self, method: str, **more: Any) -> list[Outcome]:
        """One a seed; raises `NotRun`."""
        seeds = self.profile.seeds_for(method) if is_known(method) else 1
        return [self.outcome(method, seed=seed, **more) for seed in range(seeds)]

    def outcome(self, method: str, **more: Any) -> Outcome:
        """Of one seed; raises `NotRun`."""
        if not is_known(method):
            raise NotRun(f"there is no method {method!r} here")
        return self.units.outcome(self.job(method, **more), self._corpus_for(method))

    def scores(self, method: str, *, papers: Collection[str] | None = None, **more: Any) -> Scores:
        """Of a method over its seeds, on the named papers or on all; raises `NotRun`."""
        outcomes = self.outcomes(method, **more)
        scores = Scores.of(outcomes, self.corpus.gold, is_random=is_random(method), papers=papers)
        count = len(self._corpus_for(method).papers)
        return scores if count == len(self.corpus.papers) else replace(scores, only_on=f"on {count:,} papers only")

    def _corpus_for(self, method: str) -> Corpus:
        """A method that takes too long may get fewer papers to rank."""
        return self.corpus.first(self.profile.papers_of.get(method), with_links=True)

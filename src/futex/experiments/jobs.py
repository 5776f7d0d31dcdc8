"""A job: one method, run once on a corpus. What it is, and how it is done."""

import random
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeVar

from futex.baselines.methods import METHODS, SPECTER, method_named, setting_of
from futex.baselines.setting import Setting
from futex.baselines.supervised import SupervisedParabel
from futex.candidates import Matcher, retrieve
from futex.config import ABLATIONS, RECIPES, Recipe
from futex.corpus.paper import Paper
from futex.corpus.spool import PaperSpool
from futex.errors import InputError
from futex.experiments.corpus import Corpus
from futex.experiments.machine import machine
from futex.files import checksums
from futex.naming.factors import ALL_FACTORS
from futex.pipeline import FuTex
from futex.plm.names import local_folder
from futex.ranking import Ranking
from futex.runs.output import versions

PARABEL = "parabel"
BY_NAMES = ("best", "transfer")
"""Recipes that score names, which `training` reviewed papers may adapt."""

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A method and everything about it that can change a ranking, besides papers and labels."""

    method: str
    plm: str | None = None
    """None: the published checkpoint; for FuTex the paper's, SPECTER."""
    text: str | None = None
    seed: int = 0
    triples: int | None = None
    length: int = 512
    recipe: tuple[tuple[str, int], ...] = ()
    """Changed settings of FuTex's recipe."""
    factors: tuple[str, ...] = ALL_FACTORS
    """Of the score of a recipe that scores names."""
    training: int | None = None
    """How many papers of gold a method sees that may see any."""
    test_share: float = 0.5
    """The share of the ranked papers that such a method never sees, and ranks."""
    fresh: bool = False
    """With an empty cache, so that the time it takes is its own."""


@dataclass(frozen=True, slots=True)
class Outcome:
    rankings: Mapping[str, Ranking]
    training_seconds: float
    ranking_seconds: float
    learnt_from: str = ""
    """What it was trained on, as a table says it."""

    @property
    def seconds(self) -> float:
        return self.training_seconds + self.ranking_seconds


def is_known(method: str) -> bool:
    return method in METHODS or method in _WAYS


def is_random(method: str) -> bool:
    """Whether another seed may give another ranking."""
    return _way(method).is_random


def identity(job: Job, corpus: Corpus) -> dict[str, Any]:
    """What its outcome depends on. Methods that come to the same thing (cosine of one PLM) have the same identity."""
    inputs: dict[str, Any] = {"papers": corpus.papers_hash, "labels": corpus.labels_hash, "fresh": job.fresh}
    if corpus.around:
        inputs["links"] = corpus.links_hash
    if job.fresh:
        inputs |= {"versions": versions(), "machine": machine()}
    return inputs | _way(job.method).facts(job, corpus)


def _futex_facts(job: Job, corpus: Corpus) -> dict[str, Any]:
    recipe = _recipe(job)
    return {"method": "futex", "recipe": recipe.as_dict()} | _weights(recipe.plm)


def _supervised_facts(job: Job, corpus: Corpus) -> dict[str, Any]:
    return {"method": PARABEL} | _seen(job, corpus)


def _facts_by_names(job: Job, corpus: Corpus) -> dict[str, Any]:
    recipe, seen = _recipe_by_names(job), _seen(job, corpus) if job.training else {}
    return {"method": job.method, "recipe": recipe.as_dict(), "factors": job.factors} | seen | _weights(recipe.plm)


def _baseline_facts(job: Job, corpus: Corpus) -> dict[str, Any]:
    method = method_named(job.method)
    first = next(name for name, other in METHODS.items() if other.build == method.build)
    setting = asdict(_setting(job, None))
    del setting["cache"]
    return {"method": first, "setting": setting} | _weights(setting["plm"])


@cache
def _weights(plm: str) -> dict[str, Any]:
    """What a PLM of the user's own is; the name of any other says it."""
    folder = local_folder(plm)
    return {} if folder is None else {"weights": checksums(folder)}


def _seen(job: Job, corpus: Corpus) -> dict[str, Any]:
    """The gold that a method learns from."""
    chosen = {"training": job.training, "test share": job.test_share, "seed": job.seed}
    return {"gold": corpus.gold_hash, "pool": corpus.everything.papers_hash} | chosen


def perform(job: Job, corpus: Corpus, cache: Path) -> Outcome:
    """Do the work, however long it takes."""
    way = _way(job.method)
    if not job.fresh:
        return way.perform(job, corpus, cache)
    with _empty_cache(cache) as empty:
        return way.perform(job, corpus, empty)


def _futex(job: Job, corpus: Corpus, cache: Path) -> Outcome:
    model, loading = _timed(lambda: FuTex(_recipe(job), cache=cache))  # as a baseline does while it is built
    model.use_labels(corpus.labels)
    _, training = _timed(lambda: model.fine_tune(corpus.linked))
    rankings, ranking = _timed(lambda: model.learn_rank(corpus.papers))
    return Outcome(rankings, loading + training, ranking, _fine_tuned_on(model, job))


def _fine_tuned_on(model: FuTex, job: Job) -> str:
    if model.tuned_plm is not None:
        return f"{model.recipe.triples:,} triples"
    return "not fine-tuned" if _recipe(job).network else ""


def _baseline(job: Job, corpus: Corpus, cache: Path) -> Outcome:
    method, setting, papers = method_named(job.method), _setting(job, cache), corpus.papers
    matcher = Matcher(corpus.labels)
    ranker, training = _timed(lambda: method.build(corpus.linked, corpus.labels, setting))
    rankings, ranking = _timed(lambda: ranker.rank(papers, retrieve(papers, matcher)))
    learnt_from = "" if setting.triples is None else f"at most {setting.triples:,} triples"
    return Outcome(rankings, training, ranking, learnt_from)


def _supervised(job: Job, corpus: Corpus, cache: Path) -> Outcome:
    """Parabel ranks papers that none of its training sets touches, whatever their size."""
    seen = _training_papers(job, corpus)
    ranker, training = _timed(lambda: SupervisedParabel(corpus.labels, seen, corpus.gold, seed=job.seed))
    unseen = _unseen(job, corpus)
    rankings, ranking = _timed(lambda: ranker.rank(unseen, {}))
    return Outcome(rankings, training, ranking)


def _by_names(job: Job, corpus: Corpus, cache: Path) -> Outcome:
    """Names over the whole corpus; once adapted, only the papers that it did not learn from."""
    seen = _training_papers(job, corpus) if job.training else ()
    model = FuTex(_recipe_by_names(job), cache=cache)
    model.use_labels(corpus.labels, factors=job.factors)
    rankings, ranking = _timed(lambda: model.learn_rank(corpus.papers))
    if not seen:
        return Outcome(rankings, 0.0, ranking)
    _, training = _timed(lambda: model.adapt(seen, corpus.gold))
    unseen = _unseen(job, corpus)
    adapted, again = _timed(lambda: model.rank(unseen))
    return Outcome(adapted, training, ranking + again, f"{job.training:,} reviewed papers")


def held_out(corpus: Corpus, share: float) -> frozenset[str]:
    """The ids of the ranked papers that are kept from every training set, drawn at random, always the same."""
    ids = corpus.with_gold
    return frozenset(random.Random(0).sample(ids, max(1, round(share * len(ids)))))


def training_ids(corpus: Corpus, test: Collection[str]) -> list[str]:
    """All papers of the file, also those behind the limit, that have gold and are not held out."""
    return [paper for paper in corpus.everything.with_gold if paper not in test]


def _unseen(job: Job, corpus: Corpus) -> Sequence[Paper]:
    test = held_out(corpus, job.test_share)
    return PaperSpool(paper for paper in corpus.papers if paper.id in test)


def _training_papers(job: Job, corpus: Corpus) -> Sequence[Paper]:
    """So many of `training_ids`; with one seed a larger set holds every smaller one."""
    ids, count = training_ids(corpus, held_out(corpus, job.test_share)), job.training or 0
    if not 0 < count <= len(ids):
        raise InputError(
            f"cannot train on {count} papers: {len(ids)} with gold are left beside those ranked; "
            "give a smaller --limit, or train on fewer papers"
        )
    random.Random(job.seed).shuffle(ids)
    chosen = frozenset(ids[:count])
    return PaperSpool(paper for paper in corpus.everything.papers if paper.id in chosen)


def _recipe(job: Job) -> Recipe:
    changes = ABLATIONS[job.method] | dict(job.recipe)
    return RECIPES["paper"].but(plm=job.plm or SPECTER, seed=job.seed, triples=job.triples, **changes)


def _recipe_by_names(job: Job) -> Recipe:
    return RECIPES[job.method].but(plm=job.plm, **dict(job.recipe))


def _setting(job: Job, cache: Path | None) -> Setting:
    method = method_named(job.method)
    plm = job.plm if method.checkpoint else None
    triples = job.triples if method.learns else None
    return setting_of(method, plm, job.text, seed=job.seed, triples=triples, length=job.length, cache=cache)


def _timed(work: Callable[[], Made]) -> tuple[Made, float]:
    start = time.perf_counter()
    return work(), time.perf_counter() - start


@contextmanager
def _empty_cache(cache: Path) -> Iterator[Path]:
    """No vector and no fine-tuned model in it; models that were fetched stay at hand."""
    with TemporaryDirectory() as folder:
        for models in ("models", "static"):
            if (cache / models).is_dir():
                Path(folder, models).symlink_to((cache / models).resolve())
        yield Path(folder)


class _Way(NamedTuple):
    """How jobs of a method are done."""

    perform: Callable[[Job, Corpus, Path], Outcome]
    facts: Callable[[Job, Corpus], dict[str, Any]]
    """What the outcome depends on, besides the papers and labels."""
    is_random: bool


_WAYS = {
    **dict.fromkeys(ABLATIONS, _Way(_futex, _futex_facts, is_random=True)),
    PARABEL: _Way(_supervised, _supervised_facts, is_random=True),
    **dict.fromkeys(BY_NAMES, _Way(_by_names, _facts_by_names, is_random=False)),
}


def _way(method: str) -> _Way:
    return _WAYS.get(method) or _Way(_baseline, _baseline_facts, method_named(method).is_random)

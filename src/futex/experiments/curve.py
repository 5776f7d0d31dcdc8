"""The learning curve: how well the Cross-Encoder ranks labels after more and more triples."""

import hashlib
import json
import logging
import shutil
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from futex.baselines.methods import SPECTER
from futex.candidates import Matcher, retrieve
from futex.config import RECIPES
from futex.corpus.citations import CitationGraph, MetaPath
from futex.corpus.spool import PaperSpool
from futex.errors import InputError
from futex.experiments.corpus import Corpus
from futex.experiments.jobs import Outcome
from futex.experiments.lab import Lab
from futex.experiments.panels import series_of
from futex.experiments.plans import Plan
from futex.experiments.results import Group, Panel, Result, Row, Table
from futex.experiments.scores import Scores
from futex.experiments.units import VERSION, read_rankings, write_rankings
from futex.files import read_note
from futex.hierarchy.bi_encoder import BiEncoder
from futex.network.contrastive import TRAINING_VERSION
from futex.network.cross_encoder import CrossEncoder
from futex.network.learning import BATCH, learn, schedule_for
from futex.network.triples import Sample, sample_triples
from futex.plm.cache import CachedPLM
from futex.plm.checkpoints import load_plm
from futex.plm.protocol import TrainablePLM, Trainer
from futex.ranking import Candidates, Ranking

log = logging.getLogger(__name__)

PATH = MetaPath.parse(RECIPES["paper"].metapath)


def trace(plan: Plan, lab: Lab) -> Result:
    """Fine-tune once, and rank the corpus with the weights of each wanted moment."""
    corpus, cache = lab.corpus, lab.units.cache
    plm = load_plm(lab.job("futex").plm or SPECTER, cache)
    sample = _sample(corpus, plan["triples"] + plan["dev"])
    if len(sample.triples) <= plan["dev"]:
        raise InputError("no papers behind the ranked ones are linked: give a larger file or a smaller --limit")
    candidates = retrieve(corpus.papers, Matcher(corpus.labels))
    found = _points(plan, lab, plm, sample, candidates)
    points = {size: _scores(rankings, lab) for size, rankings in found.items()}
    untuned = _scores(BiEncoder(CachedPLM(plm, cache), corpus.labels, "abstract").rank(corpus.papers, candidates), lab)
    metrics: list[str] = plan["metrics"]
    rows = [_row("untuned, cosine", untuned, metrics)]
    rows += [_row(f"{size:,} triples", scores, metrics) for size, scores in points.items()]
    table = Table("Cross-Encoder after", tuple(metrics), (Group(corpus.name, len(metrics)),), tuple(rows))
    panels = tuple(_panel(metric, points, untuned) for metric in plan["plotted"])
    notes = (f"{len(corpus.papers):,} papers are ranked, {sample.linked_papers:,} others are linked. One seed.",)
    return Result(plan.name, plan.title, plan.caption, table, panels, notes)


def _sample(corpus: Corpus, count: int) -> Sample:
    ranked = {paper.id for paper in corpus.papers}
    others = PaperSpool(paper for paper in corpus.everything.papers if paper.id not in ranked)
    return sample_triples(CitationGraph(others), PATH, count, seed=0)


def _points(
    plan: Plan, lab: Lab, plm: TrainablePLM, sample: Sample, candidates: Candidates
) -> dict[int, Mapping[str, Ranking]]:
    """The rankings after each of the wanted numbers of triples; what a killed run found is not looked for again."""
    count = len(sample.triples) - plan["dev"]
    folder = lab.units.folder / f"{plan.name}-{_key(plan, lab, plm)}"
    sizes = sorted({size for size in plan["sizes"] if size < count} | {count})
    found: dict[int, Mapping[str, Ranking]] = {
        size: rankings for size in sizes if (rankings := read_rankings(folder / f"{size}.json")) is not None
    }
    if len(found) == len(sizes):
        return found
    trainer = plm.trainer(schedule_for(count, seed=0))
    _begin_anew_if_lost(sizes, found, folder / "checkpoint")

    def look(triples: int) -> None:
        due = [size for size in sizes if size <= triples and size not in found]
        if due:
            rankings = CrossEncoder(_now(trainer), lab.corpus.labels).rank(lab.corpus.papers, candidates)
        for size in due:
            found[size] = rankings
            write_rankings(rankings, folder / f"{size}.json")

    learn(
        *(trainer, sample.triples[:count], sample.triples[count:]),
        title="Fine-tuning on linked papers",
        checkpoint=folder / "checkpoint",
        looks=plan["looks"],
        at_look=look,
    )
    return dict(sorted(found.items()))


def _begin_anew_if_lost(sizes: Sequence[int], found: Collection[int], checkpoint: Path) -> None:
    """The weights of a moment that training has left behind come back only if it begins anew."""
    progress = read_note(checkpoint / "progress.json")
    lost = [size for size in sizes if progress and size <= progress["step"] * BATCH and size not in found]
    if lost:
        log.warning("the rankings after %d triples are lost or damaged: training begins anew", lost[0])
        shutil.rmtree(checkpoint)


def _key(plan: Plan, lab: Lab, plm: TrainablePLM) -> str:
    corpus, code = lab.corpus, [VERSION, TRAINING_VERSION]
    inputs = [corpus.papers_hash, corpus.everything.papers_hash, corpus.labels_hash, plm.fingerprint]
    facts = [code, inputs, dict(plan.wants)]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:20]


def _now(trainer: Trainer) -> TrainablePLM:
    """With the weights of this moment, be they the best so far or not."""
    trainer.keep()
    return trainer.best()


def _scores(rankings: Mapping[str, Ranking], lab: Lab) -> Scores:
    return Scores.of([Outcome(rankings, 0.0, 0.0)], lab.corpus.gold, is_random=True)


def _row(head: str, scores: Scores, metrics: Sequence[str]) -> Row:
    return Row(head, tuple(scores.cell(metric) for metric in metrics))


def _panel(metric: str, points: Mapping[int, Scores], untuned: Scores) -> Panel:
    sizes = tuple(float(size) for size in points)
    cells = [scores.cell(metric) for scores in points.values()]
    flat = [untuned.cell(metric)] * 2
    series = (series_of("Cross-Encoder", sizes, cells), series_of("untuned, cosine", (min(sizes), max(sizes)), flat))
    return Panel("lines", "triples", metric, series, log_x=True)

"""The learning curve: how well the Cross-Encoder ranks labels after more and more triples."""

import hashlib
import json
from collections.abc import Mapping, Sequence

from futex.candidates import Matcher, retrieve
from futex.config import RECIPES
from futex.corpus.citations import CitationGraph, MetaPath
from futex.experiments.corpus import Corpus
from futex.experiments.jobs import Outcome
from futex.experiments.lab import Lab
from futex.experiments.panels import line_of
from futex.experiments.plans import Plan
from futex.experiments.results import Group, Panel, Result, Row, Table
from futex.experiments.scores import Scores
from futex.experiments.units import read_rankings, write_rankings
from futex.hierarchy.bi_encoder import BiEncoder
from futex.network.cross_encoder import CrossEncoder
from futex.network.learning import learn, schedule_for
from futex.network.triples import Sample, sample_triples
from futex.plm.cache import CachedPLM
from futex.plm.checkpoints import load_plm
from futex.plm.protocol import TrainablePLM, Trainer
from futex.ranking import Ranking

PATH = MetaPath.parse(RECIPES["paper"].metapath)


def trace(plan: Plan, lab: Lab) -> Result:
    """Fine-tune once, and rank the corpus with the weights of each wanted moment."""
    lab = lab.for_plan(plan)
    corpus, cache = lab.corpus, lab.units.cache
    plm = load_plm(lab.plm or RECIPES["paper"].plm, cache)
    sample = _sample(corpus, plan["triples"] + plan["dev"])
    points = {size: _scores(rankings, lab) for size, rankings in _points(plan, lab, plm, sample).items()}
    candidates = retrieve(corpus.papers, Matcher(corpus.labels))
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
    others = [paper for paper in corpus.everything.papers if paper.id not in ranked]
    return sample_triples(CitationGraph(others), PATH, count, seed=0)


def _points(plan: Plan, lab: Lab, plm: TrainablePLM, sample: Sample) -> dict[int, Mapping[str, Ranking]]:
    """The rankings after each of the wanted numbers of triples; what a killed run found is not looked for again."""
    count = len(sample.triples) - plan["dev"]
    folder = lab.units.folder / f"{plan.name}-{_key(plan, lab, plm)}"
    trainer = plm.trainer(schedule_for(count, seed=0))
    candidates = retrieve(lab.corpus.papers, Matcher(lab.corpus.labels))
    sizes = sorted({size for size in plan["sizes"] if size < count} | {count})
    found: dict[int, Mapping[str, Ranking]] = {
        size: read_rankings(path) for size in sizes if (path := folder / f"{size}.json").exists()
    }

    def look(triples: int) -> None:
        due = [size for size in sizes if size <= triples and size not in found]
        if due:
            found[due[-1]] = CrossEncoder(_now(trainer), lab.corpus.labels).rank(lab.corpus.papers, candidates)
            write_rankings(found[due[-1]], folder / f"{due[-1]}.json")

    learn(
        *(trainer, sample.triples[:count], sample.triples[count:]),
        title="Fine-tuning on linked papers",
        checkpoint=folder / "checkpoint",
        looks=plan["looks"],
        at_look=look,
    )
    return dict(sorted(found.items()))


def _key(plan: Plan, lab: Lab, plm: TrainablePLM) -> str:
    corpus = lab.corpus
    facts = [corpus.papers_hash, corpus.everything.papers_hash, corpus.labels_hash, plm.fingerprint, dict(plan.wants)]
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
    series = (line_of("Cross-Encoder", sizes, cells), line_of("untuned, cosine", (min(sizes), max(sizes)), flat))
    return Panel("lines", "triples", metric, series, log_x=True)

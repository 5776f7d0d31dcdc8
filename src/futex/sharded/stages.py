"""Algorithm 1 as stages over shards: the steps of `FuTex.fit_rank`, each for a part of the corpus at a time."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from io import BufferedReader
from pathlib import Path
from typing import NamedTuple

import zstandard

from futex.config import Recipe
from futex.corpus.paper import Paper
from futex.corpus.spool import PaperSpool
from futex.corpus.streams import compressing
from futex.errors import ModelError
from futex.evaluation.predictions import Prediction
from futex.evidence import predictions
from futex.labels.store import read_labels
from futex.model_folder import OutdatedModel
from futex.pipeline import FuTex
from futex.plm.names import is_transformer
from futex.self_training.tfidf import count_words
from futex.sharded.engine import Task, Work
from futex.sharded.findings import NO_WORDS, Found, read_findings, write_findings
from futex.sharded.folder import ModelPlace, RunFolder
from futex.sharded.papers import all_papers, read_shard
from futex.sharded.plan import Plan
from futex.sharded.shelf import Shelf, key_of

VERSION = f"6 {version('futex')}"
"""The first number goes up with every change to a stage that changes what it writes."""


class Stages(NamedTuple):
    """All of a run, in their order, by what they make."""

    draft: "Draft"
    findings: "Look"
    model: "Learn"
    predictions: "Predict"

    @classmethod
    def of(cls, plan: Plan, cache: Path) -> "Stages":
        run, recipe = plan.run, plan.recipe
        return cls(
            Draft(run, cache, recipe, key_of(plan.labels, plan.plm), plan.shards),
            Look(run, cache, recipe, plan.labels),
            Learn(run, cache, plan.shards),
            Predict(run, cache, recipe, plan.top),
        )


@dataclass(frozen=True)
class Draft:
    """The model before it has learnt: recipe, labels and PLM, which is fine-tuned where the recipe wants it (§3.1)."""

    run: RunFolder
    cache: Path
    recipe: Recipe
    known: str
    """Stands for the labels, and for the files of a PLM that the user gave."""
    shards: int

    title = "Getting the model ready"
    uses_transformer = whole_corpus = True

    @property
    def place(self) -> ModelPlace:
        return self.run.draft

    def key(self, number: int) -> str:
        corpus = [_sha256(self.run.papers, i) for i in range(self.shards)] if self.recipe.network else []
        recipe = json.dumps(self.recipe.as_dict(), sort_keys=True)
        return key_of("draft", VERSION, recipe, self.known, *corpus)

    def load(self) -> Work:
        return self._work

    def _work(self, task: Task) -> None:
        model = FuTex(self.recipe, cache=self.cache)
        model.use_labels(read_labels(self.run.labels, "jsonl"))
        if self.recipe.network:
            model.fine_tune(PaperSpool(all_papers(self.run.papers, self.shards)))
        model.save_pretrained(self.place.folder)
        self.place.put(self.key(0))


@dataclass(frozen=True)
class Look:
    """What can be told of each paper by itself (`FuTex.look`)."""

    run: RunFolder
    cache: Path
    recipe: Recipe
    labels: str
    """Stands for the label space."""

    title = "Looking at papers"
    whole_corpus = False

    @property
    def place(self) -> Shelf:
        return self.run.findings

    @property
    def uses_transformer(self) -> bool:
        return not self._counts_names and is_transformer(self.recipe.plm)

    @property
    def _counts_names(self) -> bool:
        """That needs no PLM, so another PLM changes nothing."""
        return self.recipe.scores_names

    def key(self, number: int) -> str:
        known = self.labels if self._counts_names else _sha256(self.run.draft, 0)
        return key_of("findings", VERSION, known, _sha256(self.run.papers, number))

    def load(self) -> Work:
        if not self._counts_names:
            return partial(self._work, _loaded(self.run, self.run.draft, self.cache))
        model = FuTex(self.recipe.but(plm="none"))
        model.use_labels(read_labels(self.run.labels, "jsonl"))
        return partial(self._work, model)

    def _work(self, model: FuTex, task: Task) -> None:
        papers, skipped = _of_task(self.run, task)
        words = count_words(paper.full_text() for paper in papers) if model.self_training else None
        found = [
            Found(paper.id, finding, next(words) if words else NO_WORDS)
            for paper, finding in zip(papers, model.look(papers), strict=True)
        ]
        if task.part is None:
            write = partial(write_findings, found)
            self.place.put(task.number, self.key(task.number), len(found), write, skipped)


@dataclass(frozen=True)
class Learn:
    """The fitted model: what only the whole corpus tells (`FuTex.learn`)."""

    run: RunFolder
    cache: Path
    shards: int

    title = "Learning from the corpus"
    uses_transformer = whole_corpus = True

    @property
    def place(self) -> ModelPlace:
        return self.run.model

    def key(self, number: int) -> str:
        corpus = [_sha256(self.run.findings, i) for i in range(self.shards)]
        return key_of("model", VERSION, _sha256(self.run.draft, 0), *corpus)

    def load(self) -> Work:
        return self._work

    def _work(self, task: Task) -> None:
        model = _loaded(self.run, self.run.draft, self.cache)
        model.learn((one.finding for one in self._found()), (one.words for one in self._found()))
        model.save_pretrained(self.place.folder)
        self.place.put(self.key(0))

    def _found(self) -> Iterator[Found]:
        for number in range(self.shards):
            yield from read_findings(self.run.findings.read(number))


@dataclass(frozen=True)
class Predict:
    """The final rankings with evidence (`FuTex.conclude`)."""

    run: RunFolder
    cache: Path
    recipe: Recipe
    top: int

    title = "Ranking and gathering evidence"
    whole_corpus = False

    @property
    def place(self) -> Shelf:
        return self.run.predictions

    @property
    def uses_transformer(self) -> bool:
        return is_transformer(self.recipe.plm)

    def key(self, number: int) -> str:
        made_from = (_sha256(place, number) for place in (self.run.papers, self.run.findings))
        return key_of("predictions", VERSION, _sha256(self.run.model, 0), str(self.top), *made_from)

    def load(self) -> Work:
        return partial(self._work, _loaded(self.run, self.run.model, self.cache))

    def all(self, shards: int) -> Iterator[Prediction]:
        """Of the whole corpus, from the shards."""
        for number in range(shards):
            yield from self.of(number)

    def of(self, number: int) -> Iterator[Prediction]:
        return map(json.loads, _lines(self.place.read(number)))

    def _work(self, model: FuTex, task: Task) -> None:
        found = {one.paper: one.finding for one in read_findings(self.run.findings.read(task.number))}
        papers, skipped = _of_task(self.run, task)
        papers = [paper for paper in papers if paper.id in found]
        rankings = model.conclude(papers, [found[paper.id] for paper in papers])
        records = list(predictions(model, papers, rankings, self.top))
        if task.part is None:
            write = partial(_write_lines, records, self.place.path(task.number))
            self.place.put(task.number, self.key(task.number), len(papers), write, skipped)


def _loaded(run: RunFolder, place: ModelPlace, cache: Path) -> FuTex:
    """If its PLM has changed at the hub since, the next run makes all anew that stands on it, from the draft on."""
    try:
        return FuTex.from_pretrained(place.folder, cache=cache)
    except OutdatedModel as error:
        run.draft.receipt_path.unlink(missing_ok=True)
        raise ModelError("the PLM has changed since this run was begun: start it again with the same words") from error


def _lines(content: bytes) -> Iterator[bytes]:
    with zstandard.ZstdDecompressor().stream_reader(content) as stream:
        yield from BufferedReader(stream)


def _sha256(place: Shelf | ModelPlace, number: int) -> str:
    receipt = place.receipt(number)
    return receipt.sha256 if receipt else ""


def _of_task(run: RunFolder, task: Task) -> tuple[list[Paper], tuple[str, ...]]:
    """The papers to work on, and the ids of those to skip."""
    papers = read_shard(run.papers, task.number)
    if task.part is not None:
        return papers[slice(*task.part)], ()
    kept = [paper for position, paper in enumerate(papers) if position not in task.skip]
    return kept, tuple(papers[position].id for position in task.skip)


def _write_lines(records: Iterable[Prediction], path: Path, temporary: Path) -> None:
    with temporary.open("wb") as file, compressing(path, file) as out:
        for record in records:
            out.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")

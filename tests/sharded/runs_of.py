"""Small runs over shards of four papers, and engines that go wrong on purpose."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from futex.config import RECIPES, Recipe
from futex.corpus.paper import Paper
from futex.corpus.store import write_papers
from futex.labels.label import LabelSpace
from futex.labels.store import write_labels
from futex.runs.inputs import Inputs
from futex.runs.run import run
from futex.sharded.engine import Engine, Outcome, Place, Stage, Task, Work, _ready, attempt
from futex.sharded.local import LocalEngine
from futex.sharded.papers import read_shard

PAPER = Recipe(plm="fake", triples=16, min_linked_papers=4, min_papers_per_word=1)
BEST = RECIPES["best"].but(plm="fake")


@dataclass
class Desk:
    """A place with papers and labels, where runs are started."""

    folder: Path
    skipped: list[str] = field(default_factory=list)

    def give(self, papers: Iterable[Paper], labels: LabelSpace) -> None:
        write_papers(papers, self.folder / "papers.jsonl")
        write_labels(labels, self.folder / "labels.jsonl")

    def run(self, recipe: Recipe = BEST, out: str = "out", engine: Engine | None = None, **options: object) -> bytes:
        """The predictions."""
        self.skipped.clear()
        given = {name: str(self.folder / f"{name}.jsonl") for name in ("papers", "labels")}
        inputs = Inputs(**given | options)
        place = self.folder / out
        run(inputs, place, recipe, self.folder / "cache", self.skipped.append, engine=engine or Here())
        return (place / "predictions.jsonl").read_bytes()

    def shards(self, out: str = "out") -> dict[str, int]:
        """When each shard was written, by its path."""
        shards = self.folder / out / "shards"
        paths = [path for path in shards.rglob("0*") if path.suffix != ".json"]
        return {path.relative_to(shards).as_posix(): path.stat().st_mtime_ns for path in paths}

    def computed(self) -> int:
        """How many vectors and scores were ever computed: all of them are in the cache."""
        return sum(path.stat().st_size // 16 for path in (self.folder / "cache").rglob("keys"))


class Here:
    """An engine without workers: everything is done at once, in this process."""

    def map(self, stage: Stage, tasks: Iterable[Task]) -> Iterator[Outcome]:
        _ready.clear()
        return (attempt((stage, task)) for task in tasks)

    def close(self) -> None: ...


class Noting:
    """An engine that notes which tasks it was given."""

    def __init__(self, engine: Engine | None = None) -> None:
        self._engine = engine or Here()
        self.tasks: list[tuple[str, Task]] = []

    def map(self, stage: Stage, tasks: Iterable[Task]) -> Iterator[Outcome]:
        given = list(tasks)
        self.tasks += [(type(stage).__name__, task) for task in given]
        return self._engine.map(stage, given)

    def close(self) -> None:
        self._engine.close()


class Stopping(Noting):
    """As if the run were killed after so many tasks."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self._left = after

    def map(self, stage: Stage, tasks: Iterable[Task]) -> Iterator[Outcome]:
        for task in tasks:
            if self._left == 0:
                raise KeyboardInterrupt
            self._left -= 1
            yield from super().map(stage, [task])


@dataclass(frozen=True)
class Deadly:
    """A stage whose worker dies when it meets one of these papers."""

    stage: Stage
    poison: frozenset[str]
    only_once: Path | None = None
    """Where it is noted that it has died."""

    @property
    def title(self) -> str:
        return self.stage.title

    @property
    def place(self) -> Place:
        return self.stage.place

    @property
    def uses_transformer(self) -> bool:
        return self.stage.uses_transformer

    @property
    def whole_corpus(self) -> bool:
        return self.stage.whole_corpus

    def key(self, number: int) -> str:
        return self.stage.key(number)

    def load(self) -> Work:
        work = self.stage.load()

        def deadly(task: Task) -> None:
            if not self.whole_corpus:
                papers = enumerate(read_shard(self.stage.run.papers, task.number))
                part = range(*task.part) if task.part else range(10**6)
                met = {paper.id for i, paper in papers if i in part and i not in task.skip}
                if met & self.poison and not (self.only_once and self.only_once.exists()):
                    if self.only_once:
                        self.only_once.touch()
                    os._exit(9)
            work(task)

        return deadly


class Poisoning(Noting):
    """An engine on which some papers, or one worker, die in the stage of this name."""

    def __init__(self, stage: str, *papers: str, engine: Engine | None = None, only_once: Path | None = None) -> None:
        super().__init__(engine or LocalEngine())
        self._stage, self._papers, self._only_once = stage, frozenset(papers), only_once

    def map(self, stage: Stage, tasks: Iterable[Task]) -> Iterator[Outcome]:
        is_deadly = type(stage).__name__ == self._stage
        return super().map(Deadly(stage, self._papers, self._only_once) if is_deadly else stage, tasks)

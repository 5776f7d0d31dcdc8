"""How far a run is: what is done, what is left, what is damaged, and whether somebody is at it."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from futex.errors import InputError
from futex.files import part_of
from futex.sharded.engine import Place
from futex.sharded.folder import PREDICTIONS, RunFolder
from futex.sharded.plan import Plan
from futex.sharded.shelf import State
from futex.sharded.stages import Stages


@dataclass(frozen=True, slots=True)
class StageStatus:
    name: str
    shards: int
    done: int
    papers: int
    """In the shards that are done."""
    damaged: tuple[str, ...]
    """Files that were altered, or are missing."""


@dataclass(frozen=True, slots=True)
class Status:
    folder: str
    papers: int
    running: bool
    """Whether a process holds the folder now."""
    stages: tuple[StageStatus, ...]
    given_up: tuple[str, ...]
    """Ids of papers that no worker survived."""
    written: bool
    """Whether predictions.jsonl is there, and no newer one half written."""

    @property
    def finished(self) -> bool:
        return self.written and all(stage.done == stage.shards for stage in self.stages)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self) | {"finished": self.finished}


def status_of(folder: Path, running: bool) -> Status:
    """Reads all files to see whether they are whole."""
    if not folder.is_dir():
        raise InputError(f"no such folder: {folder}")
    plan = Plan.read(RunFolder(folder))
    result = folder / PREDICTIONS
    written = result.is_file() and not part_of(result).exists()
    given_up = tuple(paper for paper, _ in plan.given_up())
    return Status(str(folder), sum(plan.sizes), running, tuple(_stages(plan)), given_up, written)


def _stages(plan: Plan) -> Iterator[StageStatus]:
    shelf = plan.run.papers
    receipts = [shelf.receipt(number) for number in range(plan.shards)]
    yield _stage("papers", shelf, [receipt.key if receipt else "" for receipt in receipts], plan.sizes)
    for name, stage in Stages.of(plan, Path())._asdict().items():
        sizes = plan.sizes_for(stage)
        yield _stage(name, stage.place, [stage.key(number) for number in range(len(sizes))], sizes)


def _stage(name: str, place: Place, keys: Sequence[str], sizes: Sequence[int]) -> StageStatus:
    states = [place.state(number, key) for number, key in enumerate(keys)]
    damaged = [place.path(i) for i, state in enumerate(states) if state in (State.DAMAGED, State.MISSING)]
    papers = sum(size for size, state in zip(sizes, states, strict=True) if state is State.DONE)
    return StageStatus(name, len(states), states.count(State.DONE), papers, tuple(map(str, damaged)))

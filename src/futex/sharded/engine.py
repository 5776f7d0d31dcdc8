"""What an engine is: it carries out stages, and says of each task how it ended. Stages know no engine."""

import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from threadpoolctl import threadpool_limits

from futex.errors import FutexError
from futex.sharded.shelf import State


@dataclass(frozen=True, slots=True)
class Task:
    """A shard to compute, without the papers at these positions; or a trial of a part of it, which leaves nothing."""

    number: int
    skip: tuple[int, ...] = ()
    part: tuple[int, int] | None = None


Work = Callable[[Task], None]


class Place(Protocol):
    """Where the shards of a stage are kept: a `Shelf`, or a `ModelPlace`."""

    def state(self, number: int, key: str) -> State: ...

    def path(self, number: int) -> Path: ...


class Stage(Protocol):
    """A small value that can be sent anywhere; all that is heavy is loaded once by each worker."""

    @property
    def title(self) -> str: ...

    @property
    def place(self) -> Place: ...

    @property
    def uses_transformer(self) -> bool:
        """Whether it wants a GPU, or all cores of a machine, for itself."""
        ...

    @property
    def whole_corpus(self) -> bool:
        """Whether it has a single task, which goes through all papers."""
        ...

    def key(self, number: int) -> str:
        """Stands for all that the shard is made from."""
        ...

    def load(self) -> Work:
        """Get ready; what comes back reads the shards a task needs and writes the one it asks for."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a task ended: well, or with a fault of the user's or the machine's, a bug of ours, or a dead worker."""

    task: Task
    fault: str = ""
    bug: str = ""
    death: str = ""


class Engine(Protocol):
    def map(self, stage: Stage, tasks: Iterable[Task]) -> Iterator[Outcome]:
        """Carry out all tasks, in any order."""
        ...

    def close(self) -> None: ...


def attempt(work: tuple[Stage, Task]) -> Outcome:
    """A task in a worker, which it may kill.

    BLAS rounds otherwise on another number of threads, so it gets one: the bytes are the same on every machine.
    """
    stage, task = work
    try:
        with threadpool_limits(1, user_api="blas"):
            _loaded(stage)(task)
    except (FutexError, OSError) as error:
        return Outcome(task, fault=str(error))
    except MemoryError:
        return Outcome(task, death="out of memory")
    except Exception:
        return Outcome(task, bug=traceback.format_exc())
    return Outcome(task)


_ready: dict[Stage, Work] = {}
"""The stage that this worker is at."""


def _loaded(stage: Stage) -> Work:
    if stage not in _ready:
        _ready.clear()  # first, so that no two models are in memory
        _ready[stage] = stage.load()
    return _ready[stage]

"""The engine of one machine: processes that may die without taking the run with them."""

import sys
from collections.abc import Iterable, Iterator

from futex import progress
from futex.processes import Processes, default_workers
from futex.sharded.engine import Outcome, Stage, Task, attempt

Pool = Processes[tuple[Stage, Task], Outcome]


class LocalEngine:
    """A process a core; but a transformer, which keeps all cores busy by itself, gets one, which may start others."""

    def __init__(self, *, spawned: bool | None = None) -> None:
        self._spawned = spawned
        self._pools: dict[int, Pool] = {}

    def map(self, stage: Stage, tasks: Iterable[Task]) -> Iterator[Outcome]:
        pool = self._pool(1 if stage.uses_transformer else default_workers())
        for task in tasks:
            yield from pool.submit((stage, task))
        yield from pool.drain()

    def close(self) -> None:
        for pool in self._pools.values():
            pool.close()

    def _pool(self, processes: int) -> Pool:
        if processes not in self._pools:
            spawned = _has_torch() if self._spawned is None else self._spawned
            self._pools[processes] = Processes(_quietly, processes, _died, spawned=spawned, free=processes == 1)
        return self._pools[processes]


def _has_torch() -> bool:
    """Whether this process may have run torch, whose threads do not survive being copied."""
    return "torch" in sys.modules


def _quietly(work: tuple[Stage, Task]) -> Outcome:
    """The driver shows how far a stage over shards is; a worker does not."""
    if not work[0].whole_corpus:
        progress.show_nothing()
    return attempt(work)


def _died(work: tuple[Stage, Task], exit_code: int | None) -> Outcome:
    return Outcome(work[1], death=f"exit code {exit_code}")

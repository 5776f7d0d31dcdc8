"""The engine of a Ray cluster: an actor for each core, or for each GPU, of every node.

Each actor keeps a process beside it, as the local engine does, so a paper that kills its worker kills no actor. What an
actor was working on when it died after all, or its node went down, is reported as lost, like the task of any dead
worker: whoever gave the tasks gives them again, and by then other nodes take them.

The folder of the run must be one that all nodes see.
"""

import logging
import os
import socket
import sys
import warnings
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from futex.errors import InputError
from futex.sharded.engine import Outcome, Stage, Task
from futex.sharded.local import LocalEngine

if TYPE_CHECKING:
    import numpy as np


SECONDS_TO_CONNECT = 10


class RayEngine:
    def __init__(self, address: str | None = None) -> None:
        """Join the cluster at `address` ("auto": the one of this machine); without one, start a cluster if need be."""
        self._ray = _connected(address)
        self._here = LocalEngine(spawned=True)  # Ray's threads do not survive being copied

    def map(self, stage: Stage, tasks: Iterable[Task]) -> Iterator[Outcome]:
        """What needs the whole corpus is done here, where the driver is."""
        if stage.whole_corpus:
            return self._here.map(stage, tasks)
        return self._map(stage, list(tasks))

    def _map(self, stage: Stage, tasks: list[Task]) -> Iterator[Outcome]:
        lost, reason = set(range(len(tasks))), "its node went down"
        try:
            for row in self._rows(stage, tasks) if tasks else ():
                lost.remove(row["task"])
                yield Outcome(tasks[row["task"]], row["fault"], row["bug"], row["death"])
        except self._ray.exceptions.RayError as error:
            reason = str(error).partition("\n")[0]
        for task in sorted(lost):
            yield Outcome(tasks[task], death=reason)

    def _rows(self, stage: Stage, tasks: list[Task]) -> Iterator[dict[str, Any]]:
        data, total = self._ray.data, self._ray.cluster_resources()
        gpus = int(total.get("GPU", 0)) if stage.uses_transformer else 0
        size = min(len(tasks), gpus or max(1, int(total.get("CPU", 1))))
        numbers = data.from_items([{"task": i} for i in range(len(tasks))], override_num_blocks=len(tasks))
        outcomes = numbers.map_batches(
            _Actor,
            fn_constructor_args=(stage, tasks),
            compute=data.ActorPoolStrategy(size=size, max_tasks_in_flight_per_actor=1),
            batch_size=1,
            num_cpus=1,
            num_gpus=1 if gpus else 0,
            ray_remote_args_fn=_when_actors_die,
        )
        rows: Iterator[dict[str, Any]] = outcomes.iter_rows()
        return rows

    def close(self) -> None:
        self._here.close()
        self._ray.shutdown()


def _when_actors_die() -> dict[str, int]:
    """They start again, but a task is not tied to one that may wait for a place for ever."""
    return {"max_restarts": -1, "max_task_retries": 0}


class _Actor:
    """Lives on a node of the cluster as long as the stage takes."""

    def __init__(self, stage: Stage, tasks: list[Task]) -> None:
        self._stage, self._tasks = stage, tasks
        sys.modules["__main__"].__file__ = None  # the process beside us need not run Ray's main module, as it would
        self._engine = LocalEngine(spawned=True)

    def __call__(self, batch: "dict[str, np.ndarray[Any, Any]]") -> dict[str, list[Any]]:
        number = int(batch["task"][0])
        (outcome,) = self._engine.map(self._stage, [self._tasks[number]])
        return {"task": [number], "fault": [outcome.fault], "bug": [outcome.bug], "death": [outcome.death]}


def _connected(address: str | None) -> Any:
    try:
        import ray
        import ray.data
        import ray.util.annotations
    except ImportError:
        raise InputError("--engine ray needs Ray: install it with pip install 'futex[ray]', on every node") from None
    # What Ray says of its own affairs is not for the user of futex.
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    warnings.filterwarnings("ignore", category=ray.util.annotations.RayDeprecationWarning)
    try:
        _knock(address)
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, ignore_reinit_error=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise InputError(f"cannot join the Ray cluster {address}: {error}; start one: ray start --head") from error
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.max_errored_blocks = -1
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
    return ray


def _knock(address: str | None) -> None:
    """Ray would try for minutes, and then end the process."""
    host, _, port = (address or "").removeprefix("ray://").rpartition(":")
    if port.isdecimal():
        socket.create_connection((host, int(port)), SECONDS_TO_CONNECT).close()

"""Work shared out to processes; its results come back in the order of the tasks.

Readers of files from strangers use parsers written in C. If one crashes, only the task it worked on is lost: another
process takes the place of the dead one. `concurrent.futures` gives up all tasks in such a case.
"""

import ctypes
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar

MAX_WAITING = 64
MAX_WAITING_BYTES = 64 * 2**20
"""Results that wait for an earlier, slower task: so many of them, or of so many bytes, and no new task is begun."""

SECONDS_TO_DIE = 5
PR_SET_PDEATHSIG = 1
"""From Linux's prctl.h."""

WORTH_IT = 8
"""Fewer batches than this are done before processes would pay."""

# A forked process is ready at once. Others import all of us first, and run the user's main module again.
_CONTEXT = multiprocessing.get_context("fork" if sys.platform == "linux" else None)

Task = TypeVar("Task")
Result = TypeVar("Result")


def default_workers() -> int:
    """The cores we may use (fewer if OMP_NUM_THREADS says so), where processes start quickly and may be started."""
    if sys.platform != "linux" or multiprocessing.current_process().daemon:
        return 1
    wanted = os.environ.get("OMP_NUM_THREADS", "")
    return min(len(os.sched_getaffinity(0)), max(1, int(wanted)) if wanted.isdecimal() else sys.maxsize)


def on_all_cores(
    function: Callable[[list[Task]], list[Result]], items: Iterable[Task], *, batch: int
) -> Iterator[Result]:
    """A pure function that maps a list to a list of the same length, over any number of items, in their order.

    Only a few batches are in flight at a time, so an endless stream takes no more memory than a short one.
    """
    remaining = iter(items)
    batches = iter(lambda: list(islice(remaining, batch)), [])
    first = list(islice(batches, WORTH_IT))
    workers = default_workers() if len(first) == WORTH_IT else 1
    if workers == 1:
        for some in chain(first, batches):
            yield from function(some)
        return
    work = partial(_outcome, function)
    processes: Processes[list[Task], list[Result] | Exception] = Processes(work, workers, _died)
    try:
        for some in chain(first, batches):
            for outcome in processes.submit(some):
                yield from _results(outcome)
        for outcome in processes.drain():
            yield from _results(outcome)
    finally:
        processes.close()


def _outcome(function: Callable[[list[Task]], list[Result]], items: list[Task]) -> list[Result] | Exception:
    try:
        return function(items)
    except Exception as error:
        return error


def _died(items: object, exit_code: int | None) -> Exception:
    return MemoryError(f"a process died at its work (exit code {exit_code})")


def _results(outcome: list[Result] | Exception) -> list[Result]:
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


@dataclass(slots=True)
class _Job(Generic[Task]):
    task: Task
    result: bytes | None = None


class Processes(Generic[Task, Result]):
    """Runs `work` on tasks; `lost` makes the result of a task whose process died with the given exit code.

    `spawned` processes start anew instead of as copies of this one, which may have threads that no copy survives; those
    that are `free` may start processes of their own.
    """

    def __init__(
        self,
        work: Callable[[Task], Result],
        count: int,
        lost: Callable[[Task, int | None], Result],
        *,
        spawned: bool = False,
        free: bool = False,
    ) -> None:
        self._context: BaseContext = multiprocessing.get_context("spawn") if spawned else _CONTEXT
        self._new = partial(_Worker, work, self._context, not free)
        self.count = count
        self._lost = lost
        self._workers: set[_Worker] = set()
        self._idle: list[_Worker] = []
        self._busy: dict[object, tuple[_Worker, _Job[Task]]] = {}
        self._jobs: deque[_Job[Task]] = deque()

    def submit(self, task: Task) -> Iterator[Result]:
        """Begin a task as soon as there is room; gives the results that are ready by then."""
        while not self._has_room():
            self._receive()
            yield from self._ready()
        job = _Job(task)
        worker = self._idle.pop() if self._idle else self._start()
        if not worker.send(task):  # killed while it had nothing to do
            self._workers.discard(worker)
            worker = self._start()
            worker.send(task)
        self._jobs.append(job)
        self._busy[worker.connection] = worker, job

    def drain(self) -> Iterator[Result]:
        """All results that are still to come."""
        while self._jobs:
            self._receive()
            yield from self._ready()

    def close(self) -> None:
        """End them all, those too that Ctrl-C kept from becoming busy or idle."""
        for worker in self._workers:
            worker.stop()

    def _start(self) -> "_Worker":
        with _ctrl_c_waiting(self._context):
            worker = self._new()
            self._workers.add(worker)
        return worker

    def _has_room(self) -> bool:
        waiting = [job.result for job in self._jobs if job.result is not None]
        few = len(waiting) < MAX_WAITING and sum(map(len, waiting)) < MAX_WAITING_BYTES
        return len(self._busy) < self.count and (few or not self._busy)

    def _receive(self) -> None:
        """Wait until some process is done, or dead."""
        for connection in wait([worker.connection for worker, _ in self._busy.values()]):
            worker, job = self._busy.pop(connection)
            try:
                job.result = worker.connection.recv_bytes()
                self._idle.append(worker)
            except (EOFError, OSError):
                job.result = pickle.dumps(self._lost(job.task, worker.exit_code()))
                self._workers.discard(worker)

    def _ready(self) -> Iterator[Result]:
        while self._jobs and (result := self._jobs[0].result) is not None:
            self._jobs.popleft()
            yield pickle.loads(result)  # what our own process sent through its pipe, as multiprocessing does


class _Worker:
    """A process and our end of the pipe to it."""

    def __init__(self, work: Callable[[Task], Result], context: BaseContext, daemon: bool) -> None:
        self.connection, its_end = context.Pipe()
        # A copy of this process holds our end of the pipe too, and must close it; one that starts anew does not.
        ours = self.connection if context.get_start_method() == "fork" else None
        self._process: BaseProcess = context.Process(target=_serve, args=(work, its_end, ours), daemon=daemon)  # type: ignore[attr-defined]
        self._process.start()
        its_end.close()

    def send(self, task: object) -> bool:
        try:
            self.connection.send(task)
        except OSError:
            self.stop()
            return False
        return True

    def exit_code(self) -> int | None:
        """Of a process that closed its pipe, and so is about to end."""
        self._process.join(timeout=SECONDS_TO_DIE)
        self.stop()
        return self._process.exitcode

    def stop(self) -> None:
        self.connection.close()
        self._process.kill()
        self._process.join()


def _serve(work: Callable[[Task], Result], connection: Connection, our_end: Connection | None) -> None:
    """The life of a process: it ends with the pipe, however that breaks, or its parent, and leaves Ctrl-C to it."""
    if our_end is not None:
        our_end.close()
    _die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    with suppress(EOFError, ConnectionError):
        while True:
            connection.send(work(connection.recv()))


@contextmanager
def _ctrl_c_waiting(context: BaseContext) -> Iterator[None]:
    """Until the block ends; a process that is started in it is spared until it says itself that it ignores Ctrl-C.

    Other threads are not blocked, and this one is to act at once on what they are told. So it only takes a note: Python
    drops an interrupt in the hooks that run when a process is copied, and the command would go on for ever.
    """
    if context.get_start_method() != "fork":
        resource_tracker.ensure_running()  # or it would be started in the block, and let Ctrl-C through
    is_told = threading.current_thread() is threading.main_thread()
    notes: list[int] = []
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    usual = signal.signal(signal.SIGINT, lambda number, _: notes.append(number)) if is_told else None
    try:
        yield
    finally:
        if is_told:
            signal.signal(signal.SIGINT, usual or signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if notes:
            signal.raise_signal(signal.SIGINT)


def _die_with_parent() -> None:
    """If it is killed, do not first finish the task that nobody waits for: until then we would hold its locks."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)

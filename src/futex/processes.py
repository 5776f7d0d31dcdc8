"""A pure function over many items on all cores, for work that Python's lock would serialise."""

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import chain, islice
from multiprocessing import get_context
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

START = "fork" if sys.platform == "linux" else "spawn"
"""Forking starts at once and runs from any script; elsewhere it is not safe with the system's libraries."""

WORTH_IT = 8
"""Fewer batches than this are done before the processes would have started."""


def cores() -> int:
    """The cores this process may use, or fewer if OMP_NUM_THREADS says so."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    wanted = os.environ.get("OMP_NUM_THREADS", "")
    return min(allowed, int(wanted)) if wanted.isdecimal() and int(wanted) else allowed


_function: Callable[[list[Any]], list[Any]]


def _keep(function: Callable[[list[Any]], list[Any]]) -> None:
    """Once a process, however large the data that the function carries."""
    global _function
    _function = function


def _work(items: list[Any]) -> list[Any]:
    return _function(items)


def on_all_cores(
    function: Callable[[list[Item]], list[Result]], items: Iterable[Item], *, batch: int
) -> Iterator[Result]:
    """`function` maps a list to a list of the same length; results come in the order of the items.

    Only a few batches are in flight at a time, so an endless stream takes no more memory than a short one.
    """
    remaining = iter(items)
    batches = iter(lambda: list(islice(remaining, batch)), [])
    first = list(islice(batches, WORTH_IT))
    if len(first) < WORTH_IT or cores() == 1:
        for some in chain(first, batches):
            yield from function(some)
        return
    with ProcessPoolExecutor(cores(), mp_context=get_context(START), initializer=_keep, initargs=(function,)) as pool:
        waiting: deque[Future[list[Result]]] = deque()
        for some in chain(first, batches):
            waiting.append(pool.submit(_work, some))
            if len(waiting) > 2 * cores():
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()

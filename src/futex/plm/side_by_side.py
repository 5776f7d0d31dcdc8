"""One thread a core, each computing on its own: large matrices split over cores leave them waiting for each other."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TypeVar

import torch

Part = TypeVar("Part")
Result = TypeVar("Result")


def cores() -> int:
    """As many as torch may use here (it heeds OMP_NUM_THREADS and the cores this process is bound to)."""
    return torch.get_num_threads()


def side_by_side(work: Callable[[Part], Result], parts: Iterable[Part]) -> Iterator[Result]:
    """The results of `work` on every part, in order; torch lets go of Python's lock while it computes.

    A part is computed by a single thread, on one core or on many, so its bits do not depend on the size of the machine.
    """
    return _threads(cores(), os.getpid()).map(work, parts)


@lru_cache(maxsize=1)
def _threads(count: int, process: int) -> ThreadPoolExecutor:
    """The same threads each time: new ones would take new memory from the system. A forked process has none of them."""
    return ThreadPoolExecutor(count, "side by side", torch.set_num_threads, (1,))

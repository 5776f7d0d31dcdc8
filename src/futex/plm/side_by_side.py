"""One thread a core, each computing on its own: large matrices split over cores leave them waiting for each other."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
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
    with ThreadPoolExecutor(cores(), initializer=torch.set_num_threads, initargs=(1,)) as threads:
        yield from threads.map(work, parts)

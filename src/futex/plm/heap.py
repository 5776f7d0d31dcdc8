"""Memory that was freed is the system's again, where glibc would keep it."""

import ctypes
from contextlib import suppress

STEPS_BETWEEN_TRIMS = 16
"""Memory that is given back must be cleared by the system when it is taken again: after every step costs a seventh."""

M_MMAP_THRESHOLD = -3
"""From glibc's malloc.h."""
LARGE_BLOCK = 4 * 2**20


def give_memory_back(steps_done: int) -> None:
    """glibc keeps the freed activations of texts of all lengths in pieces; without this they add up to a gigabyte."""
    if steps_done % STEPS_BETWEEN_TRIMS:
        return
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)


def give_large_blocks_back() -> None:
    """From now on, as soon as they are free. Otherwise glibc learns to keep them, a heap a thread, and a service that
    computes on several threads takes up to 2 GB more in its first minutes."""
    with suppress(AttributeError):  # another C library
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK)

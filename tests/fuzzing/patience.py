"""A reader that takes longer than a minute has failed, whatever it would find in the end."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE = 60
"""Seconds."""


@contextmanager
def patience() -> Iterator[None]:
    def give_up(*_) -> None:
        raise TimeoutError(f"longer than {PATIENCE} seconds")

    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)

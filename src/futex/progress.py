"""Progress of long work. Stages announce tasks here; whoever runs them (the command line) decides how to show them.

with task("Encoding paragraphs", total=3) as advance:
    advance(1)
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Advance(Protocol):
    """Call with the number of steps done and, if there is something to tell, a short note."""

    def __call__(self, steps: int = 1, note: str = "") -> None: ...


Display = Callable[[str, int | None, int], AbstractContextManager[Advance]]


@contextmanager
def _silent(title: str, total: int | None, done: int) -> Iterator[Advance]:
    yield lambda steps=1, note="": None


_display: Display = _silent


def show_with(display: Display) -> None:
    """Use this display for all tasks from now on."""
    global _display
    _display = display


def show_nothing() -> None:
    show_with(_silent)


def portions(title: str, items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """Go through a long sequence so many at a time, and show how far it is."""
    with task(title, total=len(items)) as advance:
        for start in range(0, len(items), size):
            some = items[start : start + size]
            yield some
            advance(len(some))


def task(title: str, total: int | None, done: int = 0) -> AbstractContextManager[Advance]:
    """`total` is the number of steps, None if it is not known; `done`, those that an earlier run left us."""
    return _display(title, total, done)


def counted(number: int, what: str) -> str:
    """How many there are, for people.

    >>> counted(1, "paper"), counted(1200, "paper")
    ('1 paper', '1,200 papers')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def in_words(seconds: float) -> str:
    """A duration for people.

    >>> in_words(40), in_words(720), in_words(12600)
    ('40 s', '12 min', '3.5 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"

"""Words that stand close together on one line: what a gap as wide as a gutter ends.

A piece is a line of a column, or less than one where the line has wide gaps (a table's row, a loosely set line).
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeVar

from futex.corpus.formats.pdf.words import Word

GUTTER = 0.7
"""The narrowest space between two columns, in heights of the font."""
SAME_LINE = 0.5
"""How far raised or lowered words (reference marks, indices) may stand off the line, in heights of the font."""


Item = TypeVar("Item")


class Piece(NamedTuple):
    words: list[Word]

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @property
    def left(self) -> float:
        return self.words[0].left

    @property
    def right(self) -> float:
        return self.words[-1].right

    @property
    def baseline(self) -> float:
        return max(self.words, key=lambda word: word.size).baseline

    @property
    def weight(self) -> int:
        return sum(len(word.text) for word in self.words)


def pieces(words: Iterable[Word]) -> Iterator[Piece]:
    """The pieces of a page in the order in which they are drawn."""
    return map(Piece, runs(words, lambda piece, word: not _continues(piece[-1], word)))


def runs(items: Iterable[Item], ends: Callable[[list[Item], Item], bool]) -> Iterator[list[Item]]:
    """Neighbours that belong together, up to an item before which the run so far ends."""
    run: list[Item] = []
    for item in items:
        if run and ends(run, item):
            yield run
            run = []
        run.append(item)
    if run:
        yield run


def _continues(word: Word, following: Word) -> bool:
    size = max(word.size, following.size)
    gap = following.left - word.right
    return abs(following.baseline - word.baseline) <= SAME_LINE * size and -size < gap <= GUTTER * size

"""Words that stand close together on one line: what a gap as wide as a gutter ends.

A piece is a line of a column, or less than one where the line has wide gaps (a table's row, a loosely set line).
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from futex.corpus.formats.pdf.words import Word

GUTTER = 0.7
"""The narrowest space between two columns, in heights of the font."""
SAME_LINE = 0.5
"""How far raised or lowered words (reference marks, indices) may stand off the line, in heights of the font."""


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
    piece: list[Word] = []
    for word in words:
        if piece and not _continues(piece[-1], word):
            yield Piece(piece)
            piece = []
        piece.append(word)
    if piece:
        yield Piece(piece)


def _continues(word: Word, following: Word) -> bool:
    size = max(word.size, following.size)
    gap = following.left - word.right
    return abs(following.baseline - word.baseline) <= SAME_LINE * size and -size < gap <= GUTTER * size

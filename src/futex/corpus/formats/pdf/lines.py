"""The lines of a paper in reading order, each with its place in its column."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from futex.corpus.formats.pdf.columns import in_reading_order
from futex.corpus.formats.pdf.pieces import SAME_LINE, Piece, pieces, runs
from futex.corpus.formats.pdf.running_heads import without_running_heads
from futex.corpus.formats.pdf.words import Word

WIDE_GAP = 1.5
"""In heights of the font: between cells of a table, or a formula and its number, never between words."""


INDENT = (0.6, 4.0)
"""How far the first line of a paragraph is set in, in heights of the font."""
SHORT = 0.85
"""Part of the column's width that lines within a paragraph fill at least."""
FULL_WITHIN = 0.5
"""Where a full line ends, in heights of the font before the end of the column."""


class Style(NamedTuple):
    """How text is set."""

    size: float
    font: int


class Column(NamedTuple):
    page: int
    number: int
    """Counted through the whole paper in reading order."""
    left: float
    right: float


class Line(NamedTuple):
    text: str
    style: Style
    left: float
    right: float
    baseline: float
    has_gap: bool
    column: Column

    @property
    def size(self) -> float:
        return self.style.size

    @property
    def is_set_in(self) -> bool:
        """Like the first line of a paragraph."""
        return INDENT[0] < (self.left - self.column.left) / self.size < INDENT[1]

    @property
    def is_short(self) -> bool:
        """Like the last line of a paragraph."""
        return self.right < self.column.left + SHORT * (self.column.right - self.column.left)

    @property
    def is_full(self) -> bool:
        return self.right > self.column.right - FULL_WITHIN * self.size


def lines(pages: Iterable[Sequence[Word]]) -> Iterator[Line]:
    number = 0
    drawn = without_running_heads([list(pieces(words)) for words in pages])
    for page, columns in enumerate(in_reading_order(drawn)):
        for members in columns:
            rows = [_in_order(row) for row in _rows(members)]
            column = Column(page, number, _usual_start(rows), _usual_end(rows))
            number += 1
            yield from (_line(row, column) for row in rows)


def _rows(members: Iterable[Piece]) -> Iterator[list[Piece]]:
    """Pieces of a column that stand on the same line."""

    def ends(row: list[Piece], piece: Piece) -> bool:
        size = max(row[0].words[0].size, piece.words[0].size)
        return row[0].baseline - piece.baseline > SAME_LINE * size

    return runs(members, ends)


def _in_order(row: Iterable[Piece]) -> list[Word]:
    return [word for piece in sorted(row, key=lambda piece: piece.left) for word in piece.words]


def _line(words: Sequence[Word], column: Column) -> Line:
    styles: Counter[Style] = Counter()
    for word in words:
        styles[Style(word.size, word.font)] += len(word.text)
    style = max(styles, key=lambda style: styles[style])
    return Line(
        text=" ".join(word.text for word in words),
        style=style,
        left=words[0].left,
        right=words[-1].right,
        baseline=max(words, key=lambda word: word.size).baseline,
        has_gap=any(after.left - word.right > WIDE_GAP * style.size for word, after in pairwise(words)),
        column=column,
    )


def _usual_start(rows: Sequence[Sequence[Word]]) -> float:
    starts = Counter(round(row[0].left) for row in rows)
    return max(starts, key=lambda start: (starts[start], -start))


def _usual_end(rows: Sequence[Sequence[Word]]) -> float:
    """Where full lines end: nearly the rightmost, for a line or two may jut out."""
    ends = sorted(row[-1].right for row in rows)
    return ends[int(0.9 * (len(ends) - 1))]

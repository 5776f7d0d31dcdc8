"""Lines that belong together: a paragraph (or the part of one that stands in a column), a heading, a caption."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from futex.corpus.formats.pdf.hyphenation import Hyphenation
from futex.corpus.formats.pdf.lines import Line, Style
from futex.corpus.formats.pdf.pieces import runs

SAME_SIZE = 0.6
"""Points by which the fonts of a paragraph's lines may differ in height."""
MAX_LEADING = 1.35
"""Lines further apart than so many times the usual distance are of two paragraphs."""

_SENTENCE_END = re.compile(r"[.!?:][)\]”\"’']*(?: \d+(?:[,–-]\d+)*)?$")
_WORDLIKE = re.compile(r"[(\[“\"‘']?[^\W\d_]{2,}(?:[-’'/][^\W\d_]+)*[)\]”\"’'.,;:?!]*")


class Block(NamedTuple):
    lines: Sequence[Line]
    text: str

    @property
    def first(self) -> Line:
        return self.lines[0]

    @property
    def last(self) -> Line:
        return self.lines[-1]

    @property
    def page(self) -> int:
        return self.first.column.page

    @property
    def style(self) -> Style:
        return usual_style(self.lines)

    @property
    def is_tabular(self) -> bool:
        """Rows of cells, or formulas with their numbers."""
        return 2 * sum(line.has_gap for line in self.lines) >= len(self.lines)

    @property
    def is_prose(self) -> bool:
        """Sentences rather than the cells of a table, the labels in a figure or a formula."""
        words = self.text.split()
        wordlike = sum(_WORDLIKE.fullmatch(word) is not None for word in words)
        return not self.is_tabular and 2 * wordlike >= len(words)

    @property
    def ends_sentence(self) -> bool:
        return ends_sentence(self.text)


def ends_sentence(text: str) -> bool:
    return _SENTENCE_END.search(text[-40:]) is not None


def usual_style(lines: Iterable[Line]) -> Style:
    styles: Counter[Style] = Counter()
    for line in lines:
        styles[line.style] += len(line.text)
    return max(styles, key=lambda style: styles[style], default=Style(0.0, 0))


def blocks(lines: Sequence[Line], hyphenation: Hyphenation) -> list[Block]:
    leading = _usual_leading(lines)
    groups = runs(lines, lambda group, line: _starts_block(group[-1], line, leading))
    return [Block(group, hyphenation.joined(line.text for line in group)) for group in groups]


def _usual_leading(lines: Sequence[Line]) -> float:
    """The distance between two lines of running text, in heights of the font."""
    usual = usual_style(lines)
    distances: Counter[float] = Counter()
    for line, following in pairwise(lines):
        if line.style == following.style == usual and line.column == following.column:
            distances[round((line.baseline - following.baseline) / line.size, 1)] += 1
    return max(distances, key=lambda distance: distances[distance], default=1.2)


def _starts_block(line: Line, following: Line, leading: float) -> bool:
    ended = ends_sentence(line.text)
    return (
        line.column != following.column
        or abs(line.size - following.size) > SAME_SIZE
        or line.baseline - following.baseline > MAX_LEADING * leading * max(line.size, following.size)
        or (line.style.font != following.style.font and (line.is_short or ended))
        or (ended and (line.is_short or following.is_set_in))
    )

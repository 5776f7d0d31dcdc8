"""Small print at the foot of a column: footnotes, addresses of authors, copyright notices."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby, takewhile

from futex.corpus.formats.pdf.blocks import SAME_SIZE, Block
from futex.corpus.formats.pdf.captions import is_caption

_MARK = re.compile(r"[*†‡§¶]|\d{1,2}(?=[^\W\d_]{2})")


def footnotes(blocks: Sequence[Block], headings: Collection[int], text_size: float) -> Iterator[int]:
    """The places of blocks in small print that close a column of larger text, or a page below all its text."""
    lowest: dict[int, float] = {}
    for block in blocks:
        if block.style.size >= text_size - SAME_SIZE:
            lowest[block.page] = min(block.last.baseline, lowest.get(block.page, block.last.baseline))

    def is_small(place: int) -> bool:
        block = blocks[place]
        if place in headings or is_caption(block):
            return False
        return block.style.size < text_size - SAME_SIZE or _MARK.match(block.text) is not None

    for _, column in groupby(range(len(blocks)), lambda place: blocks[place].first.column.number):
        places = list(column)
        small = list(takewhile(is_small, reversed(places)))
        if len(small) < len(places):
            closes_text = places[-len(small) - 1] not in headings  # which would be a section in small print
        else:
            top = blocks[places[0]]
            closes_text = top.first.baseline < lowest.get(top.page, 0.0)
        if closes_text:
            yield from small

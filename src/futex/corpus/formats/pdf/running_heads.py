"""What is printed on the margin of many pages and belongs to none: running heads, footers and page numbers."""

import re
from collections import defaultdict
from collections.abc import Sequence

from futex.corpus.formats.pdf.pieces import Piece

MARGIN_ROWS = 3
"""Heads and footers take up to so many lines."""
SAME_PLACE = 3.0
"""Points by which the place of a running head may differ from page to page."""
FEW_PAGES = 8
"""Shorter papers may repeat a head only once (on every other page)."""

_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(r"(?:page\s)?[-–—\s]*(?:\d{1,5}|[ivxl]{1,7})[-–—\s]*(?:(?:of|/)\s?\d{1,5})?", re.IGNORECASE)


def without_running_heads(pages: Sequence[Sequence[Piece]]) -> list[list[Piece]]:
    needed = 2 if len(pages) <= FEW_PAGES else 3
    margins = [_margin(pieces) for pieces in pages]
    seen: dict[tuple[str, int], set[int]] = defaultdict(set)
    for page, margin in enumerate(margins):
        for piece in margin:
            places = seen[_wording(piece), round(piece.baseline / SAME_PLACE)]
            if len(places) < needed:
                places.add(page)

    def repeats(piece: Piece) -> bool:
        place = round(piece.baseline / SAME_PLACE)
        near = (seen.get((_wording(piece), place + shift), set()) for shift in (-1, 0, 1))
        return len(set().union(*near)) >= needed

    return [
        [piece for piece in pieces if id(piece) not in heads]
        for pieces, margin in zip(pages, margins, strict=True)
        for heads in [{id(piece) for piece in margin if _PAGE_NUMBER.fullmatch(piece.text) or repeats(piece)}]
    ]


def _margin(pieces: Sequence[Piece]) -> list[Piece]:
    """The first and the last rows of a page."""
    rows = sorted({round(piece.baseline) for piece in pieces})
    if len(rows) <= MARGIN_ROWS:
        return list(pieces)
    bottom, top = rows[MARGIN_ROWS - 1], rows[-MARGIN_ROWS]
    return [piece for piece in pieces if not bottom < round(piece.baseline) < top]


def _wording(piece: Piece) -> str:
    return _DIGITS.sub("#", piece.text).lower()

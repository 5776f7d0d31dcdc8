"""What is printed on the margin of many pages and belongs to none: running heads, footers and page numbers."""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import chain

from futex.corpus.formats.pdf.pieces import Piece, runs

MARGIN_ROWS = 3
"""Heads and footers take up to so many lines."""
SAME_PLACE = 3.0
"""Points by which the place of a running head may differ from page to page."""
SAME_HEIGHT = 1.0
"""Points by which the pieces of a line may differ in height."""
FEW_PAGES = 8
"""Shorter papers may repeat a head only once (on every other page)."""

_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(r"(?:page\s)?[-–—\s]*(?:\d{1,5}|[ivxl]{1,7})[-–—\s]*(?:(?:of|/)\s?\d{1,5})?", re.IGNORECASE)


def without_running_heads(pages: Sequence[Sequence[Piece]]) -> list[list[Piece]]:
    """Pages without the lines at their top and bottom of which every piece is on other pages at the same place, too."""
    needed = 2 if len(pages) <= FEW_PAGES else 3
    margins = [_margin_rows(pieces) for pieces in pages]
    seen: dict[tuple[str, int], set[int]] = defaultdict(set)
    for page, rows in enumerate(margins):
        for piece in chain.from_iterable(rows):
            places = seen[_wording(piece), round(piece.baseline / SAME_PLACE)]
            if len(places) < needed:
                places.add(page)

    def is_head(piece: Piece) -> bool:
        place = round(piece.baseline / SAME_PLACE)
        near = (seen.get((_wording(piece), place + shift), set()) for shift in (-1, 0, 1))
        return _PAGE_NUMBER.fullmatch(piece.text) is not None or len(set().union(*near)) >= needed

    heads = {id(piece) for rows in margins for row in rows if all(map(is_head, row)) for piece in row}
    return [[piece for piece in pieces if id(piece) not in heads] for pieces in pages]


def _margin_rows(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """The first and the last lines of a page, over all its columns."""
    upwards = sorted(pieces, key=lambda piece: piece.baseline)
    rows = list(runs(upwards, lambda row, piece: piece.baseline - row[-1].baseline > SAME_HEIGHT))
    return rows if len(rows) <= 2 * MARGIN_ROWS else [*rows[:MARGIN_ROWS], *rows[-MARGIN_ROWS:]]


def _wording(piece: Piece) -> str:
    return _DIGITS.sub("#", piece.text).lower()

"""The order in which the columns of a page are read.

A gutter is an edge at which many lines start and left of which others have ended. What crosses it (a title, a wide
figure's caption) cuts the page into bands; in each band the left column is read before the right one, and columns may
have columns themselves.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from futex.corpus.formats.pdf.pieces import Piece

ALIGNED_WITHIN = 2.0
"""Points by which the start of lines in a column may differ."""
MIN_ALIGNED = 6
"""Pieces that start at the same place; fewer are words which happen to stand below each other."""
CLOSE_BELOW = 1.5
"""Distance of lines in a paragraph, in heights of the font."""
MAX_NESTED = 4

Pieces = list[Piece]


class _Evidence(NamedTuple):
    """What an edge must show to be taken for a gutter."""

    min_share: float
    """Part of the letters on the side that has fewer."""
    max_crossing: float
    """Part of the letters in pieces that cross it."""
    min_width: float
    """Of a piece that counts, in heights of the font."""


_COLUMNS_OF_TEXT = _Evidence(min_share=0.05, max_crossing=1.0, min_width=8.0)  # narrower ones are those of a table
_NOTES_IN_MARGIN = _Evidence(min_share=0.02, max_crossing=0.05, min_width=3.5)  # narrower ones are numbers of a list
_AS_ON_OTHER_PAGES = _Evidence(min_share=0.0, max_crossing=1.0, min_width=0.0)  # the last column has only begun


def in_reading_order(pages: Sequence[Sequence[Piece]]) -> list[list[Pieces]]:
    """The columns of each page, each from top to bottom."""
    found = [_gutter(pieces) for pieces in pages]
    known = sorted({edge for edge in found if edge is not None})
    return [
        _ordered(pieces, edge if edge is not None else _known_gutter(pieces, known), MAX_NESTED)
        for pieces, edge in zip(pages, found, strict=True)
    ]


def _known_gutter(pieces: Sequence[Piece], known: Sequence[float]) -> float | None:
    return _best(pieces, _starts(pieces, known, at_least=1), _AS_ON_OTHER_PAGES)


def _ordered(pieces: Sequence[Piece], edge: float | None, nested: int) -> list[Pieces]:
    if edge is None or not nested:
        return [sorted(pieces, key=_from_top)] if pieces else []
    ordered: list[Pieces] = []
    flow: Pieces = []  # what runs over the whole width, with the short lines in between
    for crossing, left, right in _bands(pieces, edge):
        flow += crossing
        if _stand_side_by_side(left, right):
            closing, left = _last_lines(crossing, left, right)
            flow += closing
            ordered += [flow] if flow else []
            flow = []
            for side in (left, right):
                ordered += _ordered(side, _gutter(side), nested - 1)
        else:
            flow += sorted([*left, *right], key=_from_top)
    return [*ordered, *([flow] if flow else [])]


def _last_lines(crossing: Pieces, left: Pieces, right: Pieces) -> tuple[Pieces, Pieces]:
    """The short last line of a wide paragraph, which does not reach the gutter, and the rest of the left side.

    It stands close below the wide lines and above all of the right side.
    """
    if not crossing:
        return [], left
    above = crossing[-1]
    reach = max(max(map(_height, right)) + ALIGNED_WITHIN, above.baseline - CLOSE_BELOW * above.words[0].size)
    return [piece for piece in left if piece.baseline > reach], [piece for piece in left if piece.baseline <= reach]


def _stand_side_by_side(left: Pieces, right: Pieces) -> bool:
    if not left or not right:
        return False
    return _top(left) >= min(map(_height, right)) and _top(right) >= min(map(_height, left))


def _top(column: Pieces) -> float:
    return max(piece.baseline + piece.words[0].size for piece in column)


def _height(piece: Piece) -> float:
    return piece.baseline


def _gutter(pieces: Sequence[Piece]) -> float | None:
    aligned = _starts(pieces, [piece.left for piece in pieces], MIN_ALIGNED)
    edge = _best(pieces, aligned, _COLUMNS_OF_TEXT)
    return edge if edge is not None else _best(pieces, aligned, _NOTES_IN_MARGIN)


def _starts(pieces: Sequence[Piece], edges: Sequence[float], at_least: int) -> list[float]:
    """The edges at which so many pieces start."""
    starts = sorted(piece.left for piece in pieces)

    def count(edge: float) -> int:
        return bisect_right(starts, edge + ALIGNED_WITHIN) - bisect_left(starts, edge - ALIGNED_WITHIN)

    return [edge for edge in edges if count(edge) >= at_least]


def _best(pieces: Sequence[Piece], edges: Sequence[float], evidence: _Evidence) -> float | None:
    """The edge that has most text on the side that has less of it, if that is enough."""
    wide = [piece for piece in pieces if piece.right - piece.left >= evidence.min_width * piece.words[0].size]
    by_end, by_start = sorted(wide, key=lambda piece: piece.right), sorted(wide, key=lambda piece: piece.left)
    ends, starts = [piece.right for piece in by_end], [piece.left for piece in by_start]
    ended = [0, *accumulate(piece.weight for piece in by_end)]
    begun = [0, *accumulate(piece.weight for piece in by_start)]

    def sides(edge: float) -> tuple[int, int]:
        return ended[bisect_right(ends, edge)], begun[-1] - begun[bisect_left(starts, edge - ALIGNED_WITHIN)]

    best = max(edges, key=lambda edge: min(sides(edge)), default=None)
    if best is None:
        return None
    total, (left, right) = begun[-1], sides(best)
    enough = min(left, right) > evidence.min_share * total
    return best if enough and total - left - right <= evidence.max_crossing * total else None


def _bands(pieces: Sequence[Piece], edge: float) -> Iterator[tuple[Pieces, Pieces, Pieces]]:
    """From top to bottom: a piece that crosses the edge, and what stands left and right of the edge below it."""
    left = [piece for piece in pieces if piece.right <= edge]
    right = [piece for piece in pieces if piece.right > edge and piece.left >= edge - ALIGNED_WITHIN]
    crossing = sorted(
        (piece for piece in pieces if piece.right > edge and piece.left < edge - ALIGNED_WITHIN), key=_from_top
    )
    depths = [_from_top(piece) for piece in crossing]
    bands: list[tuple[Pieces, Pieces, Pieces]] = [([], [], []), *(([piece], [], []) for piece in crossing)]
    for side, members in ((1, left), (2, right)):
        for piece in members:
            bands[bisect_right(depths, _from_top(piece))][side].append(piece)
    yield from bands


def _from_top(piece: Piece) -> tuple[float, float]:
    return -piece.baseline, piece.left

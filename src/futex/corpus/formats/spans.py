"""Stand-off spans of a text: start and end in characters, which may be broken or made to harm.

Only spans that lie inside the text and after one another are used, so that no text is taken twice.

>>> ends = [(4, 7), (0, 3), (2, 99), (5, 6)]
>>> [(span.start, span.end) for span in in_order([{"start": start, "end": end} for start, end in ends], length=8)]
[(0, 3), (4, 7)]
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple


class Span(NamedTuple):
    start: int
    end: int
    record: Mapping[str, Any]


def in_order(records: Iterable[Mapping[str, Any]], length: int) -> list[Span]:
    """The usable spans among the records by start; of those that overlap, the first and longest."""
    spans = [
        Span(start, end, record)
        for record in records
        if isinstance(start := record.get("start"), int)
        and isinstance(end := record.get("end"), int)
        and 0 <= start < end <= length
    ]
    spans.sort(key=lambda span: (span.start, -span.end))
    return list(_without_overlaps(spans))


def _without_overlaps(spans: Iterable[Span]) -> Iterator[Span]:
    reached = 0
    for span in spans:
        if span.start >= reached:
            reached = span.end
            yield span


def inside(outer: list[Span], inner: list[Span]) -> list[list[Span]]:
    """For each of the outer spans, the inner ones that lie in it; both as `in_order` gives them."""
    found: list[list[Span]] = [[] for _ in outer]
    index = 0
    for span in inner:
        while index < len(outer) and outer[index].end < span.end:
            index += 1
        if index < len(outer) and outer[index].start <= span.start:
            found[index].append(span)
    return found


def replaced(text: str, spans: Iterable[Span], replacement: Callable[[Span], str]) -> str:
    """The text with other words in the place of the spans."""
    parts, reached = [], 0
    for span in spans:
        parts += [text[reached : span.start], replacement(span)]
        reached = span.end
    return "".join([*parts, text[reached:]])

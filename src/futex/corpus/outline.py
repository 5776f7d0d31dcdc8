"""Formats without nested sections give a flat list of headings; their levels rebuild the tree.

>>> outline = Outline()
>>> outline.heading(1, "Methods")
>>> outline.heading(2, "Cells")
>>> outline.paragraph("We grew HeLa cells in the usual medium for two days.")
>>> [methods] = outline.body().children
>>> methods.heading, [child.heading for child in methods.children]
('Methods', ['Cells'])
"""

from dataclasses import dataclass, field

from futex.corpus.paper import MAX_DEPTH, Unit, section


@dataclass(slots=True)
class _Open:
    """A section that may still grow."""

    level: int
    title: str
    paragraphs: list[str] = field(default_factory=list)
    sections: list[Unit] = field(default_factory=list)


class Outline:
    """Collects headings and paragraphs in reading order; a heading is below the last one of a smaller level.

    Levels count from 1 and may have gaps. Paragraphs before the first heading belong to the body itself.
    """

    def __init__(self) -> None:
        self._open = [_Open(0, "")]

    def heading(self, level: int, title: str) -> None:
        level = min(max(level, 1), MAX_DEPTH)
        self._close(level)
        self._open.append(_Open(level, title))

    def paragraph(self, text: str) -> None:
        self._open[-1].paragraphs.append(text)

    def body(self) -> Unit:
        """The tree of all that was collected; short paragraphs and empty sections are dropped."""
        self._close(1)
        body = self._open[0]
        return section("", body.paragraphs, body.sections)

    def _close(self, level: int) -> None:
        while self._open[-1].level >= level:
            closed = self._open.pop()
            self._open[-1].sections.append(section(closed.title, closed.paragraphs, closed.sections))

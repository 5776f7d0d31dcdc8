"""Headings and paragraphs as authors write them, sorted into the abstract, the body, and what is no part of either.

>>> manuscript = Manuscript()
>>> for heading in ("Abstract", "Methods", "Acknowledgements"):
...     manuscript.heading(1, heading)
...     manuscript.paragraph(f"These are the words that stand below the heading {heading}.")
>>> manuscript.abstract
'These are the words that stand below the heading Abstract.'
>>> [section.heading for section in manuscript.body().children]
['Methods']
"""

import re

from futex.corpus.outline import Outline
from futex.corpus.paper import Unit, squeeze

_ABSTRACT = re.compile(r"abstract\W*", re.IGNORECASE)
_NO_TEXT = re.compile(
    r"(?:acknowledge?ments?|funding|(?:competing|conflicts? of|declaration of(?: competing)?) interests?"
    r"|authors?['’]? contributions?|references(?: cited)?|bibliography|literature cited|works cited)\W*",
    re.IGNORECASE,
)


class Manuscript:
    """Collects a paper in reading order; subsections share the fate of the section they are in."""

    def __init__(self) -> None:
        self._outline = Outline()
        self._abstract: list[str] = []
        self._apart: int | None = None
        """The level of the section we are in, if that is no part of the body."""
        self._in_abstract = False

    def heading(self, level: int, title: str) -> None:
        if self._apart is not None and level > self._apart:
            return
        self._in_abstract = _ABSTRACT.fullmatch(title) is not None and not self._abstract
        self._apart = level if self._in_abstract or is_no_text(title) else None
        if self._apart is None:
            self._outline.heading(level, title)

    def paragraph(self, text: str) -> None:
        if self._in_abstract:
            self._abstract.append(text)
        elif self._apart is None:
            self._outline.paragraph(text)

    @property
    def abstract(self) -> str:
        return squeeze(" ".join(self._abstract))

    def body(self) -> Unit:
        return self._outline.body()


def is_no_text(heading: str) -> bool:
    """Whether this heads acknowledgements, a declaration or the list of references."""
    return _NO_TEXT.fullmatch(heading.strip()) is not None

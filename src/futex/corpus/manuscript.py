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

from futex.corpus.numbering import NumberedOutline
from futex.corpus.paper import Unit, squeeze

_ABSTRACT = re.compile(r"abstract\W*", re.IGNORECASE)


class Manuscript:
    """Collects a paper in reading order. Headings below that of the abstract are parts of it.

    `top_level` is that of the main sections, however the format counts.
    """

    def __init__(self, top_level: int = 1) -> None:
        self._above_top = top_level - 1
        self._outline = NumberedOutline()
        self._abstract: list[str] = []
        self._abstract_level: int | None = None

    def heading(self, level: int, title: str) -> None:
        if self._abstract_level is not None and level > self._abstract_level:
            return
        begins = _ABSTRACT.fullmatch(title) is not None and not self._abstract
        self._abstract_level = level if begins else None
        if not begins:
            self._outline.numbered("", title, max(level - self._above_top, 1))

    def paragraph(self, text: str) -> None:
        if self._abstract_level is not None:
            self._abstract.append(text)
        else:
            self._outline.paragraph(text)

    @property
    def abstract(self) -> str:
        return squeeze(" ".join(self._abstract))

    def body(self) -> Unit:
        return self._outline.body()

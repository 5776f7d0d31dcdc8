r"""The numbers that LaTeX gives to sections, figures, equations and theorems, and prints where a \ref stands.

>>> numbering = Numbering()
>>> for level in (3, 4, 4):
...     numbering.heading(level)
>>> numbering.label("sec:methods")
>>> numbering.step("figure", "Figure")
>>> numbering.label("fig:cells")
>>> numbering.labels
{'sec:methods': Number(kind='Section', text='1.2'), 'fig:cells': Number(kind='Figure', text='1')}
"""

from collections import Counter
from typing import NamedTuple

from futex.corpus.formats.latex.commands import HEADINGS

MAX_KIND = 50
"""Characters of the name of a theorem, which is printed wherever it is referred to."""

_CHAPTER, _SECTION, _DEEPEST = (HEADINGS.index(name) + 1 for name in ("chapter", "section", "subsubsection"))


class Number(NamedTuple):
    kind: str
    text: str


UNKNOWN = Number("", "")


class Numbering:
    def __init__(self) -> None:
        self.labels: dict[str, Number] = {}
        self.current = UNKNOWN
        """What a \\label here would name."""
        self._headings = dict.fromkeys(range(_CHAPTER, _DEEPEST + 1), 0)
        self._appendix_level = 0
        self._counts: Counter[tuple[str, str]] = Counter()
        self._within_sections: set[str] = set()

    def label(self, key: str) -> None:
        self.labels.setdefault(key, self.current)

    def heading(self, level: int) -> None:
        if level in self._headings:
            self._headings[level] += 1
            self._headings.update(dict.fromkeys(range(level + 1, _DEEPEST + 1), 0))
            kind = "Chapter" if level == _CHAPTER else "Appendix" if level == self._appendix_level else "Section"
            self.current = Number(kind, self._section_number(level))

    def appendix(self) -> None:
        """The outermost headings begin anew with letters."""
        self._appendix_level = _CHAPTER if self._headings[_CHAPTER] else _SECTION
        self._headings.update(dict.fromkeys(range(self._appendix_level, _DEEPEST + 1), 0))

    def number_within_sections(self, counter: str) -> None:
        self._within_sections.add(counter)

    def step(self, counter: str, kind: str, by: int = 1) -> None:
        within = f"{self._section_number(_SECTION)}." if counter in self._within_sections else ""
        self._counts[counter, within] += by
        self.current = Number(kind[:MAX_KIND], f"{within}{self._counts[counter, within]}")

    def _section_number(self, deepest: int) -> str:
        numbers = [(level, count) for level, count in self._headings.items() if level <= deepest]
        outermost = numbers[0][1] == 0  # no chapters
        return ".".join(
            _letter(count) if level == self._appendix_level else str(count) for level, count in numbers[outermost:]
        )


def _letter(count: int) -> str:
    return chr(ord("A") + count - 1) if 0 < count <= 26 else str(count)

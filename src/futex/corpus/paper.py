"""A paper and its in-paper hierarchy (§2.1, Definition 2).

>>> methods = section("Methods", sections=[section("Cells", ["We grew HeLa cells in the usual medium for two days."])])
>>> paper = Paper(id="d1", title="On cells", abstract="We study cells.", body=section("", sections=[methods]))
>>> [(place.path, place.text[:12]) for place in paper.paragraphs()]
[(('Methods', 'Cells'), 'We grew HeLa')]
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from futex.errors import InputError

MIN_WORDS = 10
"""Paragraphs with fewer words are dropped (§4.1)."""

MAX_DEPTH = 64
"""Deeper section trees are not papers but attacks on the stack."""

MAX_UNITS = 1_000_000
"""Sections and paragraphs of a paper; a book has some ten thousand."""

_SPACE = re.compile(r"\s")
_STRETCH = 2**20


@dataclass(frozen=True, slots=True)
class Unit:
    """A text unit x of the tree T_d: a paragraph (a leaf, with text) or a section (with children).

    >>> methods = Unit("Methods", children=(Unit(text="We grew cells."), Unit(text="We counted them.")))
    >>> [leaf.text for leaf in Unit(children=(methods,)).leaves()]
    ['We grew cells.', 'We counted them.']
    """

    heading: str = ""
    text: str = ""
    children: tuple["Unit", ...] = ()

    def __post_init__(self) -> None:
        if self.text and self.children:
            raise InputError("a unit of a paper has text or children, not both: make the text a child of its own")

    def leaves(self) -> Iterator["Unit"]:
        """The paragraphs below this unit, in reading order."""
        if self.text:
            yield self
        for child in self.children:
            yield from child.leaves()


class Place(NamedTuple):
    """A paragraph and the headings above it, outermost first."""

    path: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper d. It carries no gold labels, so no stage that takes papers can see one.

    `references` are normalised keys (see `corpus.references`); `metadata` may hold `authors`, `venue`, `year`,
    `aliases` (other keys under which this paper is cited) and `reference_aliases` (other keys of works it cites).
    """

    id: str
    title: str = ""
    abstract: str = ""
    body: Unit = Unit()
    references: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def title_and_abstract(self) -> str:
        """a_d of Eq. (4); a paper without abstract lends its first paragraph."""
        abstract = self.abstract or next((leaf.text for leaf in self.body.leaves()), "")
        return f"{self.title} {abstract}".strip()

    @property
    def tree(self) -> Unit:
        """T_d with the abstract in it: the root's children are (title+abstract, body), so each weighs one half."""
        halves = []
        if self.title_and_abstract:
            halves.append(Unit(text=self.title_and_abstract))
        if (body := _without_empty(self.body)).children:
            halves.append(body)
        return Unit(children=tuple(halves))

    @property
    def is_empty(self) -> bool:
        """Neither abstract nor body: nothing to read."""
        return not self.abstract and not self.body.children

    def paragraphs(self) -> Iterator[Place]:
        """The paragraphs P_d of the body with the path of headings that leads to each."""
        return _walk(self.body, ())

    def full_text(self) -> str:
        """Title, abstract and all paragraphs, one a line."""
        return "\n".join([self.title, self.abstract, *(leaf.text for leaf in self.body.leaves())])


def _without_empty(unit: Unit) -> Unit:
    """Sections without any paragraph have no vector."""
    children = tuple(child for child in map(_without_empty, unit.children) if child.text or child.children)
    return unit if children == unit.children else replace(unit, children=children)


def _walk(unit: Unit, path: tuple[str, ...]) -> Iterator[Place]:
    if unit.text:
        yield Place(path, unit.text)
    for child in unit.children:
        yield from _walk(child, (*path, child.heading) if child.heading else path)


def section(heading: str, paragraphs: Iterable[str] = (), sections: Iterable[Unit] = ()) -> Unit:
    """A section as every reader builds it: short paragraphs and empty subsections dropped, paragraphs first.

    >>> methods = section("Methods", ["Forty mice were observed for a year, day and night."])
    >>> paper = Paper("d1", "On mice", body=section("", sections=[methods]))
    >>> [place.path for place in paper.paragraphs()]
    [('Methods',)]
    """
    leaves = tuple(Unit(text=text) for text in map(squeeze, paragraphs) if _has_enough_words(text))
    return Unit(heading=squeeze(heading), children=leaves + tuple(sub for sub in sections if sub.children))


def known(**metadata: Any) -> dict[str, Any]:
    """What a file tells of a paper, without what it does not."""
    return {key: value for key, value in metadata.items() if value}


def units_below(unit: Unit) -> int:
    """How many sections and paragraphs there are."""
    return sum(1 + units_below(child) for child in unit.children)


def _has_enough_words(squeezed: str) -> bool:
    return squeezed.count(" ") >= MIN_WORDS - 1


def squeeze(text: str) -> str:
    """Runs of white space (line breaks of a source file) become one space."""
    if "  " not in text and text.isprintable():  # there is none, as of all white space only the space is printable
        return text.strip()
    if len(text) <= _STRETCH:
        return " ".join(text.split())
    # a word takes fifty bytes of memory: millions of them are not looked at all at once
    return " ".join(filter(None, (" ".join(stretch.split()) for stretch in _stretches(text))))


def distinct(texts: Iterable[str | None], without: Collection[str] = ()) -> list[str]:
    """The texts that are not empty, each once, in their order.

    >>> distinct(["b", None, "a", "", "b", "c"], without=["c"])
    ['b', 'a']
    """
    return [text for text in dict.fromkeys(texts) if text and text not in without]


def _stretches(text: str) -> Iterator[str]:
    """A long text in parts that begin at white space."""
    start = 0
    while start < len(text):
        space = _SPACE.search(text, start + _STRETCH)
        end = space.start() if space else len(text)
        yield text[start:end]
        start = end

"""The retrieval stage (§3.1): a label is a candidate of a paper if any of its names appears there.

>>> from futex.labels.label import Label
>>> labels = LabelSpace([Label("D1", "Mice", synonyms=("mouse",)), Label("D2", "Stem Cells"), Label("D3", "cells")])
>>> paper = Paper(id="d1", title="Stem cells of the mouse")
>>> retrieve([paper], Matcher(labels))
{'d1': ('D2', 'D3', 'D1')}
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import Literal, NamedTuple, Protocol

from ahocorasick_rs import AhoCorasick, MatchKind

from futex.corpus.paper import Paper
from futex.labels.label import LabelSpace
from futex.labels.names import Words, variants
from futex.processes import on_all_cores

Within = Literal["abstract", "full"]
"""Where names are looked for: title and abstract, which "yields better classification performance" (§4.1), or all."""


PAPERS_AT_ONCE = 32

_START = itemgetter(1)


class Hit(NamedTuple):
    """A name of a label in a text, as it is written there: `name == text[start:end]`."""

    label: str
    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Mention:
    """A name of a label in a paper, as it is written there.

    `where` is ("title",), ("abstract",) or the path of headings above the paragraph; `start` and `end` count the
    characters of that title, abstract or paragraph.
    """

    name: str
    where: tuple[str, ...]
    start: int
    end: int
    paragraph: int | None = None
    """Position in `Paper.paragraphs()`; None in title and abstract."""


class Finder(Protocol):
    """Finds names of labels in a text."""

    def find(self, text: str) -> list[Hit]: ...

    def named(self, text: str) -> Iterable[str]:
        """The labels that `find` would find, each once, in the order of the text."""


class Matcher:
    """Finds the names of all labels in a text in one pass (Aho–Corasick), in time linear in the text.

    Names match as whole words in normal form (see `labels.names`), also inside longer names; labels that share a name
    all match.
    """

    def __init__(self, labels: LabelSpace) -> None:
        owners: dict[str, dict[int, None]] = {}
        for position, label in enumerate(labels.values()):
            for name in label.names:
                for form in variants(name):
                    owners.setdefault(form, {})[position] = None
        self._labels = labels
        self._ids = labels.ids
        self._owners = [tuple(own) for own in owners.values()]
        self._first_owners = [self._ids[own[0]] for own in self._owners]
        self._shared = {form for form, own in enumerate(self._owners) if len(own) > 1}
        # The spaces around a form keep it to whole words; neighbours may share one, since matches may overlap.
        self._automaton = AhoCorasick([f" {form} " for form in owners], matchkind=MatchKind.Standard)

    def __reduce__(self) -> tuple[type["Matcher"], tuple[LabelSpace]]:
        """Another process builds the automaton anew."""
        return Matcher, (self._labels,)

    def find(self, text: str) -> list[Hit]:
        """Every name in the text, in order of its start, the longer first, then in the order of the labels."""
        found = Words(text)
        matches = self._matches(found)
        spans = found.spans([(start, end - 2) for _, start, end in matches])
        # A set, because two names of a label may stand in one word: "½" holds both "1" and "2".
        hits = {
            (start, -end, owner)
            for (form, _, _), (start, end) in zip(matches, spans, strict=True)
            for owner in self._owners[form]
        }
        return [Hit(self._ids[owner], text[start:-end], start, -end) for start, end, owner in sorted(hits)]

    def named(self, text: str) -> Iterable[str]:
        """Without the places, which take as long to tell as the names to find."""
        matches = self._matches(Words(text))
        matches.reverse()  # they come in the order of their ends; of those that start together, the longer is first now
        matches.sort(key=_START)
        forms = [form for form, _, _ in matches]
        if self._shared.isdisjoint(forms):  # as mostly: fewer objects to fetch from memory
            return dict.fromkeys([self._first_owners[form] for form in forms])
        return dict.fromkeys([self._ids[owner] for form in forms for owner in self._owners[form]])

    def _matches(self, found: Words) -> list[tuple[int, int, int]]:
        """Forms, and from where to where each stands in `found.normal`; the end counts the two spaces around it."""
        matches: list[tuple[int, int, int]] = self._automaton.find_matches_as_indexes(
            f" {found.normal} ", overlapping=True
        )
        return matches


def mentions(paper: Paper, matcher: Finder, within: Within = "abstract") -> dict[str, tuple[Mention, ...]]:
    """C(d) with its reasons: the candidate labels of a paper in order of first mention, and their mentions.

    A paper without an abstract is searched in full, so that it gets candidates all the same.
    """
    found: dict[str, list[Mention]] = {}
    for where, paragraph, text in passages(paper, within):
        for label, name, start, end in matcher.find(text):
            found.setdefault(label, []).append(Mention(name, where, start, end, paragraph))
    return {label: tuple(places) for label, places in found.items()}


def retrieve(papers: Iterable[Paper], matcher: Finder, within: Within = "abstract") -> dict[str, tuple[str, ...]]:
    """C(d) of every paper, by paper id, as `mentions` has it."""
    return dict(on_all_cores(partial(_retrieve_some, matcher=matcher, within=within), papers, batch=PAPERS_AT_ONCE))


def _retrieve_some(papers: list[Paper], matcher: Finder, within: Within) -> list[tuple[str, tuple[str, ...]]]:
    return [(paper.id, tuple(_named(paper, matcher, within))) for paper in papers]


def _named(paper: Paper, matcher: Finder, within: Within) -> dict[str, None]:
    return dict.fromkeys(label for _, _, text in passages(paper, within) for label in matcher.named(text))


class Passage(NamedTuple):
    """A title, an abstract or a paragraph, and where it stands, as in `Mention`."""

    where: tuple[str, ...]
    paragraph: int | None
    text: str


def passages(paper: Paper, within: Within) -> Iterator[Passage]:
    """Where names are looked for, in reading order."""
    yield Passage(("title",), None, paper.title)
    yield Passage(("abstract",), None, paper.abstract)
    if within == "full" or not paper.abstract:
        for number, place in enumerate(paper.paragraphs()):
            yield Passage(place.path, number, place.text)

"""Names as a reader sees them.

>>> from futex.labels.label import Label
>>> labels = LabelSpace([Label("1", "stem cell"), Label("2", "cell"), Label("3", "AS", ("Angelman syndrome",))])
>>> [(hit.label, hit.name) for hit in LongestMatcher(labels).find("Stem cells, as cells go, in AS")]
[('1', 'Stem cells'), ('2', 'cells'), ('3', 'AS')]
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick, MatchKind

from futex.candidates import Hit
from futex.labels.label import LabelSpace
from futex.labels.names import Words, variants
from futex.labels.routine import signs
from futex.naming.plurals import singulars

LONGEST_ACRONYM = 6


class Found(NamedTuple):
    """A form in a text: its first word and the one behind its last, counted from 0."""

    start: int
    end: int
    form: int


class Owner(NamedTuple):
    """The names of a label that are the same in the singular, and their forms."""

    names: set[str]
    forms: set[str]


class LongestMatcher:
    """Finds names in singular or plural; where names overlap only the longest; acronyms only in their own spelling.

    Where labels differ only in number (Ubiquitin, Ubiquitins), it is the one as written.
    """

    def __init__(self, labels: LabelSpace) -> None:
        owners: dict[str, dict[int, Owner]] = {}
        for position, label in enumerate(labels.values()):
            for name in (*label.names, *signs(label)):
                for form in variants(name):
                    owner = owners.setdefault(singulars(form), {}).setdefault(position, Owner(set(), set()))
                    owner.names.add(name)
                    owner.forms.add(form)
        self.labels = labels
        self._ids = labels.ids
        self._owners = list(owners.values())
        self._lengths = [form.count(" ") + 1 for form in owners]
        self._automaton = AhoCorasick([f" {form} " for form in owners], matchkind=MatchKind.Standard)

    def __reduce__(self) -> tuple[type["LongestMatcher"], tuple[LabelSpace]]:
        """Another process builds the automaton anew."""
        return LongestMatcher, (self.labels,)

    def find(self, text: str) -> list[Hit]:
        """In order of their start, then of the labels."""
        read = Words(text)
        found = _longest(self._occurrences(singulars(read.normal)))
        starts = _starts(read.normal) if found else []
        spans = read.spans([(starts[start], starts[end] - 1) for start, end, _ in found])
        hits: dict[tuple[int, int, int], Hit] = {}
        for (first, last, form), (start, end) in zip(found, spans, strict=True):
            written = read.normal[starts[first] : starts[last] - 1]
            for owner in self._meant(form, written, text[start:end]):
                hits[start, end, owner] = Hit(self._ids[owner], text[start:end], start, end)
        return [hits[key] for key in sorted(hits)]

    def named(self, text: str) -> Iterable[str]:
        return dict.fromkeys(hit.label for hit in self.find(text))

    def _meant(self, form: int, written: str, spelled: str) -> list[int]:
        """The labels that a text means which has this form in these words."""
        owners = self._owners[form]
        as_written = [position for position, owner in owners.items() if written in owner.forms] or owners
        return [
            position for position in as_written if any(is_spelled_as(name, spelled) for name in owners[position].names)
        ]

    def _occurrences(self, plain: str) -> Iterator[Found]:
        matches = self._automaton.find_matches_as_indexes(f" {plain} ", overlapping=True)
        starts = _starts(plain) if matches else []
        for form, start, _ in matches:
            first = bisect_right(starts, start) - 1
            yield Found(first, first + self._lengths[form], form)


def _starts(normal: str) -> list[int]:
    """Where each word begins, and where one more would."""
    return list(accumulate((len(word) + 1 for word in normal.split(" ")), initial=0))


def _longest(occurrences: Iterable[Found]) -> list[Found]:
    """Without those that lie within a longer one."""
    kept: list[Found] = []
    for found in sorted(occurrences, key=lambda found: (found.start, -found.end)):
        within = kept and found.end <= kept[-1].end and found[:2] != kept[-1][:2]
        if not within:
            kept.append(found)
    return kept


def is_spelled_as(name: str, written: str) -> bool:
    """A short name with two capitals is an acronym, which another word may look like if case does not count.

    >>> is_spelled_as("AS", "as"), is_spelled_as("GPCRs", "GPCR"), is_spelled_as("TNF-α", "TNFalpha")
    (False, True, True)
    """
    if len(name) > LONGEST_ACRONYM or len(_capitals(name)) < 2:
        return True
    return _capitals(name) == _capitals(written)


def _capitals(text: str) -> str:
    return "".join(filter(str.isupper, text))

"""What a paper abbreviates it writes short from then on: "epidermal growth factor (EGF)" … "EGF".

>>> title, text = Passage(("title",), None, "EGF in mice"), Passage((), 0, "The epidermal growth factor (EGF) binds.")
>>> found = {"E": (Mention("epidermal growth factor", (), 4, 27, paragraph=0),)}
>>> [mention.where for mention in with_abbreviations(found, [title, text])["E"]]
[(), ('title',), ()]
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from futex.candidates import Mention, Passage

_IN_BRACKETS = re.compile(r"\s?\(([A-Z][\w-]{0,8}\w|[a-z][\w-]{0,8}[A-Z][\w-]{0,4}|[A-Z]\.\s[a-z]{2,20})[);,]")
"""Such as (EGF), (mRNA; …) or (C. elegans)."""

_ENDS = re.compile(r"s?(?!\w)")
"""A short form, or its plural."""

Mentions = Mapping[str, tuple[Mention, ...]]


def with_abbreviations(found: Mentions, passages: Sequence[Passage]) -> Mentions:
    """The mentions of each label, and besides those by the short forms that the paper introduces for it."""
    meanings = _introduced(found, passages)
    if not meanings:
        return found
    known = {(label, *place.where, place.paragraph, place.start) for label in found for place in found[label]}
    more: dict[str, list[Mention]] = {label: list(places) for label, places in found.items()}
    shorts = _Shorts.of(meanings)
    for where, paragraph, text in passages:
        for short, start, end in shorts.standing_in(text):
            for label in meanings[short]:
                if (label, *where, paragraph, start) not in known:
                    more[label].append(Mention(text[start:end], where, start, end, paragraph))
    return {label: tuple(places) for label, places in more.items()}


def _introduced(found: Mentions, passages: Iterable[Passage]) -> dict[str, set[str]]:
    """The short forms that stand in brackets behind a name of a label, and those labels."""
    texts = {(where, paragraph): text for where, paragraph, text in passages}
    meanings: dict[str, set[str]] = {}
    for label, places in found.items():
        for place in places:
            short = _IN_BRACKETS.match(texts[place.where, place.paragraph], place.end)
            if short and stands_for(short[1], place.name):
                meanings.setdefault(short[1], set()).add(label)
    return meanings


def stands_for(short: str, name: str) -> bool:
    """Whether the letters of the short form stand in the name in this order, from its first letter on.

    >>> stands_for("NF-kB", "nuclear factor kappa B"), stands_for("EGFP", "epidermal growth factor")
    (True, False)
    """
    rest = iter(name.lower())
    letters = [letter for letter in short.lower() if letter.isalnum()]
    return len(short) < len(name) and letters[0] == name[0].lower() and all(letter in rest for letter in letters)


class _Shorts(NamedTuple):
    """Finds short forms, or their plurals, as words of their own.

    A pattern of them all would try each at each word, and a paper can be made to introduce any number.
    """

    forms: Collection[str]
    beginnings: re.Pattern[str]
    lengths: Sequence[int]

    @classmethod
    def of(cls, forms: Collection[str]) -> "_Shorts":
        letters = "".join({short[0] for short in forms})
        return cls(forms, re.compile(rf"(?<![\w-])[{letters}]"), sorted({len(short) for short in forms}, reverse=True))

    def standing_in(self, text: str) -> Iterator[tuple[str, int, int]]:
        """The longest wherever a word begins: as it was introduced, its start, and its end or that of its plural."""
        for beginning in self.beginnings.finditer(text):
            start = beginning.start()
            for length in self.lengths:
                short = text[start : start + length]
                if short in self.forms and (ends := _ENDS.match(text, start + length)):
                    yield short, start, ends.end()
                    break

"""What a paper abbreviates it writes short from then on: "epidermal growth factor (EGF)" … "EGF".

>>> title, text = Passage(("title",), None, "EGF in mice"), Passage((), 0, "The epidermal growth factor (EGF) binds.")
>>> found = {"E": (Mention("epidermal growth factor", (), 4, 27, paragraph=0),)}
>>> [mention.where for mention in with_abbreviations(found, [title, text])["E"]]
[(), ('title',), ()]
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from futex.candidates import Mention, Passage

_IN_BRACKETS = re.compile(r"\s?\(([A-Z][\w-]{0,8}\w|[a-z][\w-]{0,8}[A-Z][\w-]{0,4}|[A-Z]\.\s[a-z]{2,20})[);,]")
"""Such as (EGF), (mRNA; …) or (C. elegans)."""

Mentions = Mapping[str, tuple[Mention, ...]]


def with_abbreviations(found: Mentions, passages: Sequence[Passage]) -> Mentions:
    """The mentions of each label, and besides those by the short forms that the paper introduces for it."""
    meanings = _introduced(found, passages)
    if not meanings:
        return found
    known = {(label, *place.where, place.paragraph, place.start) for label in found for place in found[label]}
    more: dict[str, list[Mention]] = {label: list(places) for label, places in found.items()}
    shorts = _finder(meanings)
    for where, paragraph, text in passages:
        for short in shorts.finditer(text):
            for label in meanings[short[1]]:
                if (label, *where, paragraph, short.start()) not in known:
                    more[label].append(Mention(short[0], where, short.start(), short.end(), paragraph))
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


def _finder(shorts: Iterable[str]) -> re.Pattern[str]:
    """Finds the short forms, or their plurals, as words of their own."""
    return re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, sorted(shorts, key=len, reverse=True)))})s?(?!\w)")

"""Which of several texts in different languages to take."""

import logging
from collections.abc import Iterable

log = logging.getLogger(__name__)

MOST_NAMED = 20


def distance(tag: str, language: str) -> tuple[int, str]:
    """How far a text with a language tag is from the wanted language; both tags in lower case.

    The language itself comes first, then its regional forms, texts without a language, and all others by their tags.

    >>> sorted(["fr", "", "de", "en-gb", "en"], key=lambda tag: distance(tag, "en"))
    ['en', 'en-gb', '', 'de', 'fr']
    """
    if tag == language:
        return 0, ""
    if tag.startswith(f"{language}-"):
        return 1, tag
    return (3, tag) if tag else (2, "")


def is_understood(tag: str, language: str) -> bool:
    """Whether it is in the wanted language, or may be because it has no tag."""
    return distance(tag, language) < (3, "")


def warn_if_missing(language: str, tags: Iterable[str], name: str) -> None:
    """A vocabulary with other languages only is read in these; whoever mistyped one should know."""
    known = sorted(tags)
    if known and not any(is_understood(tag, language) for tag in known):
        listed = ", ".join([*known[:MOST_NAMED], *(["…"] if len(known) > MOST_NAMED else [])])
        log.warning("%s: nothing is in language %r, names in others are taken; it has %s", name, language, listed)

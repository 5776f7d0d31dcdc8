"""Which of several texts in different languages to take."""


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

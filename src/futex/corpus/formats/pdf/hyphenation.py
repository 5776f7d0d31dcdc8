"""Lines joined to running text: words that were broken at the end of a line are made whole.

>>> mended = Hyphenation(["the well-known method of a computer", "of com-"])
>>> mended.joined(["a well-", "known com-", "puter in New-", "York"])
'a well-known computer in New-York'
"""

import re
from collections.abc import Iterable

MAX_WORD = 80

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_BROKEN = re.compile(r"((?:[^\W\d_]+-)*[^\W\d_]+)-$")
_ADDRESS = re.compile(r"(?:https?:|www\.|doi|10\.\d{4})\S*$", re.IGNORECASE)


class Hyphenation:
    """Knows the words of a paper, and so which hyphens belong to them."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._words = {word.lower() for line in lines for word in _WORD.findall(line)}

    def joined(self, lines: Iterable[str]) -> str:
        parts: list[str] = []
        for line in filter(str.strip, lines):
            if parts and self._breaks_word(parts[-1], line):
                parts[-1] = parts[-1][:-1]
            elif parts and not _goes_on(parts[-1], line):
                parts.append(" ")
            parts.append(line)
        return "".join(parts)

    def _breaks_word(self, line: str, following: str) -> bool:
        tail = line[-MAX_WORD:]
        start, end = _BROKEN.search(tail), _WORD.match(following)
        return bool(start and end and not _ADDRESS.search(tail) and self._is_one_word(start[1], end[0]))

    def _is_one_word(self, start: str, end: str) -> bool:
        """Whether the hyphen only breaks the word; it belongs to a name, and to words that have it elsewhere, too."""
        if not end[0].islower():
            return False
        with_hyphen, without = f"{start}-{end}".lower(), f"{start}{end}".lower()
        return without in self._words or with_hyphen not in self._words


def _goes_on(line: str, following: str) -> bool:
    """Whether the next line follows without a space: after a hyphen, and inside an address on the web or a DOI."""
    tail = line[-MAX_WORD:]
    if tail.endswith("-") and not tail.endswith((" -", "--")):
        return True
    rest = following.split(maxsplit=1)[0]
    looks_like_address = any(char.isdigit() for char in rest) or "/" in rest or following == rest
    return tail[-1] in "/._=" and looks_like_address and _ADDRESS.search(tail) is not None

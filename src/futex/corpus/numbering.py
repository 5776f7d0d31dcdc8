"""Section numbers tell how flat lists of headings nest, as machine-made parses of papers give them.

>>> outline = NumberedOutline()
>>> for number, title in [("2", "Methods"), ("2.1", "Cells"), ("", "Media"), ("", "Discussion")]:
...     outline.numbered(number, title)
...     outline.paragraph("We write a paragraph of at least ten words, as one must.")
>>> [(unit.heading, [child.heading for child in unit.children[1:]]) for unit in outline.body().children]
[('Methods', ['Cells']), ('Discussion', [])]
>>> split_number("2.1 Cells and media"), split_number("A new method")
(('2.1', 'Cells and media'), ('', 'A new method'))
"""

import re
from itertools import takewhile

from futex.corpus.back_matter import is_back_matter
from futex.corpus.outline import Outline

MAX_NUMBER = 40
"""Longer strings are not looked at: no section number is."""

_PART = r"(?:[A-Za-z]?\d{1,3}|[A-Za-z]|(?=[IVXL])(?:XL|L?X{0,3})(?:IX|IV|V?I{0,3}))"
_NUMBER = re.compile(rf"[(\[§]?({_PART}(?:[.\-–]{_PART})*)[.:)\]]*", re.ASCII)
_SEPARATOR = re.compile(r"[.\-–]")
_MAIN = re.compile(
    r"(?:introduction|background|related work|(?:materials? and |patients and )?methods?|methodology|experiments?"
    r"|results?|(?:results? and )?discussions?|(?:summary|discussions?) and conclusions?|conclusions?(?: and .*)?"
    r"|concluding remarks|summary|(?:appendi(?:x|ces)|annex)\b.*)[.:]?",
    re.IGNORECASE,
)
"""The headings of whole sections, also of papers that number only the others."""

_ONES = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
_ROMANS = [tens + ones for tens in ("", "X", "XX", "XXX") for ones in _ONES]


class NumberedOutline(Outline):
    """An outline whose levels come from section numbers: 2.1, II, A.1, or I, A, 1 nested in this order.

    A heading without number is a part of the numbered section before it, unless its words are those of a main section.
    Acknowledgements, funding and the like are no text of the paper and left out, with all that is below them.
    """

    def __init__(self) -> None:
        super().__init__()
        self._number: tuple[str, ...] = ()
        """Of the section that is open; "" for a main section without number, to which any subsection may belong."""
        self._base = 0
        """The level of the last heading that has a number and is more than a letter in a list."""
        self._roman = 0
        self._left_out = 0
        """The level of the heading whose section is left out, if one is, and its number, if it has one."""
        self._left_out_number: tuple[str, ...] = ()

    def numbered(self, number: str, title: str, level: int | None = None) -> None:
        """Open a section; what is no section number counts as none, and then `level` helps if it is known.

        If nothing but a title is given, it may begin with the number.
        """
        if not number and level is None:
            number, title = split_number(title)
        parts = number_parts(number)
        if self._is_below_left_out(parts, level):
            return
        self._left_out = 0
        if is_back_matter(title):
            self._leave_out(parts, title, level or 1)
        elif parts:
            self._open_numbered(parts, title)
        elif level is not None and level > 1:
            self.heading(level, title)
        elif level == 1 or self._number in ((), ("",)) or _MAIN.fullmatch(title):
            self.main(title)
        else:
            self.heading(self._base + 1, title)

    def main(self, title: str) -> None:
        """Open a section of its own, whatever came before."""
        self._number, self._base, self._left_out = ("",), 1, 0
        self.heading(1, title)

    def paragraph(self, text: str) -> None:
        if not self._left_out:
            super().paragraph(text)

    def _is_below_left_out(self, parts: tuple[str, ...], level: int | None) -> bool:
        if not self._left_out:
            return False
        of_parent = self._left_out_number
        has_its_number = 0 < len(of_parent) < len(parts) and parts[: len(of_parent)] == of_parent
        return has_its_number or (level or 0) > self._left_out

    def _leave_out(self, parts: tuple[str, ...], title: str, level: int) -> None:
        if level > 1:
            self.heading(level, title)
        else:
            self.main(title)
            self._number = ()
        self._left_out, self._left_out_number = level, parts

    def _open_numbered(self, parts: tuple[str, ...], title: str) -> None:
        if len(parts) > 1:
            level = len(parts)
            for missing in range(self._shared(parts[:-1]) + 1, level):
                self.heading(missing, "")
            self._number = parts
        else:
            level = self._level_of_one(parts[0])
            self._number = (*self._number[: level - 1], parts[0])
        if not _is_small_letter(parts):
            self._base = level
        self.heading(level, title)

    def _shared(self, parents: tuple[str, ...]) -> int:
        """How many of a section's parents are open. The heading of a section may have been lost."""
        same = (opened in (part, "") for part, opened in zip(parents, self._number, strict=False))
        return sum(1 for _ in takewhile(bool, same))

    def _level_of_one(self, part: str) -> int:
        """The level of a number of one part, which among Roman numerals depends on its kind."""
        if _is_small_letter((part,)):
            return self._base + 1
        if self._is_next_roman(part):
            self._roman = _ROMANS.index(part)
            return 1
        if not self._roman:
            return 1
        return 2 if part.isalpha() else 3

    def _is_next_roman(self, part: str) -> bool:
        """Whether it counts main sections: I is also a letter, but not if H came before it."""
        if part not in _ROMANS or (not self._roman and self._number not in ((), ("",))):
            return False
        return len(part) > 1 or _ROMANS.index(part) == self._roman + 1


def _is_small_letter(parts: tuple[str, ...]) -> bool:
    return len(parts) == 1 and parts[0].isalpha() and parts[0].islower()


def number_parts(number: str) -> tuple[str, ...]:
    """("2", "1") for "2.1." or "(2.1)"; nothing for what is no section number."""
    match = _NUMBER.fullmatch(number.strip()) if len(number) <= MAX_NUMBER else None
    return tuple(_SEPARATOR.split(match[1])) if match else ()


def split_number(heading: str) -> tuple[str, str]:
    """The section number at the start of a heading, if there is one, and the rest."""
    number, _, title = heading.strip().partition(" ")
    title = title.strip()
    is_number = number_parts(number) and (any(char.isdigit() for char in number) or number[-1] in ".)")
    if not is_number or not title or title[0].islower():  # "A. thaliana", "3 weeks after infection"
        return "", heading.strip()
    return number, title

"""What the typesetter hands over: text with places that are filled in, or closed, when all of the paper is known."""

import re
from dataclasses import dataclass, field

from futex.corpus.formats.latex.numbering import UNKNOWN, Numbering
from futex.corpus.paper import squeeze

BLOCK, LINE, TIE, MARK = "\x1e", "\x1d", "\u00a0", "\x00"
r"""White space with a meaning: \and, \sep or \newblock; \\; ~. The mark is where a citation or footnote was."""

SLOT = "\x01"
"""Around the keys of a cross-reference, which is filled in when all numbers are known."""

_SLOT = re.compile(rf"{SLOT}(\w+) ([^{SLOT}]*){SLOT}")
_MARKS_IN_BRACKETS = re.compile(rf" ?[(\[](?:see|e\.g\.|cf\.)?,? ?{MARK}(?:[ ,;]*{MARK})* ?[)\]]")


@dataclass
class Typeset:
    """What was read of a paper, as it was written down: `text` makes it readable."""

    blocks: list[tuple[int, str]] = field(default_factory=list)
    """Headings with their levels, and paragraphs with level 0."""
    fields: dict[str, list[str]] = field(default_factory=dict)
    citations: list[str] = field(default_factory=list)
    bibliographies: list[str] = field(default_factory=list)
    """Names of files: those of .bib files may be without extension, those of .bbl files never are."""
    bibliography: dict[str, list[str]] = field(default_factory=dict)
    numbering: Numbering = field(default_factory=Numbering)

    def text(self, written: str) -> str:
        """Text on one line, with the numbers of cross-references, without the places where citations were."""
        return tidy(_SLOT.sub(self._numbers, written))

    def _numbers(self, slot: re.Match[str]) -> str:
        style, keys = slot[1], slot[2].split(",")
        numbers = [self.numbering.labels.get(key.strip(), UNKNOWN) for key in keys]
        if style in ("pageref", "nameref") or not all(number.text for number in numbers):
            return MARK
        printed = " and ".join(f"({number.text})" if style == "eqref" else number.text for number in numbers)
        return f"{numbers[0].kind} {printed}" if style in ("autoref", "cref", "Cref") else printed


def tidy(text: str) -> str:
    return squeeze(_MARKS_IN_BRACKETS.sub("", squeeze(text)).replace(f" {MARK}", "").replace(MARK, ""))

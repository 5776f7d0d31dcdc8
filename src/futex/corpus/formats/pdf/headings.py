"""Which blocks are headings, and how they nest.

A heading is a short block that is set unlike the text below it, or numbered, or called what sections are called.
Section numbers tell how headings nest; in papers without them the fonts do.
"""

import re
from collections.abc import Mapping, Sequence
from unicodedata import category

from futex.corpus.formats.pdf.blocks import SAME_SIZE, Block
from futex.corpus.formats.pdf.captions import is_caption
from futex.corpus.formats.pdf.lines import Style
from futex.corpus.numbering import split_number

MAX_LINES, MAX_WORDS = 3, 20
MIN_NUMBERED = 2
"""A single number at the start of a heading may be anything."""
MAX_LEVEL = 9
"""Of headings without numbers, however many fonts they have."""

_REFERENCES = re.compile(
    r"(?:literature )?references(?: and notes)?|bibliography|literature(?: cited)?|works cited", re.IGNORECASE
)
_NAME = re.compile(
    r"abstract|summary|introduction|background|(?:materials? and |patients and )?methods?|results?(?: and discussion)?"
    rf"|discussions?|(?:discussion and )?conclusions?|acknowledge?ments?|appendix|{_REFERENCES.pattern}",
    re.IGNORECASE,
)
_APPENDIX = re.compile(r"appendi(?:x|ces)\b|supplement", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{3,}")
_CLAUSE_END = (".", ",", ";", ":")


def headings(blocks: Sequence[Block]) -> set[int]:
    """The places of the blocks that are headings."""
    found: set[int] = set()
    for place in range(len(blocks) - 2, -1, -1):
        if _is_heading(blocks[place], blocks[place + 1], heads_heading=place + 1 in found):
            found.add(place)
    return found


def _is_heading(block: Block, below: Block, heads_heading: bool) -> bool:
    number, title = split_number(block.text)
    if len(block.lines) > MAX_LINES or len(block.text.split()) > MAX_WORDS or not _WORD.search(title):
        return False
    if any(category(char)[0] == "S" or category(char) == "No" for char in title):  # a formula
        return False
    if _has_name(block):
        return True
    if is_caption(block) or block.text.endswith(_CLAUSE_END) or not _starts_like_title(title):
        return False
    has_text_below = heads_heading or (below.is_prose and not is_caption(below))
    return has_text_below and block.first.column == below.first.column and _stands_out(block, below, bool(number))


def _starts_like_title(title: str) -> bool:
    return title[:1].isupper() or title[:1].isdigit()


def _stands_out(block: Block, below: Block, is_numbered: bool) -> bool:
    """By capitals, a larger font or another one, which with a number may even be a smaller one."""
    larger = block.style.size - below.style.size
    other_font = block.style.font != below.style.font
    return larger > SAME_SIZE or (other_font and (larger > -2 * SAME_SIZE or is_numbered)) or block.text.isupper()


def opens_body(heading: Block) -> bool:
    """Whether it is surely the heading of a section, and not a line with the names of authors."""
    return _has_name(heading) or any(map(str.isdigit, split_number(heading.text)[0]))


def is_references(heading: str) -> bool:
    return _REFERENCES.fullmatch(split_number(heading)[1].rstrip(".:")) is not None


def is_appendix(heading: str) -> bool:
    return _APPENDIX.match(heading) is not None


def section_numbers(headings: Mapping[int, Block]) -> dict[int, str]:
    """The number of each heading: as printed, or in papers without numbers one that says how its font nests."""
    printed = {place: split_number(block.text)[0] for place, block in headings.items()}
    return printed if sum(map(bool, printed.values())) >= MIN_NUMBERED else _numbers_by_style(headings)


def _numbers_by_style(headings: Mapping[int, Block]) -> dict[int, str]:
    """Larger fonts stand above smaller ones, and each style keeps the level that it first had."""
    main = next(filter(_has_name, headings.values()), None) or max(
        headings.values(), key=lambda block: block.style.size, default=None
    )
    levels: dict[tuple[Style, bool], int] = {_look(main): 1} if main else {}
    numbers: dict[int, str] = {}
    counts: list[int] = []
    for place, block in headings.items():
        is_main = main and (_has_name(block) or block.style.size > main.style.size + SAME_SIZE)
        level = 1 if is_main else levels.setdefault(_look(block), min(len(counts) + 1, MAX_LEVEL))
        counts = [*counts[:level], *[0] * (level - len(counts))]
        counts[-1] += 1
        numbers[place] = ".".join(map(str, counts))
    return numbers


def _has_name(heading: Block) -> bool:
    return _NAME.fullmatch(split_number(heading.text)[1].rstrip(".:")) is not None


def _look(heading: Block) -> tuple[Style, bool]:
    return heading.style, heading.text.isupper()

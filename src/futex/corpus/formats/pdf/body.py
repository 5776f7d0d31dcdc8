"""The body: blocks joined to paragraphs, in the tree that the headings tell, and the list of references after it."""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from futex.corpus.formats.captions import without_label
from futex.corpus.formats.pdf.bibliography import start_of_list
from futex.corpus.formats.pdf.blocks import Block, usual_style
from futex.corpus.formats.pdf.captions import is_caption
from futex.corpus.formats.pdf.footnotes import footnotes
from futex.corpus.formats.pdf.front_matter import is_keywords
from futex.corpus.formats.pdf.headings import is_appendix, is_references, section_numbers
from futex.corpus.formats.pdf.hyphenation import Hyphenation
from futex.corpus.formats.pdf.lines import Style
from futex.corpus.numbering import NumberedOutline, split_number
from futex.corpus.paper import Unit

_NOTICE = re.compile(
    r"(?:author contributions|funding|acknowledge?ments?|conflicts? of interest|competing (?:financial )?interests"
    r"|institutional review board statement|informed consent statement|data availability statement"
    r"|supplementary materials|disclaimer/publisher['’]s note|publisher['’]s note|\*? ?correspondence)[^.:]{0,20}[.:]",
    re.IGNORECASE,
)
"""Back matter whose heading stands in the line of its text."""
_ABOUT_THE_PAPER = re.compile(
    r"author details|about the authors?|additional (?:information|files?)|how to cite|copyright|open access",
    re.IGNORECASE,
)


class Body(NamedTuple):
    tree: Unit
    references: list[Block]


def body(blocks: Sequence[Block], headings: Collection[int], hyphenation: Hyphenation) -> Body:
    text_style = usual_style(line for block in blocks for line in block.lines)
    left_out = set(footnotes(blocks, headings, text_style.size))
    outline, cited = NumberedOutline(), []
    paragraphs = _Paragraphs(outline, hyphenation)
    numbers = section_numbers({place: blocks[place] for place in sorted(headings)})
    list_starts = None if any(is_references(blocks[place].text) for place in headings) else start_of_list(blocks)
    list_style: Style | None = None
    is_notice = False
    for place, block in enumerate(blocks):
        if place == list_starts:
            list_style = block.style
        if place in headings and (list_style is None or block.style == list_style or is_appendix(block.text)):
            paragraphs.close()
            is_notice = _ABOUT_THE_PAPER.match(block.text) is not None
            if not is_notice:
                outline.numbered(numbers[place], split_number(block.text)[1])
            list_style = block.style if is_references(block.text) else None
        elif list_style is not None:
            cited.append(block)
        elif place not in left_out and not is_notice:
            paragraphs.add(block)
    paragraphs.close()
    return Body(outline.body(), cited)


class _Paragraphs:
    """Joins what a column, a page or a figure has torn apart. Captions follow the paragraph that they interrupt."""

    def __init__(self, outline: NumberedOutline, hyphenation: Hyphenation) -> None:
        self._outline = outline
        self._hyphenation = hyphenation
        self._blocks: list[Block] = []
        self._captions: list[list[Block]] = []

    def add(self, block: Block) -> None:
        if is_caption(block):
            self._captions.append([block])
        elif self._captions and _continues_caption(self._captions[-1][-1], block):
            self._captions[-1].append(block)
        elif block.is_prose and not is_keywords(block.text) and not _NOTICE.match(block.text):
            if self._blocks and not _continues(self._blocks[-1], block):
                self.close()
            self._blocks.append(block)

    def close(self) -> None:
        """The paragraph is complete."""
        if self._blocks:
            self._outline.paragraph(self._text(self._blocks))
        for caption in self._captions:
            self._outline.paragraph(without_label(self._text(caption)))
        self._blocks, self._captions = [], []

    def _text(self, blocks: Sequence[Block]) -> str:
        return self._hyphenation.joined(block.text for block in blocks)


def _continues_caption(caption: Block, block: Block) -> bool:
    return block.style == caption.style and block.first.column == caption.first.column and not caption.ends_sentence


def _continues(block: Block, following: Block) -> bool:
    """Whether a paragraph goes on: with a small letter, or in another column without sign that one starts there."""
    if block.text.endswith("-"):
        return True
    goes_on = following.text[:1].islower()
    if block.last.column != following.first.column:
        return goes_on or not block.ends_sentence or (block.last.is_full and not following.first.is_set_in)
    return goes_on and not block.text.endswith((".", "!", "?"))

"""The first page: title, abstract and keywords, among journals' names, authors and addresses that are left out."""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from futex.corpus.formats.pdf.blocks import SAME_SIZE, Block, usual_style
from futex.corpus.formats.pdf.headings import opens_body
from futex.corpus.formats.pdf.hyphenation import Hyphenation

MIN_TITLE_LETTERS = 12
MIN_ABSTRACT_WORDS = 40
"""An abstract that is not called so is the first paragraph of this length; addresses are shorter."""
MAX_ABSTRACT_WORDS = 800
"""What goes on for longer without a heading is the paper."""

_ABSTRACT = re.compile(r"a ?b ?s ?t ?r ?a ?c ?t\b\s*[.:|—–-]*\s*|summary\s*[.:—–-]+\s*|summary$", re.IGNORECASE)
_PARTS = re.compile(
    r"(?:background|context|introduction|objectives?|aims?|purpose|motivation|design|setting|participants|patients"
    r"|(?:materials and )?methods?(?:ology)?|(?:main )?results?|findings|interpretation|conclusions?|significance"
    r"|methodology/principal findings|conclusions/significance)",
    re.IGNORECASE,
)
"""Headings inside a structured abstract."""
_KEYWORDS = re.compile(r"(?:key ?words(?: and phrases)?|index terms)\b\s*[.:|—–-]*\s*", re.IGNORECASE)
_ADDRESS = re.compile(r"universit|department|institut|school of|laborator|@", re.IGNORECASE)
_BETWEEN_KEYWORDS = re.compile(r"\s*[;,·•|]\s*")


class FrontMatter(NamedTuple):
    title: str
    abstract: str
    keywords: tuple[str, ...]
    end: int
    """Where the body starts."""


def front_matter(blocks: Sequence[Block], headings: Collection[int], hyphenation: Hyphenation) -> FrontMatter:
    start, end = _place_of_title(blocks)
    title = hyphenation.joined(block.text for block in blocks[start:end])
    opening = [place for place in range(end, len(blocks)) if blocks[place].page < 2]
    label = next((place for place in opening if _ABSTRACT.match(blocks[place].text)), None)
    places = _unnamed_abstract(blocks, headings, opening) if label is None else _abstract(blocks, headings, label)
    abstract = hyphenation.joined(blocks[place].text for place in places if place not in headings)
    named = _ABSTRACT.match(abstract) if label is not None else None
    first_section = next((place for place in opening if place in headings and opens_body(blocks[place])), end)
    return FrontMatter(
        title=title,
        abstract=abstract[named.end() :] if named else abstract,
        keywords=next(filter(None, (_keywords(blocks[place].text) for place in opening)), ()),
        end=places[-1] + 1 if places else first_section,
    )


def _place_of_title(blocks: Sequence[Block]) -> tuple[int, int]:
    """The largest text on the first page, which may be more than a block."""
    places = [
        place
        for place, block in enumerate(blocks)
        if block.page == 0 and sum(map(str.isalpha, block.text)) >= MIN_TITLE_LETTERS and " " in block.text
    ]
    start = max(places, key=lambda place: blocks[place].style.size, default=None)
    if start is None:
        return 0, 0
    end = start + 1
    while end < len(blocks) and blocks[end].page == 0 and blocks[end].style == blocks[start].style:
        end += 1
    return start, end


def _abstract(blocks: Sequence[Block], headings: Collection[int], label: int) -> list[int]:
    """From the block that is called abstract to what is set differently, or to a heading that is no part of one."""
    style = None if _ABSTRACT.fullmatch(blocks[label].text) else blocks[label].style
    places, parts, words = [label], set[str](), 0
    for place in range(label + 1, len(blocks)):
        block = blocks[place]
        if place in headings:
            part = block.text.lower().rstrip(".:")
            if not _PARTS.fullmatch(part) or part in parts or (style is not None and not parts):
                break
            parts.add(part)
        else:
            words += len(block.text.split())
            if is_keywords(block.text) or style not in (None, block.style) or words > MAX_ABSTRACT_WORDS:
                break
            style = block.style
        places.append(place)
    return places


def _unnamed_abstract(blocks: Sequence[Block], headings: Collection[int], opening: Sequence[int]) -> list[int]:
    body = usual_style(line for block in blocks for line in block.lines)
    for place in opening:
        block = blocks[place]
        if place in headings and opens_body(block):
            break
        is_long = len(block.text.split()) >= MIN_ABSTRACT_WORDS and block.style.size > body.size - 2 * SAME_SIZE
        if is_long and block.is_prose and len(_ADDRESS.findall(block.text)) < 2:
            return [place]
    return []


def is_keywords(text: str) -> bool:
    return _KEYWORDS.match(text) is not None


def _keywords(text: str) -> tuple[str, ...]:
    label = _KEYWORDS.match(text)
    return tuple(filter(None, _BETWEEN_KEYWORDS.split(text[label.end() :].strip(" .")))) if label else ()

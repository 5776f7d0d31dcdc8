"""Captions of figures and tables: paragraphs of the section they stand in, but not of the sentences around them."""

import re

from futex.corpus.formats.pdf.blocks import Block

_LABEL = re.compile(
    r"(?:supplementary |extended data )?(?:fig(?:ure|\.)?|table|tab\.|scheme|box|algorithm|listing|plate|chart) ?"
    r"[A-Z]?(?:\d{1,3}|[IVX]{1,5})[a-z]?(?P<end>[.:|–—)]| [|–—]|$| )",
    re.IGNORECASE,
)
_TALKS_OF_FIGURE = re.compile(r" ?(?:and|or|to|shows?|is|are|was|were|gives?|lists?|in|of|has|have|[a-z(,;])")


def is_caption(block: Block) -> bool:
    """A label of a figure or table at the start that is not the subject of a sentence ("Figure 2 shows ...")."""
    label = _LABEL.match(block.text)
    return label is not None and (label["end"] != " " or not _TALKS_OF_FIGURE.match(block.text, label.end()))

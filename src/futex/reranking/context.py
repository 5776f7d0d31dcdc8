"""The sentence in which a paper first mentions a label.

>>> text = "Mice ran. The stem cells (Fig. 2) of old mice divide. They rest."
>>> sentence_around(text, text.index("stem"), text.index("stem") + 10)
'The stem cells (Fig. 2) of old mice divide.'
"""

import re
from collections.abc import Mapping

from futex.candidates import Mention
from futex.corpus.paper import Paper
from futex.excerpts import after, before

LONGEST = 240
"""Characters of a sentence, shared by both sides of the name."""

_END = re.compile(r"[.?!] (?=[A-Z])")


def first_sentences(paper: Paper, found: Mapping[str, tuple[Mention, ...]]) -> dict[str, str]:
    """By label, from the body: title and abstract are known anyway."""
    paragraphs = [place.text for place in paper.paragraphs()]
    sentences: dict[str, str] = {}
    for label, places in found.items():
        place = next((place for place in places if place.paragraph is not None), None)
        if place is not None and place.paragraph is not None:
            sentences[label] = sentence_around(paragraphs[place.paragraph], place.start, place.end)
    return sentences


def sentence_around(text: str, start: int, end: int) -> str:
    """From the last full stop before text[start:end] to the first after it, and not too far."""
    reach = LONGEST // 2
    left, right = text[max(0, start - reach) : start], text[end : end + reach]
    stops = list(_END.finditer(left + text[start : start + 1]))
    stop = _END.search(right)
    left = left[stops[-1].end() :] if stops else before(text, start, reach)
    right = right[: stop.start() + 1] if stop else after(text, end, reach)
    return (left + text[start:end] + right).strip()

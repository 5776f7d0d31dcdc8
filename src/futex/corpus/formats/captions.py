"""Captions that a format keeps apart from the text: each becomes a paragraph after the first that mentions its figure.

>>> outline = CaptionedOutline({"fig_0": "Fig. 1. How one, two, three and many more cells grow overnight."})
>>> outline.numbered("1", "Results")
>>> outline.mentioning("The cells grow as everyone can see in the first figure.", ["fig_0"])
>>> [leaf.text for leaf in outline.body().leaves()][-1]
'How one, two, three and many more cells grow overnight.'
"""

import re
from collections.abc import Iterable, Mapping

from futex.corpus.numbering import NumberedOutline
from futex.corpus.paper import Unit, squeeze

_LABEL = re.compile(
    r"(?:(?:supplementa(?:ry|l)|extended data) )?(?:fig(?:ure|\.)?|table|tab\.|scheme|algorithm|listing|chart|plate)"
    r" ?(?:S?\d{1,3}|[IVX]{1,5})\b ?[.:|–—-]? ?",
    re.IGNORECASE,
)


def without_label(caption: str) -> str:
    """The caption without its "Figure 1.", which is not part of the caption in JATS either."""
    caption = squeeze(caption)
    label = _LABEL.match(caption)
    return caption[label.end() :] if label else caption


class CaptionedOutline(NumberedOutline):
    """A numbered outline in which captions, given by the ids of their figures and tables, find their places."""

    def __init__(self, captions: Mapping[str, str]) -> None:
        super().__init__()
        self._captions = {key: without_label(caption) for key, caption in captions.items()}

    def mentioning(self, text: str, mentioned: Iterable[str]) -> None:
        """A paragraph that mentions figures or tables, and the captions of those it is the first to mention."""
        self.paragraph(text)
        for key in mentioned:
            self.caption(key)

    def caption(self, key: str) -> None:
        """The caption stands here, unless it was mentioned before."""
        if key in self._captions and not self._left_out:
            self.paragraph(self._captions.pop(key))

    def body(self) -> Unit:
        """The tree, and at its end a section of the captions that no paragraph mentions."""
        self.main("")
        for key in list(self._captions):
            self.caption(key)
        return super().body()

"""Where text is written: a stack of groups, some of which have a page of their own or none at all."""

from collections.abc import Callable
from dataclasses import dataclass

from futex.corpus.formats.latex.commands import LISTS
from futex.corpus.formats.latex.numbering import Number
from futex.corpus.formats.latex.typeset import Typeset
from futex.errors import DamagedPaper

MAX_DEPTH = 200
"""Groups within groups; papers have a dozen."""


@dataclass(slots=True)
class _Frame:
    """An open group or environment, and what was written on when it was opened."""

    opened_by: str
    page: list[str] | None
    number: Number
    done: Callable[[str], None] | None


class Pages:
    """The body of a paper, and the pages on which titles, captions and the like are set apart."""

    def __init__(self, name: str) -> None:
        self.result = Typeset()
        self._numbering = self.result.numbering
        self._name = name
        self._body: list[str] = []
        self._page: list[str] | None = None
        """What is written on; nothing before the document begins."""
        self._frames: list[_Frame] = []
        self._captions: list[str] = []
        self._open_lists = 0

    def start(self) -> None:
        """Take what follows for the body."""
        self._frames.clear()
        self._page, self._open_lists = self._body, 0

    def _write(self, text: str) -> None:
        if self._page is not None:
            self._page.append(text)

    def _break(self) -> None:
        if self._page is self._body and not self._open_lists:
            self._end_paragraph()
        else:
            self._write(" ")

    def _end_paragraph(self) -> None:
        """Figures stand where there is room for them: their captions follow the paragraph they interrupt."""
        self.result.blocks += ((0, written) for written in ("".join(self._body), *self._captions))
        self._body.clear()
        self._captions.clear()

    def _open(self, opened_by: str, page: list[str] | None, done: Callable[[str], None] | None = None) -> None:
        if len(self._frames) >= MAX_DEPTH:
            raise DamagedPaper(f"{self._name}: groups nested more than {MAX_DEPTH} deep; look for a brace never closed")
        self._frames.append(_Frame(opened_by, self._page, self._numbering.current, done))
        self._page = page

    def _close(self) -> None:
        frame, page = self._frames.pop(), self._page
        self._page = frame.page
        if frame.opened_by not in ("{", "["):
            self._numbering.current = frame.number
        if frame.opened_by in LISTS:
            self._open_lists -= 1
        if frame.done is not None:
            frame.done("".join(page or ()))

    def _is_in(self, *opened_by: str) -> bool:
        """Whether the innermost group is one of these."""
        return bool(self._frames) and self._frames[-1].opened_by in opened_by

r"""LaTeX source, as authors and arXiv hold it: the main file of a paper with all that lies beside it.

Read are title, abstract, headings down to \subparagraph, paragraphs, lists, theorems and captions; formulas in a line
as text ("x_i ∈ R"). Left out are displayed formulas, tables, pictures, listings, footnotes and acknowledgements, and
marks of citations and cross-references, which have no text of their own. Nothing is executed: macros of the author
are expanded up to a size, and files are included only from the paper's own folder or archive.
"""

import logging
import re
from collections.abc import Iterator

from futex.corpus.document import Document, Subjects
from futex.corpus.formats.latex.bibliography import bbl_entries, bib_entries, item_entries, references, text_key
from futex.corpus.formats.latex.commands import KEPT
from futex.corpus.formats.latex.expansion import MAX_INCLUDED, Expansion, is_inside
from futex.corpus.formats.latex.typeset import BLOCK, LINE, TIE, Typeset, tidy
from futex.corpus.formats.latex.typesetting import Typesetter
from futex.corpus.manuscript import Manuscript
from futex.corpus.paper import Paper, distinct, known
from futex.corpus.references import doi_key
from futex.corpus.sources import Source
from futex.corpus.text_files import decoded, fallback_id, file_stem, whole_text
from futex.errors import DamagedPaper, printable

NAME = "latex"
MAX_BIBLIOGRAPHIES = 50
MAX_BYTES = 8 * 2**20
"""Theses have a few MiB. Each token is worth a Python step, so a limit for other formats would cost minutes here."""

_HEAD = re.compile(rb"(?:\s++|%[^\n]*+)*+\\")
_CLASS = re.compile(rb"^[ \t]*\\document(?:class|style)\s*[\[{]", re.MULTILINE)
_AUTHOR_MARK = re.compile(r"\^\w{0,3}|[\d^*†‡§¶∗]")
_AUTHOR_END = re.compile(r",|;|\band\b|&")
_YEAR = re.compile(r"[12]\d{3}")

log = logging.getLogger(__name__)


def recognises(head: bytes, name: str = "") -> bool:
    r"""Whether this is the main file of a paper: one without \documentclass is only a part of one."""
    return _HEAD.match(head) is not None and _CLASS.search(head) is not None


def read(source: Source) -> Iterator[Document]:
    text = whole_text(source, MAX_BYTES)
    if r"\begin{document}" not in text.replace(" ", ""):
        raise DamagedPaper(rf"{source.name}: no \begin{{document}} inside; give the main .tex file of the paper")
    yield _document(Typesetter(Expansion(text, source.beside, source.name, KEPT), source.name).run(), source)


def _document(typeset: Typeset, source: Source) -> Document:
    title = _first(typeset, "title")
    manuscript = _manuscript(typeset)
    doi = doi_key(_first(typeset, "doi"))
    paper_id = doi or fallback_id(source)
    year = _YEAR.search(_first(typeset, "year"))
    aliases = distinct([text_key(title)], without=[paper_id])
    paper = Paper(
        id=paper_id,
        title=title,
        abstract=_first(typeset, "abstract") or manuscript.abstract,
        body=manuscript.body(),
        references=tuple(distinct(_references(typeset, source), without=[paper_id, *aliases])),
        metadata=known(
            year=int(year[0]) if year else None,
            venue=_first(typeset, "venue"),
            authors=_authors(typeset.fields.get("author", [])),
            aliases=aliases,
        ),
    )
    return Document(paper, _subjects(typeset))


def _manuscript(typeset: Typeset) -> Manuscript:
    manuscript = Manuscript(top_level=min((level for level, _ in typeset.blocks if level), default=1))
    for level, written in typeset.blocks:
        text = typeset.text(written)
        if level:
            manuscript.heading(level, text)
        elif text:
            manuscript.paragraph(text)
    return manuscript


def _first(typeset: Typeset, name: str) -> str:
    return next(filter(None, map(typeset.text, typeset.fields.get(name, []))), "")


def _authors(fields: list[str]) -> list[str]:
    r"""Names are in the first line of what \and separates; affiliations follow."""
    first_lines = (block.strip(f" {LINE}").partition(LINE)[0] for field in fields for block in field.split(BLOCK))
    return distinct(tidy(name) for line in first_lines for name in _AUTHOR_END.split(_AUTHOR_MARK.sub("", line)))


def _subjects(typeset: Typeset) -> Subjects:
    paths = (
        tuple(filter(None, map(tidy, field.replace("→", TIE).split(TIE))))
        for field in typeset.fields.get("subject", [])
    )
    keywords = (
        tidy(word).rstrip(".")
        for field in typeset.fields.get("keywords", [])
        for word in re.split(rf"[;,{BLOCK}]", field)
    )
    return Subjects(tuple(dict.fromkeys(filter(None, paths))), tuple(distinct(keywords)))


def _references(typeset: Typeset, source: Source) -> list[str]:
    left = MAX_INCLUDED

    def beside(name: str) -> str:
        """The text of a file; nothing once all together are too long."""
        nonlocal left
        if left < 0:
            return ""
        content = source.beside(name) or b""
        left -= len(content)
        if left >= 0:
            return decoded(content)
        log.warning(
            "%s: with %s its bibliography is longer than %s MiB; that file and those after it are left out: "
            "keep only the works it cites",
            *(source.name, printable(name), MAX_INCLUDED >> 20),
        )
        return ""

    named = (name.removeprefix("./") for name in typeset.bibliographies[:MAX_BIBLIOGRAPHIES])
    names = list(dict.fromkeys(filter(is_inside, named)))
    printed = item_entries(typeset.bibliography)
    lists = "\n\n".join(beside(name) for name in names if name.endswith(".bbl"))
    if not printed and not lists:
        lists = beside(f"{file_stem(source)}.bbl")
    printed |= bbl_entries(lists, f"{source.name}, its .bbl file")
    library: dict[str, str] = {}
    for name in names:
        if not name.endswith(".bbl"):
            library |= bib_entries(beside(f"{name.removesuffix('.bib')}.bib"))
    return references(typeset.citations, printed, library)

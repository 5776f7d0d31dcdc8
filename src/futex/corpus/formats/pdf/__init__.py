"""PDF, read from the printed page: the second choice, for a PDF tells where its letters stand and little else.

Words (`pdfium`, `words`) become lines in reading order (`pieces`, `running_heads`, `columns`, `lines`), lines become
blocks (`blocks`, `hyphenation`), and blocks turn out to be the `front_matter`, `headings`, `captions`, `footnotes`, the
`body` or its `bibliography`. Authors, venue and year are not looked for. A GROBID server reads more (`grobid`).
"""

from collections.abc import Iterator

from futex.corpus.content import content_of
from futex.corpus.document import Document, Subjects
from futex.corpus.formats.pdf.bibliography import references
from futex.corpus.formats.pdf.blocks import blocks
from futex.corpus.formats.pdf.body import body
from futex.corpus.formats.pdf.front_matter import front_matter
from futex.corpus.formats.pdf.headings import headings
from futex.corpus.formats.pdf.hyphenation import Hyphenation
from futex.corpus.formats.pdf.lines import Line, lines
from futex.corpus.formats.pdf.pdfium import UNREADABLE
from futex.corpus.formats.pdf.words import Word, pages
from futex.corpus.paper import Paper, known
from futex.corpus.references import doi_in, own_keys
from futex.corpus.sources import Source
from futex.corpus.text_files import fallback_id
from futex.errors import DamagedPaper

NAME = "pdf"
MIN_WORDS = 50
"""A scan has none, or those of a stamp."""
MAX_UNREADABLE = 0.2
"""Part of the letters that a font may keep to itself."""


def recognises(head: bytes, name: str = "") -> bool:
    """PDF readers accept some bytes before the header; we do if the file is called a PDF."""
    return head.lstrip().startswith(b"%PDF-") or (name.lower().endswith(".pdf") and b"%PDF-" in head[:1024])


def read(source: Source) -> Iterator[Document]:
    content = content_of(source.stream, source.name)
    drawn = list(pages(content, source.name))
    ordered = list(lines(drawn))
    _check_text(ordered, len(drawn), source.name)
    yield _document(ordered, _own_doi(drawn), fallback_id(source))


def _check_text(ordered: list[Line], page_count: int, name: str) -> None:
    text = " ".join(line.text for line in ordered)
    mend = "add one with OCR, e.g. ocrmypdf --force-ocr in.pdf out.pdf"
    if len(text.split()) < MIN_WORDS:
        raise DamagedPaper(f"{name}: no text on its {page_count} pages, perhaps a scan without a text layer; {mend}")
    if sum(map(_is_unreadable, text)) > MAX_UNREADABLE * len(text):
        raise DamagedPaper(
            f"{name}: its fonts do not tell which letters they draw, so its text layer is useless; {mend}"
        )


def _is_unreadable(character: str) -> bool:
    return character == UNREADABLE or "\ue000" <= character <= "\uf8ff"  # private use: each font its own


def _own_doi(drawn: list[list[Word]]) -> str | None:
    """The DOI printed on the first page. If that is the only page, it may as well be one of a reference."""
    return doi_in(" ".join(word.text for word in drawn[0])) if len(drawn) > 1 else None


def _document(ordered: list[Line], doi: str | None, paper_id: str) -> Document:
    hyphenation = Hyphenation(line.text for line in ordered)
    parts = blocks(ordered, hyphenation)
    headed = headings(parts)
    front = front_matter(parts, headed, hyphenation)
    inside = body(parts[front.end :], {place - front.end for place in headed if place >= front.end}, hyphenation)
    aliases = own_keys(doi=doi or "", title=front.title)
    paper = Paper(
        id=paper_id,
        title=front.title,
        abstract=front.abstract,
        body=inside.tree,
        references=tuple(key for key in references(inside.references, hyphenation) if key not in aliases),
        metadata=known(aliases=aliases),
    )
    return Document(paper, Subjects(keywords=front.keywords))

"""Plain text. Paragraphs are separated by blank lines, or are the lines if there are none.

The first paragraph is the title if it is short. Headings are recognised with caution: numbered lines that stand alone,
and the well-known words. Subjects in a .tsv or .key file of the same name, as Annif has them, are taken along.
"""

import re
from collections.abc import Iterator

from futex.corpus.document import Document
from futex.corpus.formats.annif_subjects import subjects_beside
from futex.corpus.manuscript import Manuscript
from futex.corpus.paper import Paper, known, squeeze
from futex.corpus.references import own_keys
from futex.corpus.sources import Source
from futex.corpus.text_files import describes_folder, extension, fallback_id, whole_text

NAME = "text"
MAX_TITLE = 250
MAX_HEADING = 100

_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+([A-Z].*[^.,;:])")
_REFERENCES = re.compile(r"references|bibliography|literature cited", re.IGNORECASE)
_WELL_KNOWN = re.compile(
    r"((?:\d{1,2}\.?|[IVX]{1,4}\.)\s+)?(abstract|introduction|background|related work|(?:materials? and )?methods?"
    r"|methodology|experiments?|results(?: and discussion)?|discussion|evaluation|conclusions?|future work"
    rf"|acknowledge?ments?|{_REFERENCES.pattern}|appendix(?: [A-Z])?)\s*:?",
    re.IGNORECASE,
)


def recognises(head: bytes, name: str = "") -> bool:
    """By its name only: anything could be text. Tables with tabs are none."""
    return extension(name) == ".txt" and not describes_folder(name) and b"\t" not in head.partition(b"\n")[0]


def read(source: Source) -> Iterator[Document]:
    title, manuscript = manuscript_of(whole_text(source))
    paper = Paper(
        id=fallback_id(source),
        title=title,
        abstract=manuscript.abstract,
        body=manuscript.body(),
        metadata=known(aliases=own_keys(title=title)),
    )
    yield Document(paper, subjects_beside(source))


def manuscript_of(text: str) -> tuple[str, Manuscript]:
    """The title and the rest of a paper."""
    blocks = [block for block in _blocks(text) if squeeze(block)]
    title = squeeze(blocks[0]) if len(blocks) > 1 else ""
    if len(title) > MAX_TITLE or _WELL_KNOWN.fullmatch(title):
        title = ""
    manuscript = Manuscript()
    for block in blocks[bool(title) :]:
        first, _, rest = block.strip().partition("\n")
        heading = _heading(first, alone=not rest)
        if heading is None:
            manuscript.paragraph(squeeze(block))
            continue
        if _REFERENCES.fullmatch(heading[1]):
            break
        manuscript.heading(*heading)
        if rest:
            manuscript.paragraph(squeeze(rest))
    return title, manuscript


def _blocks(text: str) -> list[str]:
    lines = [line.strip() for line in text.strip().split("\n")]
    return "\n".join(lines).split("\n\n") if "" in lines else lines


def _heading(line: str, alone: bool) -> tuple[int, str] | None:
    line = squeeze(line)
    if len(line) > MAX_HEADING:
        return None
    if known := _WELL_KNOWN.fullmatch(line):
        return 1, known[2]
    numbered = _NUMBERED.fullmatch(line) if alone else None
    return (len(numbered[1].split(".")), numbered[2]) if numbered else None

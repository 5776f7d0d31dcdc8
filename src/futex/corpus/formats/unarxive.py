"""unarXive 2022: the LaTeX sources of arXiv as JSON lines.

    {"paper_id": "2105.05862", "metadata": {"title", "authors_parsed", "categories", "doi", ...}, "abstract": {"text"},
     "body_text": [{"section", "sec_number": "2.1", "sec_type": "subsection", "content_type": "paragraph", "text"}...],
     "bib_entries": {"…": {"bib_entry_raw", "contained_arXiv_ids", "contained_links", "ids": {"doi", "open_alex_id"}}},
     "ref_entries": {"…": {"type": "formula", "latex"}, "…": {"type": "figure", "caption"}}}

In texts, {{cite:…}}, {{formula:…}} and {{figure:…}} stand for entries of the two tables.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from futex.corpus.document import Document, Subjects
from futex.corpus.formats.captions import CaptionedOutline
from futex.corpus.formats.formulas import formula_text
from futex.corpus.json_records import Record, entries, json_records, nested, objects, scalar, text_field, text_list
from futex.corpus.paper import Paper, Unit, distinct, known, squeeze
from futex.corpus.references import arxiv_key, doi_in, doi_key, own_keys, pmid_key
from futex.corpus.sources import Source
from futex.errors import InputError

NAME = "unarxive"

MAX_WRITTEN = 2**24
"""Characters of formulas in a paper: a mark of seven stands for up to eighty of them, as often as it likes."""

_MARKS = (b'"_source_hash"', b'"sec_number"', b'"bib_entry_raw"')
_LEVELS = {"section": 1, "subsection": 2, "subsubsection": 3, "paragraph": 4}
_PLACEHOLDER = re.compile(r"\{\{(\w{1,20}):([\w.:-]{1,80})\}\}")
_EMPTY_BRACKETS = re.compile(r" ?(?:\([ ,;]*\)|\[[ ,;]*\])")
_LOOSE_PUNCTUATION = re.compile(r" (?=[,.;:)\]])")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def recognises(head: bytes, name: str = "") -> bool:
    return head.lstrip().startswith(b"{") and b'"paper_id"' in head and any(mark in head for mark in _MARKS)


def read(source: Source) -> Iterator[Document]:
    for where, record in json_records(source.stream, source.name):
        yield _document(record, where)


def _document(record: Record, where: str) -> Document:
    paper_id = scalar(record, "paper_id", where)
    if not paper_id:
        raise InputError(f'{where}: the paper has no "paper_id"')
    about = nested(record, "metadata", where)
    title = squeeze(text_field(about, "title", where))
    arxiv_id = text_field(about, "id", where) or paper_id
    keys = own_keys(doi=text_field(about, "doi", where), arxiv=arxiv_id, title=title)
    floats = entries(record, "ref_entries", where)
    formulas = _Formulas(floats, where)
    paper = Paper(
        id=paper_id,
        title=title,
        abstract=_readable(_abstract(record, about, where), formulas),
        body=_body(objects(record, "body_text", where), floats, formulas, where),
        references=_references(entries(record, "bib_entries", where), keys, where),
        metadata=known(
            year=_year(about, where),
            venue=squeeze(text_field(about, "journal-ref", where)),
            authors=_authors(about, where),
            aliases=keys,
        ),
    )
    return Document(paper, Subjects(paths=_categories(about, where)))


class _Formulas:
    """The formulas of a paper, and how many more characters of them may be written into its texts."""

    def __init__(self, floats: Mapping[str, Record], where: str) -> None:
        self.texts = {
            key: formula_text(text_field(item, "latex", where))
            for key, item in floats.items()
            if item.get("type") == "formula"
        }
        self._left = MAX_WRITTEN

    def write(self, mark: re.Match[str]) -> str:
        """The short formula that a mark stands for; for any other mark nothing."""
        text = self.texts.get(mark[2], "")
        self._left -= len(text)
        return text if self._left >= 0 else ""


# --- what the paper is


def _abstract(record: Record, about: Record, where: str) -> str:
    written = record.get("abstract")
    if isinstance(written, str):
        return text_field(record, "abstract", where)
    return text_field(nested(record, "abstract", where), "text", where) or text_field(about, "abstract", where)


def _year(about: Record, where: str) -> int | None:
    """Of the first version."""
    dates = [text_field(version, "created", where) for version in objects(about, "versions", where)[:1]]
    years = (_YEAR.search(date) for date in [*dates, text_field(about, "update_date", where)])
    return next((int(year[0]) for year in years if year), None)


def _authors(about: Record, where: str) -> list[str]:
    parsed = about.get("authors_parsed")
    if isinstance(parsed, list):
        names = [text_list({"authors_parsed": name}, "authors_parsed", where) for name in parsed]
        return [squeeze(" ".join([*name[1:2], *name[:1], *name[2:3]])) for name in names if any(name)]
    return [name for part in text_field(about, "authors", where).split(",") if (name := squeeze(part))]


def _categories(about: Record, where: str) -> tuple[tuple[str, ...], ...]:
    """arXiv's classes, from the archive to the class: cs.CL → cs, cs.CL."""
    classes = text_field(about, "categories", where).split()
    return tuple((name.partition(".")[0], name) if "." in name else (name,) for name in dict.fromkeys(classes))


# --- body


def _body(blocks: Sequence[Record], floats: Mapping[str, Record], formulas: _Formulas, where: str) -> Unit:
    captions = {key: text_field(item, "caption", where) for key, item in floats.items() if key not in formulas.texts}
    outline = CaptionedOutline({key: _readable(caption, formulas) for key, caption in captions.items()})
    opened: tuple[str, str] | None = None
    for block in blocks:
        here = (scalar(block, "sec_number", where), squeeze(text_field(block, "section", where)))
        if any(here) and here != opened:
            outline.numbered(*here, level=_LEVELS.get(text_field(block, "sec_type", where)))
            opened = here
        if block.get("content_type") != "listing":
            text = text_field(block, "text", where)
            outline.mentioning(_readable(text, formulas), (match[2] for match in _PLACEHOLDER.finditer(text)))
    return outline.body()


def _readable(text: str, formulas: _Formulas) -> str:
    """Short formulas as they are written, all other placeholders gone with the brackets around them."""
    if "{{" not in text:
        return squeeze(text)
    text = squeeze(_PLACEHOLDER.sub(formulas.write, text))
    return _LOOSE_PUNCTUATION.sub("", _EMPTY_BRACKETS.sub("", text))


# --- references


def _references(cited: Mapping[str, Record], own: Sequence[str], where: str) -> tuple[str, ...]:
    return tuple(distinct((_reference(entry, where) for entry in cited.values()), without=own))


def _reference(entry: Record, where: str) -> str | None:
    """References are not parsed, so there is no title to know a work by."""
    ids = nested(entry, "ids", where)
    links = [text_field(link, "url", where) for link in objects(entry, "contained_links", where)]
    arxiv_ids = [scalar(found, "id", where) for found in objects(entry, "contained_arXiv_ids", where)]
    found = (
        doi_key(scalar(ids, "doi", where)),
        *map(doi_key, links),
        doi_in(text_field(entry, "bib_entry_raw", where)),
        pmid_key(scalar(ids, "pubmed_id", where)),
        *map(arxiv_key, [*arxiv_ids, *links]),
        _openalex_key(scalar(ids, "open_alex_id", where)),
    )
    return next(filter(None, found), None)


def _openalex_key(identifier: str) -> str | None:
    number = identifier.rpartition("/")[2].lower()
    return f"openalex:{number}" if number else None

"""Corpora of Annif (see "Corpus formats" in its wiki): short texts in a TSV, CSV or JSON Lines file.

    TSV     text <tab> <uri> <uri> …
    CSV     columns text, subject_uris (separated by spaces), document_id, title, abstract, …
    JSON    {"document_id", "text", "subjects": [{"uri", "label"}], "metadata": {"title", "abstract", …}}

JSON may also be a full text in a file of its own. A text of one line is an abstract, a longer one is read like a file
of plain text. Full texts in .txt files, with their subjects in a file beside, are read by `formats.text`.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from futex.corpus.document import Document, Subjects
from futex.corpus.formats.annif_subjects import without_brackets
from futex.corpus.formats.text import manuscript_of
from futex.corpus.json_records import json_records, nested, objects, scalar, text_field
from futex.corpus.lines import text_lines
from futex.corpus.paper import Paper, distinct, known, section, squeeze
from futex.corpus.references import own_keys
from futex.corpus.sources import Source
from futex.corpus.tables import MAX_ROW, columns, rows
from futex.corpus.text_files import bounded_lines, extension, fallback_id
from futex.errors import InputError

NAME = "annif"
HEAD = 4096

_TSV = re.compile(rb"[^\t\n<][^\t\n]*+\t[ ]*+(?:<|https?://)")
_JSON = re.compile(rb'\s*+\{\s*+"(?:document_id|text|subjects|metadata)"\s*+:')
_COLUMNS = frozenset({"text", "subject_uris"})
_OTHER_JSON = re.compile(rb'"(?:paragraphs|sections|body_text|bib_entries|references)"\s*+:')


def recognises(head: bytes, name: str = "") -> bool:
    """The files of subjects that lie beside full texts are none: these begin with a URI."""
    match extension(name):
        case ".tsv":
            return _TSV.match(head) is not None
        case ".csv":
            return _COLUMNS.issubset(columns(head))
        case _:
            return _JSON.match(head) is not None and _OTHER_JSON.search(head) is None


def read(source: Source) -> Iterator[Document]:
    match extension(source.name):
        case ".tsv":
            return _from_tsv(source)
        case ".csv":
            return _from_csv(source)
        case _:
            return _from_json(source)


def _from_tsv(source: Source) -> Iterator[Document]:
    for number, line in text_lines(source.stream, source.name):
        text, _, uris = line.partition("\t")
        if len(uris) > MAX_ROW:
            raise InputError(f"{source.name}, line {number}: more than {MAX_ROW >> 20} MiB of subjects; name fewer")
        yield _document(f"{fallback_id(source)}-{number}", text, {}, _uris(uris))


def _from_csv(source: Source) -> Iterator[Document]:
    if not _COLUMNS.issubset(columns(source.stream.peek(HEAD))):  # type: ignore[attr-defined]
        raise InputError(f"{source.name}: the first line must name the columns text and subject_uris")
    for number, row in rows(source.stream, source.name):
        paper_id = squeeze(row.get("document_id", "")) or f"{fallback_id(source)}-{number}"
        yield _document(paper_id, row.get("text", ""), row, _uris(row.get("subject_uris", "")))


def _from_json(source: Source) -> Iterator[Document]:
    name = fallback_id(source)
    is_one_document = extension(source.name) == ".json"
    for number, (where, record) in enumerate(json_records(source.stream, source.name), start=1):
        fields = {key: text_field(nested(record, "metadata", where), key, where) for key in ("title", "abstract")}
        paper_id = squeeze(scalar(record, "document_id", where)) or (name if is_one_document else f"{name}-{number}")
        terms = objects(record, "subjects", where)
        uris = [text_field(term, "uri", where).strip() for term in terms]
        labels = [squeeze(text_field(term, "label", where)) for term in terms if not term.get("uri")]
        subjects = Subjects(
            paths=tuple((label,) for label in distinct(labels)),
            ids=tuple(distinct(uris)),
        )
        yield _document(paper_id, bounded_lines(text_field(record, "text", where), where), fields, subjects)


def _uris(written: str) -> Subjects:
    return Subjects(ids=tuple(distinct(map(without_brackets, written.split()))))


def _document(paper_id: str, text: str, fields: Mapping[str, Any], subjects: Subjects) -> Document:
    title, abstract = (squeeze(fields.get(key) or "") for key in ("title", "abstract"))
    text = text.strip()
    if "\n" in text:
        first, manuscript = manuscript_of(text)
        title, abstract, body = title or first, abstract or manuscript.abstract, manuscript.body()
    elif abstract:
        body = section("", [text])
    else:
        abstract, body = squeeze(text), section("")
    return Document(Paper(paper_id, title, abstract, body, metadata=known(aliases=own_keys(title=title))), subjects)

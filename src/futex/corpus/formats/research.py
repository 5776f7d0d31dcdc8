"""The files of the FuTex research code (`MAGCS_paper.json`) and of the MAPLE benchmark (`papers.json`), line by line:

    FuTex   {"paper", "title", "abstract", "paragraphs": [{"section", "text"}], "label": [ids], "reference": [ids]}
    MAPLE   {"paper", "venue", "year", "title", "label", "author", "reference", "abstract", "title_raw", "abstract_raw"}

Their files of labels, candidates and predictions hold no papers. Sections are flat, as in the research code: all
paragraphs that name the same section are in it. References are ids of papers like their own.
"""

import re
from collections.abc import Iterator

from futex.corpus.document import Document, Subjects
from futex.corpus.json_records import Record, json_lines, objects, scalar, text_field, text_list
from futex.corpus.paper import Paper, Unit, distinct, known, section, squeeze
from futex.corpus.sources import Source
from futex.errors import InputError

NAME = "research"

_FIRST_FIELD = re.compile(rb'\s*+\{\s*+"(?:paper"\s*+:|label"\s*+:[^\n]*"combined_text")')
_COUNT = re.compile(r" \(\d{1,4}\)$")


def recognises(head: bytes, name: str = "") -> bool:
    return _FIRST_FIELD.match(head) is not None


def read(source: Source) -> Iterator[Document]:
    for number, record in json_lines(source.stream, source.name):
        if "title" in record or "abstract" in record:
            yield _document(record, f"{source.name}, line {number}")


def _document(record: Record, where: str) -> Document:
    paper_id = scalar(record, "paper", where)
    if not paper_id:
        raise InputError(f'{where}: the paper has no "paper", which is its id')
    paper = Paper(
        id=paper_id,
        title=squeeze(text_field(record, "title_raw", where) or text_field(record, "title", where)),
        abstract=squeeze(text_field(record, "abstract_raw", where) or text_field(record, "abstract", where)),
        body=_body(record, where),
        references=tuple(distinct(text_list(record, "reference", where))),
        metadata=known(
            year=_year(scalar(record, "year", where)),
            venue=scalar(record, "venue", where),
            authors=list(text_list(record, "author", where)),
        ),
    )
    return Document(paper, Subjects(ids=tuple(distinct(text_list(record, "label", where)))))


def _body(record: Record, where: str) -> Unit:
    paragraphs: dict[str, list[str]] = {}
    for paragraph in objects(record, "paragraphs", where):
        name = text_field(paragraph, "section", where)
        paragraphs.setdefault(name, []).append(text_field(paragraph, "text", where))
    return section("", sections=[section(_COUNT.sub("", name), texts) for name, texts in paragraphs.items()])


def _year(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[12]\d{3}", text, re.ASCII) else None

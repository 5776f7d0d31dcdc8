"""Our own line format, one paper a line (or one in a file, spread over lines), and its writer:

    {"id", "title", "abstract", "sections": [{"title", "paragraphs": [...], "sections": [...]}],
     "references": [...], ...metadata}

Paragraphs outside any section stand under a top-level "paragraphs".
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from futex.corpus.document import Document
from futex.corpus.json_records import json_records, text_field, text_list
from futex.corpus.paper import MAX_DEPTH, Paper, Unit, section, squeeze
from futex.corpus.sources import Source
from futex.errors import InputError

NAME = "jsonl"

OWN_FIELDS = frozenset({"id", "title", "abstract", "paragraphs", "sections", "references"})

_OBJECT = re.compile(rb'\s*+\{\s*+["}]')
_OF_A_PAPER = re.compile(rb'"(?:title|abstract|paragraphs|sections|references)"\s*+:')


def recognises(head: bytes, name: str = "") -> bool:
    """JSON objects, unless the first has nothing of a paper: labels, gold and settings often lie beside papers."""
    if not _OBJECT.match(head):
        return False
    first, line_break, _ = head.lstrip().partition(b"\n")
    try:
        record = json.loads(first)
    except (ValueError, RecursionError):
        return not line_break or _OF_A_PAPER.search(head) is not None
    return bool(record.keys() & (OWN_FIELDS - {"id"}))


def read(source: Source) -> Iterator[Document]:
    for where, record in json_records(source.stream, source.name):
        yield Document(paper_of(record, where))


def paper_of(record: Mapping[str, Any], where: str) -> Paper:
    """The paper of a JSON object; `where` names it in messages."""
    if not text_field(record, "id", where):
        raise InputError(f'{where}: the paper has no "id"')
    return Paper(
        id=text_field(record, "id", where),
        title=squeeze(text_field(record, "title", where)),
        abstract=squeeze(text_field(record, "abstract", where)),
        body=_section({**record, "title": ""}, where, depth=0),
        references=tuple(filter(None, text_list(record, "references", where))),
        metadata={key: value for key, value in record.items() if key not in OWN_FIELDS},
    )


def _section(record: Mapping[str, Any], where: str, depth: int) -> Unit:
    if depth > MAX_DEPTH:
        raise InputError(f"{where}: sections nested more than {MAX_DEPTH} deep")
    sections = record.get("sections") or []
    if not isinstance(sections, list) or not all(isinstance(part, dict) for part in sections):
        raise InputError(f'{where}: "sections" must be a list of objects with "title", "paragraphs", "sections"')
    return section(
        text_field(record, "title", where),
        text_list(record, "paragraphs", where),
        [_section(part, where, depth + 1) for part in sections],
    )


def as_record(paper: Paper) -> dict[str, Any]:
    """The JSON object of a paper, as `read` takes it back."""
    body = _as_section(paper.body)
    record: dict[str, Any] = {"id": paper.id, "title": paper.title, "abstract": paper.abstract}
    if body["paragraphs"]:
        record["paragraphs"] = body["paragraphs"]
    return {**record, "sections": body["sections"], "references": list(paper.references), **paper.metadata}


def _as_section(unit: Unit) -> dict[str, Any]:
    return {
        "title": unit.heading,
        "paragraphs": [child.text for child in unit.children if child.text],
        "sections": [_as_section(child) for child in unit.children if not child.text],
    }

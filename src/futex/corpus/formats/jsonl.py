"""Our own line format, one paper a line (or one in a file, spread over lines), and its writer:

    {"id", "title", "abstract", "sections": [{"title", "paragraphs": [...], "sections": [...]}],
     "references": [...], ...metadata}

Paragraphs outside any section stand under a top-level "paragraphs".
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from futex.corpus.document import Document
from futex.corpus.formats.content import content_of
from futex.corpus.lines import byte_lines, text_of
from futex.corpus.paper import MAX_DEPTH, Paper, Unit, section, squeeze
from futex.corpus.sources import Source
from futex.errors import InputError

NAME = "jsonl"
MAX_VALUES = 2_000_000
"""A value takes up to a hundred bytes of memory, and as few as two in a file."""

OWN_FIELDS = frozenset({"id", "title", "abstract", "paragraphs", "sections", "references"})

_HEAD = 4096
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_OBJECT = re.compile(rb'\s*+\{\s*+["}]')
_OF_A_PAPER = re.compile(rb'"(?:title|abstract|paragraphs|sections|references)"\s*+:')
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def recognises(head: bytes, name: str = "") -> bool:
    """JSON objects, unless the first has nothing of a paper: labels, gold and settings often lie beside papers."""
    start = head.removeprefix(_BYTE_ORDER_MARK)
    if not _OBJECT.match(start):
        return False
    first, line_break, _ = start.lstrip().partition(b"\n")
    try:
        record = json.loads(first)
    except (ValueError, RecursionError):
        return not line_break or _OF_A_PAPER.search(head) is not None
    return bool(record.keys() & (OWN_FIELDS - {"id"}))


def read(source: Source) -> Iterator[Document]:
    for where, record in json_records(source.stream, source.name):
        yield Document(paper_of(record, where))


def json_records(stream: BinaryIO, name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The objects of a file that holds one or has one on each line, each with where it stands."""
    head = stream.peek(_HEAD)[:_HEAD]  # type: ignore[attr-defined]
    if _is_spread_over_lines(head):
        yield name, json_object(content_of(stream, name), name)
    else:
        for number, record in json_lines(stream, name):
            yield f"{name}, line {number}", record


def _is_spread_over_lines(head: bytes) -> bool:
    first, line_break, _ = head.removeprefix(_BYTE_ORDER_MARK).lstrip().partition(b"\n")
    return bool(line_break) and not first.rstrip().endswith(b"}")


def json_lines(stream: BinaryIO, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Numbered JSON objects of a file, or one clear error that names the line."""
    for number, line in byte_lines(stream, name):
        yield number, json_object(line, f"{name}, line {number}")


def json_object(line: bytes, where: str) -> dict[str, Any]:
    record = json_value(line, where)
    if not isinstance(record, dict):
        raise InputError(f"{where}: a JSON object is needed on each line, this is a {type(record).__name__}")
    return record


def json_value(line: bytes, where: str) -> Any:
    """What the JSON says, without halves of surrogate pairs, which nobody can write; or one clear error."""
    if sum(map(line.count, (b",", b"[", b"{"))) > MAX_VALUES:
        raise InputError(f"{where}: more than {MAX_VALUES:,} values, too many for a paper; put one paper on each line")
    try:
        value = json.loads(text_of(line, where))
        if _SURROGATE.search(line):
            return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
        return value
    except ValueError as error:
        raise InputError(f"{where}: broken JSON ({error}); put one JSON object on each line") from error
    except RecursionError:
        raise InputError(f"{where}: nested too deeply to be a paper") from None


def paper_of(record: Mapping[str, Any], where: str) -> Paper:
    """The paper of a JSON object; `where` names it in messages."""
    if not text_field(record, "id", where):
        raise InputError(f'{where}: the paper has no "id"')
    return Paper(
        id=text_field(record, "id", where),
        title=squeeze(text_field(record, "title", where)),
        abstract=squeeze(text_field(record, "abstract", where)),
        body=_section({**record, "title": ""}, where, depth=0),
        references=text_list(record, "references", where),
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


def text_field(record: Mapping[str, Any], key: str, where: str) -> str:
    value = record.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InputError(f'{where}: "{key}" must be text, not {json.dumps(value)[:40]}')
    return value


def text_list(record: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    value = record.get(key) or []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InputError(f'{where}: "{key}" must be a list of texts')
    return tuple(value)


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

"""Labels one a line: {"id", "name", "synonyms": [...], "description", "broader": [ids], "type"}."""

import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from futex.corpus.json_records import json_lines, text_field, text_list
from futex.corpus.paper import distinct, squeeze
from futex.errors import InputError
from futex.labels.label import Label

NAME = "jsonl"

_OWN_FIELD = re.compile(rb'\s*+\{[^\n]*"(?:id|name)"')


def recognises(head: bytes, name: str = "") -> bool:
    """Whether the first line opens an object with an id or a name."""
    return _OWN_FIELD.match(head) is not None


def read(stream: BinaryIO, name: str, language: str = "en") -> Iterator[Label]:
    for number, record in json_lines(stream, name):
        yield _label(record, f"{name}, line {number}")


def _label(record: dict[str, Any], where: str) -> Label:
    label_name = squeeze(text_field(record, "name", where))
    label_id = text_field(record, "id", where).strip() or label_name
    if not label_name:
        raise InputError(f'{where}: label {label_id!r} has no "name"')
    return Label(
        id=label_id,
        name=label_name,
        synonyms=tuple(distinct(map(squeeze, text_list(record, "synonyms", where)), without=[label_name])),
        description=squeeze(text_field(record, "description", where)),
        broader=text_list(record, "broader", where),
        type=text_field(record, "type", where),
    )


def as_record(label: Label) -> dict[str, Any]:
    record: dict[str, Any] = {
        "id": label.id,
        "name": label.name,
        "synonyms": list(label.synonyms),
        "description": label.description,
        "broader": list(label.broader),
    }
    return {**record, "type": label.type} if label.type else record

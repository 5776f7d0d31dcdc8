"""Records of JSON files, one a file or one a line, and their fields, which machines fill less strictly than people."""

import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from futex.corpus.content import content_of
from futex.corpus.lines import byte_lines, text_of
from futex.errors import InputError

MAX_VALUES = 2_000_000
"""A value takes up to a hundred bytes of memory, and as few as two in a file."""

Record = Mapping[str, Any]

_HEAD = 4096
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def json_records(stream: BinaryIO, name: str) -> Iterator[tuple[str, Record]]:
    """The objects of a file that holds one or has one on each line, each with where it stands."""
    head = stream.peek(_HEAD)[:_HEAD]  # type: ignore[attr-defined]
    if _is_spread_over_lines(head):
        yield name, json_object(content_of(stream, name), name)
    else:
        for number, record in json_lines(stream, name):
            yield f"{name}, line {number}", record


def _is_spread_over_lines(head: bytes) -> bool:
    first, line_break, _ = head.removeprefix(BOM_UTF8).lstrip().partition(b"\n")
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


# --- fields


def text_field(record: Record, key: str, where: str) -> str:
    value = record.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InputError(f'{where}: "{key}" must be text, not {json.dumps(value)[:40]}')
    return value


def text_list(record: Record, key: str, where: str) -> tuple[str, ...]:
    value = record.get(key) or []
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InputError(f'{where}: "{key}" must be a list of texts')
    return tuple(value)


def scalar(record: Record, key: str, where: str) -> str:
    """An identifier or a year, which may be written as a number."""
    value = record.get(key)
    return str(value) if isinstance(value, int) else text_field(record, key, where)


def nested(record: Record, key: str, where: str) -> Record:
    """An object inside an object; none is an empty one."""
    value = record.get(key)
    if value is not None and not isinstance(value, dict):
        raise InputError(f'{where}: "{key}" must be an object, not a {type(value).__name__}')
    return value or {}


def objects(record: Record, key: str, where: str) -> list[Record]:
    """A list of objects."""
    value = record.get(key)
    if value is not None and not (isinstance(value, list) and all(isinstance(item, dict) for item in value)):
        raise InputError(f'{where}: "{key}" must be a list of objects')
    return value or []


def entries(record: Record, key: str, where: str) -> dict[str, Record]:
    """Objects by their names, as bibliographies are."""
    table = nested(record, key, where)
    if not all(isinstance(item, dict) for item in table.values()):
        raise InputError(f'{where}: "{key}" must hold objects')
    return dict(table)

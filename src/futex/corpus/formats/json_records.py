"""The fields of JSON objects, which machines fill less strictly than people."""

from collections.abc import Mapping
from typing import Any

from futex.corpus.formats.jsonl import text_field
from futex.errors import InputError

Record = Mapping[str, Any]


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

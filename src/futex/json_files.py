"""JSON files from strangers: no longer and no deeper than memory allows, and without numbers that are none."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from futex.errors import ModelError

MAX_BYTES = 256 * 2**20
"""Of a file. The longest of a model is its vocabulary: four million words, with their weights."""

MAX_VALUES = 8_000_000
"""A value takes up to two hundred bytes of memory, and as few as two in a file."""

MAX_DIGITS = 300
"""Of a whole number: from 310 on no float holds it, and comparing or showing it may fail."""


def read_object(path: Path) -> dict[str, Any]:
    """The object in a file, or one clear error."""
    value = _parsed(_content(path), path)
    if not isinstance(value, dict):
        raise ModelError(f"{path} is not a JSON object")
    return value


def _content(path: Path) -> bytes:
    if not path.is_file():  # a pipe would keep us waiting, a device would never end
        raise ModelError(f"{path.parent} is not complete: {path.name} is missing")
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ModelError(f"{path} is longer than {MAX_BYTES >> 20} MiB: no model needs that")
    if sum(map(content.count, (b",", b"[", b"{"))) > MAX_VALUES:
        raise ModelError(f"{path} holds more than {MAX_VALUES:,} values: no model needs that")
    return content


def _parsed(content: bytes, path: Path) -> Any:
    try:
        return json.loads(content, parse_constant=_refuse, parse_int=_whole)
    except ValueError as error:
        raise ModelError(f"{path} is not readable JSON: {error}") from error
    except RecursionError:
        raise ModelError(f"{path} is not readable JSON: it is nested too deeply") from None


def _whole(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"a number has more than {MAX_DIGITS} digits")
    return int(digits)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")


def values_in(value: Any) -> Iterator[tuple[str, Any]]:
    """Everything inside, however deep, each with the name it stands under or whose list it is in."""
    waiting = [("", value)]
    while waiting:
        name, inner = waiting.pop()
        yield name, inner
        if isinstance(inner, dict):
            waiting += inner.items()
        elif isinstance(inner, list):
            waiting += ((name, item) for item in inner)

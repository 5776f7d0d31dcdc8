"""What a reader needs to get the same numbers, as lines of fact and value."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from futex.experiments.results import Result


def facts(results: Sequence[Result]) -> Iterator[tuple[str, str]]:
    """Of results on one corpus; those of several runs say so in several lines."""
    for fact, values in _collected(results).items():
        for value in values:
            yield fact, value


def _collected(results: Sequence[Result]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for result in results:
        for fact, value in result.provenance.items():
            for name, text in _flat(fact, value):
                if text not in found.setdefault(name, []):
                    found[name].append(text)
    return found


def _flat(fact: str, value: Any) -> Iterator[tuple[str, str]]:
    if fact == "inputs":
        for name, digest in value.items():
            yield f"sha256 of {name}", str(digest)
    elif isinstance(value, dict):
        yield fact, ", ".join(f"{name} {_short(part)}" for name, part in value.items() if part not in (None, {}))
    elif value is not None:
        yield fact, str(value)


def _short(value: Any) -> str:
    return json.dumps(value) if isinstance(value, dict | list) else str(value)

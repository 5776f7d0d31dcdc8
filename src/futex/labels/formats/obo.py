"""OBO ontologies (1.2 and 1.4): a label for each [Term], its id as it stands there ("GO:0008150").

- EXACT synonyms are names, and so are NARROW ones: a paper on a kind of the thing is on the thing. RELATED and BROAD
  ones are not: they also mean something else.
- `def` is the description, `is_a` is broader. Obsolete terms and those without a name are left out.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import BinaryIO

from futex.corpus.lines import text_lines
from futex.corpus.paper import distinct, squeeze
from futex.errors import InputError
from futex.labels.label import Label

NAME = "obo"

MAX_TERM = 2**20
"""Characters of a term; the longest have some ten thousand."""

SCOPES = ("EXACT", "NARROW")

Tags = defaultdict[str, list[str]]

_HEADER = re.compile(rb"\s*+(?:![^\n]*+\n\s*+)*+(?:format-version:|\[Term\])")
_QUOTED = re.compile(r'\s*"((?:[^"\\]|\\.)*+)"\s*+([A-Z]*+)')
_ESCAPE = re.compile(r"\\(.)")
_NOT_VALUE = re.compile(r"(?<!\\)(?:\s!|\s?\{).*")
"""A trailing comment or the modifiers in braces."""


def recognises(head: bytes, name: str = "") -> bool:
    return _HEADER.match(head) is not None


def read(stream: BinaryIO, name: str, language: str = "en") -> Iterator[Label]:
    for where, tags in _terms(stream, name):
        label = _label(tags)
        if not label.id:
            raise InputError(f"{where}: a [Term] without an id")
        if label.name and _first(tags["is_obsolete"]) != "true":
            yield label


def _terms(stream: BinaryIO, name: str) -> Iterator[tuple[str, Tags]]:
    """Where each [Term] begins, and the values of its tags."""
    term: tuple[str, Tags] | None = None
    size = 0
    for number, line in text_lines(stream, name):
        line = line.strip()
        if line.startswith("["):
            if term:
                yield term
            term = (f"{name}, line {number}", Tags(list)) if line.startswith("[Term]") else None
            size = 0
        elif term:
            tag, colon, value = line.partition(":")
            size += len(line)
            if size > MAX_TERM:
                raise InputError(f"{term[0]}: a [Term] longer than {MAX_TERM >> 20} MiB; this is no ontology")
            if colon:
                term[1][tag].append(value.strip())
    if term:
        yield term


def _label(tags: Tags) -> Label:
    name = _first(tags["name"])
    definition = _QUOTED.match(tags["def"][0]) if tags["def"] else None
    return Label(
        id=_first(tags["id"]),
        name=name,
        synonyms=tuple(distinct(map(squeeze, _synonyms(tags)), without=[name])),
        description=squeeze(_unescaped(definition[1])) if definition else "",
        broader=tuple(distinct(map(_plain, tags["is_a"]))),
    )


def _synonyms(tags: Tags) -> Iterator[str]:
    for match in filter(None, map(_QUOTED.match, tags["synonym"])):
        if match[2] in SCOPES:
            yield _unescaped(match[1])
    for match in filter(None, map(_QUOTED.match, tags["exact_synonym"] + tags["narrow_synonym"])):  # as OBO 1.0 has it
        yield _unescaped(match[1])


def _first(values: list[str]) -> str:
    return _plain(values[0]) if values else ""


def _plain(value: str) -> str:
    return squeeze(_unescaped(_NOT_VALUE.sub("", value)))


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda match: {"n": "\n", "t": "\t", "W": " "}.get(match[1], match[1]), text)

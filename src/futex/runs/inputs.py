"""What a run is given."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

from futex.corpus.archives import archive_kind
from futex.corpus.paper import Paper
from futex.corpus.reading import OnSkip, Reading
from futex.corpus.store import spool_papers, usable_documents
from futex.corpus.streams import STREAM_ERRORS, open_binary
from futex.corpus.tar import BLOCK
from futex.files import sha256
from futex.labels.label import LabelSpace
from futex.labels.store import read_labels

Hashes = dict[str, str | None]
"""Of papers and labels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    papers: str
    labels: str
    format: str | None = None
    grobid: str | None = None
    labels_format: str | None = None
    language: str = "en"
    limit: int | None = None
    strict: bool = False
    top: int = 20
    also: tuple[str, ...] = ()
    """Formats of `results.writing` in which predictions are written besides JSONL."""

    def read_labels(self) -> LabelSpace:
        return read_labels(self.labels, self.labels_format, self.language)

    def read_papers(self, on_skip: OnSkip) -> Iterator[Paper]:
        """One at a time."""
        documents = usable_documents(self.papers, **self._reading(on_skip))
        return (document.paper for document in islice(documents, self.limit))

    def spool_papers(self, on_skip: OnSkip) -> Sequence[Paper]:
        """All of them, on disk."""
        return spool_papers(self.papers, limit=self.limit, **self._reading(on_skip))

    def hashes(self) -> Hashes:
        """To be taken before anything is read."""
        return {"papers": hash_of(self.papers), "labels": hash_of(self.labels)}

    def origin(self, hashes: Hashes) -> dict[str, Any]:
        """Stands for all that papers are read from; without a SHA-256 where that is more than what was hashed."""
        how = {"format": self.format, "grobid": self.grobid, "limit": self.limit, "strict": self.strict}
        return how | {"sha256": hashes["papers"] if _holds_all(self.papers) else None, "futex": version("futex")}

    def _reading(self, on_skip: OnSkip) -> Reading:
        return Reading(format=self.format, grobid=self.grobid, strict=self.strict, on_skip=on_skip)


def _holds_all(where: str) -> bool:
    """Whether the hash stands for all that is read: a single paper may pull in files beside it, and its name counts."""
    path = Path(where)
    if not path.is_file():
        return path.is_dir()
    try:
        with open_binary(path) as stream:
            return archive_kind(stream.peek(BLOCK)) is not None
    except STREAM_ERRORS:  # who reads the papers tells of the damage
        return False


def hash_of(where: str) -> str | None:
    """Of a file, or of the hashes of all files in a folder; standard input has none."""
    path = Path(where)
    if path.is_dir():
        return hash_of_folder(path)
    return sha256(path) if path.is_file() else None


def hash_of_folder(folder: Path) -> str:
    """What cannot be read counts by its name: whoever reads the papers tells of it."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    listing = "".join(f"{_hash_if_readable(path)} {path.relative_to(folder).as_posix()}\n" for path in files)
    return hashlib.sha256(listing.encode(errors="surrogateescape")).hexdigest()  # a file name may be no UTF-8


def _hash_if_readable(path: Path) -> str:
    try:
        return sha256(path)
    except OSError:
        return ""

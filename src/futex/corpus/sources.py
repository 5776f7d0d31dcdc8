"""Where papers come from: a file, a folder, an archive or standard input, as named byte streams.

Archives are read member by member as streams; nothing is ever unpacked to disk, so member names cannot lead anywhere.
"""

import os
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from futex.corpus.streams import STREAM_ERRORS, decompressed, open_binary
from futex.errors import InputError

ZIP_MAGIC, PARQUET_MAGIC = b"PK\x03\x04", b"PAR1"
TAR_MAGIC, TAR_MAGIC_AT = b"ustar", 257


def nothing_beside(_: str) -> bytes | None:
    return None


class Source(NamedTuple):
    """A stream of one file, with the name to use in messages; `path` is set when it lies on disk uncompressed."""

    name: str
    stream: BinaryIO
    path: Path | None = None
    beside: Callable[[str], bytes | None] = nothing_beside
    """The bytes of another file of the same folder or archive by its relative name (a .bib, a .key), if any."""


def is_collection(where: str) -> bool:
    """Whether `where` holds many files (a folder or an archive), of which a damaged one may be skipped."""
    path = Path(where)
    return where != "-" and (path.is_dir() or _archive_kind(path) is not None)


def open_sources(where: str) -> Iterator[Source]:
    """The files in `where` in a fixed order, each open for reading."""
    if where == "-":
        yield Source("standard input", decompressed(sys.stdin.buffer))
        return
    path = Path(where)
    if path.is_dir():
        for file in _files_below(path):
            yield from _open_path(file)
    else:
        yield from _open_path(path)


def _open_path(path: Path) -> Iterator[Source]:
    kind = _archive_kind(path)
    if kind == "zip":
        yield from _zip_members(path)
    elif kind == "tar":
        yield from _tar_members(path)
    else:
        with open_binary(path) as stream:
            yield Source(str(path), stream, path)


def _files_below(folder: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(folder):
        folders.sort()
        yield from (Path(parent, file) for file in sorted(files) if not file.startswith("."))


def _archive_kind(path: Path) -> str | None:
    with open_binary(path) as stream:
        try:
            head = stream.read(512)
        except STREAM_ERRORS as error:
            raise InputError(f"{path} is damaged: {error}; fetch or compress it again") from error
    if head.startswith(ZIP_MAGIC):
        return "zip"
    return "tar" if head[TAR_MAGIC_AT : TAR_MAGIC_AT + len(TAR_MAGIC)] == TAR_MAGIC else None


def _zip_members(path: Path) -> Iterator[Source]:
    try:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                if not member.is_dir():
                    with archive.open(member) as stream:
                        yield Source(f"{path}:{member.filename}", decompressed(stream))  # type: ignore[arg-type]
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise InputError(f"{path} is not a readable zip file: {error}") from error


def _tar_members(path: Path) -> Iterator[Source]:
    try:
        with open_binary(path) as stream, tarfile.open(fileobj=stream, mode="r|") as archive:
            for member in archive:
                content = archive.extractfile(member) if member.isfile() else None
                if content is not None:
                    yield Source(f"{path}:{member.name}", decompressed(content))  # type: ignore[arg-type]
    except (tarfile.TarError, *STREAM_ERRORS) as error:
        raise InputError(f"{path} is a damaged archive: {error}") from error

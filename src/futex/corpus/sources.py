"""Where papers come from: files, folders, patterns, archives or standard input, as named byte streams."""

import os
import re
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import chain
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import BinaryIO, NamedTuple, cast

from futex.corpus.archives import ARCHIVE_ERRORS, MAX_MEMBERS, archive_kind, open_zip
from futex.corpus.beside import BesideFile, BesideTarMember, BesideZipMember, nothing_beside
from futex.corpus.streams import STREAM_ERRORS, Readable, damaged, decompressed, following, open_binary
from futex.corpus.tar import BLOCK, members
from futex.errors import InputError, printable
from futex.progress import task

READING = "Reading files"
"""As it is shown: of papers, or of a vocabulary."""

LONGEST_BLOCK = 2**20
"""So much of a compressed pipe must be seen to tell whether it is an archive (bzip2 has the longest blocks)."""

Skip = Callable[[InputError], None]
"""Told of what cannot be read among many; raises it again if nothing may be skipped."""


class Source(NamedTuple):
    """A stream of one file, with the name to use in messages; `path` is set when it lies on disk."""

    name: str
    stream: BinaryIO
    path: Path | None = None
    beside: Callable[[str], bytes | None] = nothing_beside
    """The bytes of another file of the same folder or archive by its relative name (a .bib, a .key), if any."""
    among_many: bool = False
    """Whether it was found in a folder or archive; a file that the user named must be readable."""
    file: str = ""
    """The path of the file as it is, of a member below its archive; `name` is made for reading and may be ambiguous."""


def is_pipe(where: str) -> bool:
    """Whether `where` can be read only once: what lies beside a file in it is gone when the reading is over."""
    return where == "-" or (_is_special(Path(where)) and not Path(where).is_dir())


def open_sources(where: str, skip: Skip) -> Iterator[Source]:
    """The files in `where` in a fixed order, each open for reading until the next is asked for."""
    path = Path(where)
    if where == "-":
        yield from _counted(_open_pipe("standard input", cast(Readable, sys.stdin.buffer), skip))
    elif path.is_dir():
        yield from _open_all(lambda skip: _files_below(path, skip), skip)
    elif not path.exists() and _is_pattern(where):
        yield from _open_all(lambda skip: iter(_matching(where, skip)), skip)
    elif _is_special(path):
        with path.open("rb") as pipe:
            yield from _counted(_open_pipe(where, pipe, skip))
    else:
        yield from _counted(_open_file(path, skip))


def _counted(sources: Iterator[Source]) -> Iterator[Source]:
    """Shows how many files of an archive were read; a single file needs no such show."""
    for first in sources:
        if not first.among_many:
            yield first
            continue
        with task(READING, total=None) as advance:
            for source in chain([first], sources):
                yield source
                advance(1)


# --- on disk


def _open_all(files: Callable[[Skip], Iterator[Path]], skip: Skip) -> Iterator[Source]:
    with task(READING, total=sum(1 for _ in files(lambda _: None))) as advance:
        for file in files(skip):
            try:
                for source in _open_file(file, skip):
                    yield source._replace(among_many=True)
            except InputError as error:
                skip(error)
            advance(1)


def _files_below(folder: Path, skip: Skip) -> Iterator[Path]:
    """Links to folders are not followed, as they may lead round in circles."""

    def unreadable(error: OSError) -> None:
        skip(InputError(f"cannot read the folder {error.filename}: {error.strerror}"))

    for parent, folders, files in os.walk(folder, onerror=unreadable):
        folders.sort()
        yield from (path for path in (Path(parent, file) for file in sorted(files)) if _is_meant(path))


def _is_pattern(text: str) -> bool:
    return any(char in text for char in "*?[")


def _matching(pattern: str, skip: Skip) -> list[Path]:
    """All files that match, and those in matching folders."""
    parts = Path(pattern).parts
    plain = next(i for i, part in enumerate(parts) if _is_pattern(part))
    try:
        matches = list(Path(*parts[:plain]).glob(str(Path(*parts[plain:]))))
    except (ValueError, NotImplementedError) as error:
        raise InputError(f"cannot read the pattern {pattern}: {error}") from error
    files = {file for match in matches for file in (_files_below(match, skip) if match.is_dir() else [match])}
    if not files:
        raise InputError(f"no file matches {pattern}")
    return sorted(filter(_is_meant, files))


def _is_meant(path: Path) -> bool:
    return not _is_hidden(path.name) and not _is_special(path)


def _is_hidden(name: str) -> bool:
    """Such as the ._paper.md that macOS packs beside each paper.md, or what a wheel tells of itself."""
    *folders, file = re.split(r"[/\\]", name)
    return file.startswith(".") or any(folder.endswith(".dist-info") for folder in folders)


def _is_special(path: Path) -> bool:
    """A pipe, device or socket: in a folder it is never opened, as it may have no end."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False


def _open_file(path: Path, skip: Skip) -> Iterator[Source]:
    name = printable(str(path))
    with open_binary(path) as stream:
        try:
            kind = archive_kind(stream.peek(BLOCK))
        except STREAM_ERRORS as error:
            raise damaged(name, error) from error
        if kind is None:
            yield Source(name, stream, path, BesideFile(path), file=str(path))
    if kind is not None:
        yield from _open_archive(path, name, str(path), kind, skip)


# --- in pipes


def _open_pipe(name: str, pipe: Readable, skip: Skip) -> Iterator[Source]:
    """A pipe can be read only once and in order, so an archive in it is first copied to a temporary file."""
    start = following(b"", pipe).read(LONGEST_BLOCK)
    try:
        kind = archive_kind(decompressed(BytesIO(start)).peek(BLOCK))
    except STREAM_ERRORS:
        kind = None
    if kind is None:
        yield Source(name, decompressed(following(start, pipe)))
        return
    with NamedTemporaryFile(prefix="futex-") as copy:
        shutil.copyfileobj(following(start, pipe), copy)
        copy.flush()
        yield from _open_archive(Path(copy.name), name, name, kind, skip)


# --- in archives


def _open_archive(path: Path, name: str, file: str, kind: str, skip: Skip) -> Iterator[Source]:
    return _zip_members(path, name, file, skip) if kind == "zip" else _tar_members(path, name, file)


def _zip_members(path: Path, name: str, file: str, skip: Skip) -> Iterator[Source]:
    with open_zip(path, name) as archive:
        for member in archive.infolist():
            if member.filename.endswith("/") or _is_hidden(member.filename):  # `is_dir` fails on an empty name
                continue
            inside = f"{name}:{printable(member.filename)}"
            try:
                with archive.open(member) as content:
                    beside = BesideZipMember(path, member.filename)
                    stream = decompressed(cast(Readable, content))
                    yield Source(inside, stream, None, beside, among_many=True, file=f"{file}/{member.filename}")
            except ARCHIVE_ERRORS as error:
                skip(InputError(f"{inside} is damaged: {error}; pack it again"))


def _tar_members(path: Path, name: str, file: str) -> Iterator[Source]:
    try:
        with open_binary(path) as archive:
            for count, (member, content) in enumerate(members(archive), start=1):
                if count > MAX_MEMBERS:
                    raise InputError(f"{name}: more than {MAX_MEMBERS:,} files; split it")
                if _is_hidden(member):
                    continue
                beside = BesideTarMember(path, member)
                inside = f"{name}:{printable(member)}"
                yield Source(inside, decompressed(content), None, beside, among_many=True, file=f"{file}/{member}")
    except ARCHIVE_ERRORS as error:
        raise InputError(f"{name} is a damaged archive: {error}; fetch or pack it again") from error

"""The files that belong to a paper: the .bib beside a .tex, the .key beside a .txt.

A paper may only ask for files of its own folder and the folders below it, whatever names it contains. All of these can
be sent to another process.
"""

import io
import logging
import os
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from posixpath import dirname, join, normpath

from futex.corpus.archives import ARCHIVE_ERRORS, open_zip
from futex.corpus.streams import open_binary
from futex.corpus.tar import members
from futex.errors import DamagedPaper

MAX_FILE = 64 * 2**20
MAX_KEPT = 128 * 2**20
SUBJECTS = (".key", ".tsv")
KEPT = (".bbl", ".bib", ".csv", ".cls", ".ltx", ".sty", ".tex", *SUBJECTS)
"""A tar archive cannot be read out of order, so files of these kinds are kept once one of its papers asks."""

log = logging.getLogger(__name__)


def nothing_beside(_: str) -> bytes | None:
    return None


@dataclass(frozen=True, slots=True)
class BesideFile:
    """Files beside one on disk; links that lead out of its folder are not followed."""

    path: Path

    def __call__(self, name: str) -> bytes | None:
        if not _is_below(name):
            return None
        try:
            folder = self.path.parent.resolve()
            wanted = (folder / name).resolve()
            if not wanted.is_relative_to(folder) or not wanted.is_file():
                return None
            with wanted.open("rb") as file:
                return _bounded(file.read(MAX_FILE + 1), name)
        except (OSError, ValueError, RuntimeError):  # no such name, not to be read, a NUL inside, a loop of links
            return None


@dataclass(frozen=True, slots=True)
class BesideZipMember:
    archive: Path
    member: str

    def __call__(self, name: str) -> bytes | None:
        if not _is_below(name):
            return None
        wanted = _neighbour(self.member, name)
        try:
            content = _opened(self.archive, self.archive.stat().st_mtime_ns, os.getpid()).read(wanted)
        except ARCHIVE_ERRORS:
            return None
        return None if content is None else _bounded(content, wanted)


@lru_cache(maxsize=1)
def _opened(archive: Path, changed: int, process: int) -> "_OpenZip":
    """Open as long as its papers ask; by process, as a forked one would read from the same place in the file."""
    return _OpenZip(archive)


class _OpenZip:
    def __init__(self, path: Path) -> None:
        self._stack = ExitStack()
        self._archive = self._stack.enter_context(open_zip(path, str(path)))
        files = (member for member in self._archive.infolist() if not member.filename.endswith("/"))
        self._members = {normpath(member.filename): member for member in files}

    def read(self, name: str) -> bytes | None:
        member = self._members.get(name)
        if member is None:
            return None
        with self._archive.open(member) as content:
            return content.read(MAX_FILE + 1)

    def __del__(self) -> None:
        self._stack.close()


@dataclass(frozen=True, slots=True)
class BesideTarMember:
    archive: Path
    member: str

    def __call__(self, name: str) -> bytes | None:
        if not _is_below(name):
            return None
        kept = _kept(self.archive, self.archive.stat().st_mtime_ns)
        if kept is None and name.lower().endswith(SUBJECTS):
            return None  # a text is worth reading without
        if kept is None:
            raise DamagedPaper(f"{self.member}: its archive holds too much to look into; unpack it, give the folder")
        content = kept.get(_neighbour(self.member, name))
        return None if content is None else _bounded(content, name)


@lru_cache(maxsize=1)
def _kept(archive: Path, changed: int) -> dict[str, bytes] | None:
    """The small text files of a tar archive by name: one more pass over it, once for all its papers."""
    kept: dict[str, bytes] = {}
    size = 0
    with open_binary(archive) as stream, suppress(*ARCHIVE_ERRORS):  # who reads the papers tells of the damage
        for name, content in members(stream):
            if name.lower().endswith(KEPT):
                kept[normpath(name)] = io.BufferedReader(content).read(MAX_FILE + 1)
                size += len(kept[normpath(name)])
            if size > MAX_KEPT:
                log.warning(
                    "%s: more than %s MiB beside its papers, too much to look for subjects; unpack it, give the folder",
                    archive,
                    MAX_KEPT >> 20,
                )
                return None
    return kept


def _is_below(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    return parts[0] != "" and ".." not in parts


def _neighbour(member: str, name: str) -> str:
    return normpath(join(dirname(member), name))


def _bounded(content: bytes, name: str) -> bytes:
    if len(content) > MAX_FILE:
        raise DamagedPaper(f"{name}: longer than {MAX_FILE >> 20} MiB; leave out what the paper does not need")
    return content

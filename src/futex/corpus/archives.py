"""Zip and tar archives: how they are told apart and opened. Nothing is ever unpacked, so names lead nowhere."""

import io
import struct
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from futex.corpus.streams import STREAM_ERRORS
from futex.corpus.tar import BLOCK, TarError, is_tar
from futex.errors import InputError

MAX_CONTENTS = 32 * 2**20
"""A zip file's table of contents is read as a whole: this is some 300,000 members, and 350 MB of memory."""
MAX_MEMBERS = 10_000_000

ARCHIVE_ERRORS = (TarError, RuntimeError, NotImplementedError, ValueError, struct.error, *STREAM_ERRORS)
"""What a damaged, encrypted or hostile archive may raise."""


def archive_kind(head: bytes) -> str | None:
    """ "zip" or "tar" by the first bytes of a (decompressed) file."""
    if head.startswith(b"PK\x03\x04"):
        return "zip"
    return "tar" if is_tar(head[:BLOCK]) else None


@contextmanager
def open_zip(path: Path, name: str) -> Iterator[zipfile.ZipFile]:
    """The archive at `path`, which messages call `name`."""
    with ExitStack() as opened:
        try:
            archive = opened.enter_context(zipfile.ZipFile(opened.enter_context(_BoundedReads(path))))
        except ARCHIVE_ERRORS as error:
            raise InputError(f"{name} is not a readable zip file: {error}; fetch or pack it again") from error
        if sum(member.compress_size for member in archive.infolist()) > path.stat().st_size:
            raise InputError(f"{name}: its members overlap, so that a small file holds a very large one; pack it again")
        yield archive


class _BoundedReads(io.FileIO):
    """`zipfile` reads a table of contents of any length at once; all its other reads are small."""

    def read(self, size: int | None = -1) -> bytes:
        if size is not None and size > MAX_CONTENTS:
            raise zipfile.BadZipFile(f"its table of contents is longer than {MAX_CONTENTS >> 20} MiB")
        return super().read(size) or b""

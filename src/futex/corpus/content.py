"""The bytes of a file that holds one paper, up to a size."""

from typing import BinaryIO

from futex.corpus.streams import STREAM_ERRORS, damaged
from futex.errors import DamagedPaper

MAX_BYTES = 64 * 2**20
"""The longest articles have a few MiB; a compressed bomb must not fill the memory."""


def content_of(stream: BinaryIO, name: str, max_bytes: int | None = None) -> bytes:
    """All of it; formats that take long to read may have a limit of their own."""
    limit = MAX_BYTES if max_bytes is None else max_bytes
    try:
        content = stream.read(limit + 1)
    except STREAM_ERRORS as error:
        raise damaged(name, error) from error
    if len(content) > limit:
        raise DamagedPaper(f"{name}: longer than {limit >> 20} MiB; split it into one article a file")
    return content

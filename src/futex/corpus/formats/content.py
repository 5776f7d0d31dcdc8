"""The bytes of a file that holds one paper, up to a size."""

from typing import BinaryIO

from futex.corpus.streams import STREAM_ERRORS
from futex.errors import DamagedPaper

MAX_BYTES = 64 * 2**20
"""The longest articles have a few MiB; a compressed bomb must not fill the memory."""


def content_of(stream: BinaryIO, name: str) -> bytes:
    try:
        content = stream.read(MAX_BYTES + 1)
    except STREAM_ERRORS as error:
        raise DamagedPaper(f"{name}: cannot be read to its end ({error}); fetch or compress it again") from error
    if len(content) > MAX_BYTES:
        raise DamagedPaper(f"{name}: longer than {MAX_BYTES >> 20} MiB; split it into one article a file")
    return content

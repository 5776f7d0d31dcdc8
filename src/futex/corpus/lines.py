"""Lines of a file, numbered, in UTF-8 and none without end."""

from collections.abc import Iterator
from typing import BinaryIO

from futex.corpus.streams import STREAM_ERRORS, damaged
from futex.errors import InputError

MAX_LINE = 64 * 2**20
"""No paper is longer than this; a file without line breaks must not fill the memory."""


def byte_lines(stream: BinaryIO, name: str) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers, or one clear error that names the line."""
    return ((number, line) for number, line in _all_lines(stream, name) if line.strip())


def _all_lines(stream: BinaryIO, name: str) -> Iterator[tuple[int, bytes]]:
    number = 0
    while True:
        number += 1
        try:
            line = stream.readline(MAX_LINE + 1)
        except STREAM_ERRORS as error:
            raise damaged(name, error, f" after line {number - 1}") from error
        if not line:
            return
        if len(line) > MAX_LINE:
            raise InputError(
                f"{name}, line {number}: longer than {MAX_LINE >> 20} MiB; put each record on its own line"
            )
        yield number, line


def text_lines(stream: BinaryIO, name: str, blank: bool = False) -> Iterator[tuple[int, str]]:
    """The same as text, without a byte order mark; on demand also the blank ones."""
    for number, line in _all_lines(stream, name) if blank else byte_lines(stream, name):
        yield number, text_of(line, f"{name}, line {number}")


def text_of(line: bytes, where: str) -> str:
    try:
        return line.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: not UTF-8 ({error.reason}); save the file as UTF-8") from error

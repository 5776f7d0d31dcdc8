"""Rows of CSV files with a header."""

import csv
from collections.abc import Iterator
from typing import BinaryIO

from futex.corpus.lines import text_lines
from futex.errors import InputError

MAX_ROW = 2**20
"""Characters of a row, which quotes may draw out over many lines; every comma in it costs eight bytes."""


def columns(head: bytes) -> tuple[str, ...]:
    """The names that the first line of a file gives to its columns, if it has any."""
    line = head.lstrip().partition(b"\n")[0].decode("utf-8-sig", "replace")
    try:
        return _names(next(csv.reader([line]), []))
    except csv.Error:
        return ()


def rows(stream: BinaryIO, name: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The values of each row that is not blank, by column, with the number of the line it ends on."""
    number = size = 0

    def lines() -> Iterator[str]:
        nonlocal number, size
        for number, line in text_lines(stream, name, blank=True):  # those inside quotes count
            size += len(line)
            if size > MAX_ROW:
                raise InputError(f"{name}, line {number}: a row longer than {MAX_ROW >> 20} MiB; check its quotes")
            yield line

    header: tuple[str, ...] = ()
    try:
        for row in csv.reader(lines()):
            size = 0
            if not any(map(str.strip, row)):
                continue
            if header:
                yield number, dict(zip(header, row, strict=False))
            else:
                header = _names(row)
    except csv.Error as error:
        raise InputError(
            f"{name}, line {number}: not a row of CSV ({error}); check its quotes, and give long texts as JSON"
        ) from error


def _names(row: list[str]) -> tuple[str, ...]:
    return tuple(column.strip() for column in row)

"""Rows of CSV files with a header."""

import csv
from collections.abc import Iterator
from typing import BinaryIO

from futex.corpus.lines import text_lines
from futex.errors import InputError

MAX_ROW = 2**20
"""Characters of a line; every comma in it costs eight bytes."""


def columns(head: bytes) -> tuple[str, ...]:
    """The names that the first line of a file gives to its columns, if it has any."""
    line = head.lstrip().partition(b"\n")[0].decode("utf-8", "replace")
    try:
        return tuple(name.strip() for name in next(csv.reader([line]), []))
    except csv.Error:
        return ()


def rows(stream: BinaryIO, name: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Where each row ends, and its values by column."""
    number = 0

    def lines() -> Iterator[str]:
        nonlocal number
        for number, line in text_lines(stream, name):
            if len(line) > MAX_ROW:
                raise InputError(
                    f"{name}, line {number}: longer than {MAX_ROW >> 20} MiB; put each label on its own line"
                )
            yield line

    table = csv.reader(lines())
    try:
        header = tuple(column.strip() for column in next(table, []))
        for row in table:
            yield f"{name}, line {number}", dict(zip(header, row, strict=False))
    except csv.Error as error:
        raise InputError(f"{name}, line {number}: not a row of CSV ({error}); check its quotes") from error

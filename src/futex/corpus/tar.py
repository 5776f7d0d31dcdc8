"""The regular files of a tar archive as a stream, for archives that come from strangers.

Python's own `tarfile` takes headers of any length into memory, follows chains of them by recursion and knows many kinds
of member. A reader of papers needs names and contents of plain files (ustar, GNU and pax), and can bound all the rest.
"""

import io
from collections.abc import Iterator
from typing import BinaryIO, cast

BLOCK = 512
MAX_HEADER = 2**20
"""Names and attributes are short; a header of gigabytes is an attack on the memory."""

_FILE, _LONG_NAME, _ATTRIBUTES, _SPARSE = (b"0", b"\0", b"7"), b"L", b"x", b"S"
_OTHER_HEADERS = (b"K", b"g", b"X", b"N")
_WITHOUT_CONTENT = (b"1", b"2", b"3", b"4", b"5", b"6")
"""Links, devices, folders and pipes: what their size says does not follow in the archive."""


class TarError(Exception):
    """The archive is damaged or too strange."""


def is_tar(head: bytes) -> bool:
    """Whether the first block is a tar header: only its checksum tells, the oldest tars have no magic number."""
    return len(head) >= BLOCK and any(head[:BLOCK]) and _checksum_fits(head[:BLOCK])


def members(archive: BinaryIO) -> Iterator[tuple[str, "Content"]]:
    """Names and contents in the order of the archive; each content can be read until the next is asked for."""
    name, size = "", None
    while (header := _header(archive)) is not None:
        kind = header[156:157]
        content = Content(archive, _number(header[124:136]))
        if kind == _LONG_NAME:
            name = _text(content.whole().rstrip(b"\0"))
        elif kind == _ATTRIBUTES:
            attributes = _attributes(content.whole())
            name = _text(attributes.get(b"path", b"")) or name
            size = _decimal(attributes[b"size"]) if b"size" in attributes else size
        elif kind in _OTHER_HEADERS:
            content.whole()
        elif kind == _SPARSE:
            raise TarError("it holds sparse files; pack it again without --sparse")
        else:
            content = Content(archive, size) if size is not None else content
            if kind in _FILE:
                yield name or _name(header), content
            if kind not in _WITHOUT_CONTENT:
                content.skip()
            name, size = "", None


def _header(archive: BinaryIO) -> bytes | None:
    """The next header; none at the end, which is a block of zeros or, with careless writers, just the end."""
    header = archive.read(BLOCK)
    if not any(header):
        return None
    if len(header) < BLOCK:
        raise TarError("it ends too early")
    if not _checksum_fits(header):
        raise TarError("a header has the wrong checksum")
    return header


class Content(io.RawIOBase):
    """What is left of one member."""

    def __init__(self, archive: BinaryIO, size: int) -> None:
        self._archive = archive
        self._left = size
        self._padding = -size % BLOCK

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(cast(bytearray, buffer))
        piece = _read(self._archive, min(len(view), self._left))
        view[: len(piece)] = piece
        self._left -= len(piece)
        return len(piece)

    def skip(self) -> None:
        """Go to the end of the member."""
        self._left += self._padding
        self._padding = 0
        while self._left:
            self._left -= len(_read(self._archive, min(self._left, MAX_HEADER)))

    def whole(self) -> bytes:
        """All of it, if it only describes the next member."""
        if self._left > MAX_HEADER:
            raise TarError(f"a header is longer than {MAX_HEADER >> 20} MiB")
        content = _read(self._archive, self._left)
        self._left = 0
        self.skip()
        return content


def _read(archive: BinaryIO, size: int) -> bytes:
    content = archive.read(size)
    if len(content) < size:
        raise EOFError("it ends too early")
    return content


def _checksum_fits(header: bytes) -> bool:
    try:
        stated = _number(header[148:156])
    except TarError:
        return False
    blanked = header[:148] + b" " * 8 + header[156:]
    signed = sum(blanked) - 256 * sum(byte > 127 for byte in blanked)
    return stated in (sum(blanked), signed)


def _number(field: bytes) -> int:
    """An octal number, or (for sizes from 8 GiB) a binary one, marked by its first bit."""
    if field[0] == 0x80:
        return int.from_bytes(field[1:], "big")
    return _decimal(field.partition(b"\0")[0].strip() or b"0", base=8)


def _decimal(digits: bytes, base: int = 10) -> int:
    if not digits.isdigit() or len(digits) > 20:
        raise TarError("a number is not readable")
    try:
        return int(digits, base)
    except ValueError:
        raise TarError("a number is not readable") from None


def _name(header: bytes) -> str:
    name, prefix = (header[a:b].partition(b"\0")[0] for a, b in ((0, 100), (345, 500)))
    is_ustar = header[257:263] == b"ustar\0"
    return _text(prefix + b"/" + name if is_ustar and prefix else name)


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")


def _attributes(header: bytes) -> dict[bytes, bytes]:
    """The records "length key=value\\n" of a pax header."""
    found: dict[bytes, bytes] = {}
    start = 0
    while start < len(header):
        length = _decimal(header[start : header.find(b" ", start, start + 21)])
        record = header[start : start + length]
        key, equals, value = record.partition(b" ")[2].partition(b"=")
        if not equals or not record.endswith(b"\n") or len(record) < length:
            raise TarError("its extended header is not readable")
        found[key] = value[:-1]
        start += length
    return found

"""Bytes in: plain or compressed files, recognised by their first bytes, never by their names."""

import bz2
import gzip
import io
import lzma
import zipfile
import zlib
from pathlib import Path
from typing import Any, BinaryIO, Protocol, TypeAlias, cast

import zstandard

from futex.errors import DamagedPaper, InputError

Peekable: TypeAlias = "io.BufferedReader[io.RawIOBase]"

GZIP, BZIP2, XZ, ZSTD = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"

COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
"""What files may be compressed as, by their extensions."""

STREAM_ERRORS = (OSError, EOFError, lzma.LZMAError, zlib.error, zstandard.ZstdError, zipfile.BadZipFile)
"""What a truncated or damaged compressed stream may raise while it is read."""

LARGEST_READ = 1 << 20
_ZSTD_READ = 1 << 10
"""A kilobyte of zstd may hold 32 MiB of zeros, and all of it comes out at once."""


def damaged(name: str, error: BaseException, where: str = "") -> DamagedPaper:
    """What to tell the user when a stream raises one of these."""
    return DamagedPaper(f"{name} is damaged{where}: {error}; fetch or compress it again")


class Readable(Protocol):
    """The little that we need of a stream."""

    def readinto(self, buffer: Any, /) -> int | None: ...
    def close(self) -> None: ...


def open_binary(path: Path) -> Peekable:
    """The file's bytes, decompressed if need be."""
    try:
        return decompressed(path.open("rb", buffering=0))
    except FileNotFoundError:
        raise InputError(f"no such file: {path}") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder, a file is needed here") from None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


def decompressed(stream: Readable) -> Peekable:
    """Undo gzip, bzip2, xz or zstd compression; the result can be peeked into."""
    buffered = _peekable(stream)
    magic = buffered.peek(8)[:8]
    if magic.startswith(GZIP):
        return _peekable(gzip.GzipFile(fileobj=buffered))
    if magic.startswith(BZIP2):
        return _peekable(bz2.BZ2File(buffered))
    if magic.startswith(XZ):
        return _peekable(lzma.LZMAFile(buffered))
    if magic.startswith(ZSTD):
        return _peekable(_ZstdReader(buffered))
    return buffered


def following(start: bytes, rest: Readable) -> Peekable:
    """What was already read of a stream and then the rest of it; closing this leaves the stream open."""
    return _peekable(_Following(start, rest))


class _Following(io.RawIOBase):
    def __init__(self, start: bytes, rest: Readable) -> None:
        self._start = io.BytesIO(start)
        self._rest = rest

    def readinto(self, buffer: object) -> int | None:
        return self._start.readinto(cast(bytearray, buffer)) or self._rest.readinto(buffer)


def _peekable(stream: Readable) -> Peekable:
    return io.BufferedReader(_Filling(stream), buffer_size=1 << 16)


class _Filling(io.RawIOBase):
    """Fills every buffer it is given: pipes and decompressors hand out bits, and a peek must see more than that.

    What was read before a fault is handed out first, then the fault is raised.
    """

    def __init__(self, source: Readable) -> None:
        self._source = source
        self._fault: Exception | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        if self._fault is not None:
            raise self._fault
        view = memoryview(cast(bytearray, buffer))
        filled = 0
        try:
            while filled < len(view) and (count := self._source.readinto(view[filled : filled + LARGEST_READ])):
                filled += count
        except STREAM_ERRORS as fault:
            if not filled:
                raise
            self._fault = fault
        return filled

    def close(self) -> None:
        self._source.close()
        super().close()


def compressing(path: Path, target: BinaryIO) -> BinaryIO:
    """A writer that compresses as the extension of `path` says; closing it leaves `target` open."""
    match path.suffix:
        case ".gz":
            return cast(BinaryIO, gzip.GzipFile(fileobj=target, mode="wb", mtime=0, filename=""))
        case ".bz2":
            return cast(BinaryIO, bz2.BZ2File(target, "wb"))
        case ".xz":
            return cast(BinaryIO, lzma.LZMAFile(target, "wb"))
        case ".zst":
            return cast(BinaryIO, zstandard.ZstdCompressor().stream_writer(target, closefd=False))
        case _:
            return cast(BinaryIO, io.BufferedWriter(_KeepOpen(target)))


class _KeepOpen(io.RawIOBase):
    """Passes writes on; closing it does not close what lies below."""

    def __init__(self, target: BinaryIO) -> None:
        self._target = target

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        return self._target.write(cast(bytes, data))


class _ZstdReader(io.RawIOBase):
    """zstandard's own stream reader ends quietly on a truncated file; this one raises EOFError."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._frame = zstandard.ZstdDecompressor().decompressobj()
        self._pending = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: object) -> int:
        view = memoryview(cast(bytearray, buffer))
        while not self._pending:
            if self._frame.eof:
                rest = self._frame.unused_data or self._source.read(64)
                if not rest:
                    return 0
                self._frame = zstandard.ZstdDecompressor().decompressobj()
                self._pending = memoryview(self._frame.decompress(rest))
                continue
            chunk = self._source.read(_ZSTD_READ)
            if not chunk:
                raise EOFError("compressed file ended before the end-of-stream marker was reached")
            self._pending = memoryview(self._frame.decompress(chunk))
        taken = self._pending[: len(view)]
        view[: len(taken)] = taken
        self._pending = self._pending[len(taken) :]
        return len(taken)

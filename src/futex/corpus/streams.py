"""Bytes in: plain or compressed files, recognised by their first bytes, never by their names."""

import bz2
import gzip
import io
import lzma
import zlib
from pathlib import Path
from typing import BinaryIO, cast

import zstandard

from futex.errors import InputError

GZIP, BZIP2, XZ, ZSTD = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd"

STREAM_ERRORS = (OSError, EOFError, lzma.LZMAError, zlib.error, zstandard.ZstdError)
"""What a truncated or damaged compressed stream may raise while it is read."""


def open_binary(path: Path) -> BinaryIO:
    """The file's bytes, decompressed if need be."""
    try:
        return decompressed(path.open("rb"))
    except FileNotFoundError:
        raise InputError(f"no such file: {path}") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder, a file is needed here") from None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


def decompressed(stream: BinaryIO) -> "io.BufferedReader[io.RawIOBase]":
    """Undo gzip, bzip2, xz or zstd compression; the result can be peeked into."""
    buffered = io.BufferedReader(cast(io.RawIOBase, stream))
    magic = buffered.peek(8)[:8]
    if magic.startswith(GZIP):
        return io.BufferedReader(cast(io.RawIOBase, gzip.GzipFile(fileobj=buffered)))
    if magic.startswith(BZIP2):
        return io.BufferedReader(cast(io.RawIOBase, bz2.BZ2File(buffered)))
    if magic.startswith(XZ):
        return io.BufferedReader(cast(io.RawIOBase, lzma.LZMAFile(buffered)))
    if magic.startswith(ZSTD):
        return io.BufferedReader(_ZstdReader(cast(BinaryIO, buffered)))
    return buffered


def compressing(path: Path, target: BinaryIO) -> BinaryIO:
    """A writer that compresses as the extension of `path` says; closing it leaves `target` open."""
    match path.suffix:
        case ".gz":
            return cast(BinaryIO, gzip.GzipFile(fileobj=target, mode="wb", mtime=0, filename=""))
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
        self._pending = b""

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
                self._pending = self._frame.decompress(rest)
                continue
            chunk = self._source.read(1 << 16)
            if not chunk:
                raise EOFError("compressed file ended before the end-of-stream marker was reached")
            self._pending = self._frame.decompress(chunk)
        taken = self._pending[: len(view)]
        view[: len(taken)] = taken
        self._pending = self._pending[len(taken) :]
        return len(taken)

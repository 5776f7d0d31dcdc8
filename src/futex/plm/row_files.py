"""Rows of numbers on disk, found by key, whatever happened to the files.

Three append-only files hold a record a row: `keys` (16-byte digests), `rows` (float32) and `sums` (a CRC-32 of both).
Keys are written last, so a process that is killed in between leaves records that the next writer cuts off. A row whose
sum does not fit is as good as none: it is computed again and appended, and the later of two rows with one key counts.
"""

import errno
import logging
import os
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache as once
from pathlib import Path

import numpy as np
from filelock import FileLock

from futex.errors import InputError
from futex.plm.protocol import Array
from futex.plm.row_index import KEY_BYTES, RowIndex

log = logging.getLogger(__name__)

SUM_BYTES = 4
NOT_OURS_TO_WRITE = (errno.EACCES, errno.EPERM, errno.EROFS)


class RowFiles:
    """Safe against kills, other processes that write to it, and files that were cut or altered.

    Whoever only reads needs no right to write, and whoever may not write goes on without keeping anything.
    """

    def __init__(self, folder: Path, width: int) -> None:
        self._width = width
        self._index = RowIndex()
        self._damaged: dict[bytes, int] = {}
        self._size = {folder / "rows": width * 4, folder / "sums": SUM_BYTES, folder / "keys": KEY_BYTES}
        self._rows, self._sums, self._keys = self._size
        self._folder = folder
        self._lock = FileLock(folder / "lock")
        try:
            self._catch_up()
        except OSError as error:
            raise _cannot_use(folder, error) from error

    def rows(self, keys: Sequence[bytes]) -> Mapping[bytes, Array]:
        """Those that are there and undamaged."""
        found: dict[bytes, Array] = {}
        with suppress(FileNotFoundError), self._rows.open("rb") as rows, self._sums.open("rb") as sums:
            for key, position in self._index.positions(keys):
                row = os.pread(rows.fileno(), self._width * 4, position * self._width * 4)
                if os.pread(sums.fileno(), SUM_BYTES, position * SUM_BYTES) == _sum(key, row):
                    found[key] = np.frombuffer(row, np.float32)
                else:
                    self._damaged[key] = position
        return found

    def add(self, keys: Sequence[bytes], rows: Array) -> None:
        """Rows that `rows` did not find, unless another process has added them in the meantime."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with self._lock:
                self._cut_off(self._catch_up())
                known = dict(self._index.positions(keys))
                new = [i for i, key in enumerate(keys) if key not in known or known[key] == self._damaged.get(key)]
                keys = [keys[i] for i in new]
                data = [np.ascontiguousarray(rows[i], np.float32).tobytes() for i in new]
                sums = [_sum(key, row) for key, row in zip(keys, data, strict=True)]
                for path, records in ((self._rows, data), (self._sums, sums), (self._keys, keys)):
                    with path.open("ab") as file:
                        file.write(b"".join(records))
                self._index.append(b"".join(keys))
        except OSError as error:
            if error.errno not in NOT_OURS_TO_WRITE:
                raise _cannot_use(self._folder, error) from error
            _keeps_nothing(self._folder.parent.parent)

    def _catch_up(self) -> int:
        """Learn the keys that others wrote; gives the number of whole records."""
        whole = min(_bytes_in(path) // size for path, size in self._size.items())
        if whole < len(self._index):
            self._index = RowIndex()
        if whole > len(self._index):
            with self._keys.open("rb") as file:
                file.seek(len(self._index) * KEY_BYTES)
                self._index.append(file.read((whole - len(self._index)) * KEY_BYTES))
        return whole

    def _cut_off(self, whole: int) -> None:
        """What a killed writer, or damage, left of a record."""
        for path, size in self._size.items():
            if _bytes_in(path) > whole * size:
                os.truncate(path, whole * size)


def _bytes_in(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _sum(key: bytes, row: bytes) -> bytes:
    return zlib.crc32(row, zlib.crc32(key)).to_bytes(SUM_BYTES, "little")


def _cannot_use(folder: Path, error: OSError) -> InputError:
    return InputError(f"cannot use the cache in {folder}: {error.strerror or error}; choose another with --cache")


@once
def _keeps_nothing(cache: Path) -> None:
    """Said once: a cache has a store for each PLM, and each is written to again and again."""
    log.warning("cannot write to the cache %s: what is computed now is not kept; choose another with --cache", cache)

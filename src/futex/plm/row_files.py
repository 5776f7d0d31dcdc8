"""Rows of numbers on disk, found by key, whatever happened to the files.

Three append-only files hold a record a row: `keys` (16-byte digests), `rows` (float32) and `sums` (a CRC-32 of both).
Keys are written last, so a process that is killed in between leaves records that the next writer cuts off. A row whose
sum does not fit is as good as none: it is computed again and appended, and the later of two rows with one key counts.
"""

import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from filelock import FileLock

from futex.errors import InputError
from futex.plm.protocol import Array
from futex.plm.row_index import KEY_BYTES, RowIndex

SUM_BYTES = 4


class RowFiles:
    """Safe against kills, other processes that write to it, and files that were cut or altered."""

    def __init__(self, folder: Path, width: int) -> None:
        self._width = width
        self._index = RowIndex()
        self._damaged: dict[bytes, int] = {}
        self._size = {folder / "rows": width * 4, folder / "sums": SUM_BYTES, folder / "keys": KEY_BYTES}
        self._rows, self._sums, self._keys = self._size
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = FileLock(folder / "lock")
            with self._lock:
                self._begin()
                self._catch_up()
        except OSError as error:
            raise _cannot_use(folder, error) from error

    def rows(self, keys: Sequence[bytes]) -> Mapping[bytes, Array]:
        """Those that are there and undamaged."""
        found: dict[bytes, Array] = {}
        with self._rows.open("rb") as rows, self._sums.open("rb") as sums:
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
            with self._lock:
                self._catch_up()
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
            raise _cannot_use(self._rows.parent, error) from error

    def _begin(self) -> None:
        """Make the files; those of an earlier version have no sums yet."""
        if self._rows.exists() and self._keys.exists() and not self._sums.exists():
            self._sums.write_bytes(b"".join(_sum(key, row) for key, row in self._all()))
        for path in self._size:
            path.touch()

    def _all(self) -> Iterator[tuple[bytes, bytes]]:
        with self._keys.open("rb") as keys, self._rows.open("rb") as rows:
            while len(key := keys.read(KEY_BYTES)) == KEY_BYTES:
                yield key, rows.read(self._width * 4)

    def _catch_up(self) -> None:
        """Learn the keys that others wrote, and cut off what a killed writer, or damage, left of a record."""
        whole = min(path.stat().st_size // size for path, size in self._size.items())
        if whole < len(self._index):
            self._index = RowIndex()
        with self._keys.open("rb") as file:
            file.seek(len(self._index) * KEY_BYTES)
            self._index.append(file.read((whole - len(self._index)) * KEY_BYTES))
        for path, size in self._size.items():
            if path.stat().st_size > whole * size:
                os.truncate(path, whole * size)


def _sum(key: bytes, row: bytes) -> bytes:
    return zlib.crc32(row, zlib.crc32(key)).to_bytes(SUM_BYTES, "little")


def _cannot_use(folder: Path, error: OSError) -> InputError:
    return InputError(f"cannot use the cache in {folder}: {error.strerror or error}; choose another with --cache")

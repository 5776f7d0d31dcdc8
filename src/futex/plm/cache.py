"""Nothing is computed twice: vectors and pair scores on disk, found again by the content they were computed from.

A store is two append-only files, `keys` (16-byte digests) and `rows` (float32). Rows are written first, so a process
that is killed in between leaves a row without a key, which the next writer cuts off.
"""

import hashlib
import os
from collections.abc import Callable, Sequence
from copy import copy
from itertools import islice
from pathlib import Path
from typing import TypeVar

import numpy as np
from filelock import FileLock

from futex.plm.protocol import Array, TrainablePLM

KEY_BYTES = 16
ITEMS_AT_ONCE = 256
"""Texts or pairs computed between two writes: what a kill can cost at most."""


def digest(*texts: str) -> bytes:
    """A key for one text or for a pair, with lengths so that ("ab", "c") and ("a", "bc") differ."""
    key = hashlib.blake2b(digest_size=KEY_BYTES)
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        key.update(len(data).to_bytes(8, "little"))
        key.update(data)
    return key.digest()


class MemoryStore:
    """Rows by key, for as long as the process lives."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._rows: dict[bytes, Array] = {}

    def __contains__(self, key: bytes) -> bool:
        return key in self._rows

    def rows(self, keys: Sequence[bytes]) -> Array:
        return np.array([self._rows[key] for key in keys], np.float32).reshape(len(keys), self._width)

    def add(self, keys: Sequence[bytes], rows: Array) -> None:
        self._rows.update(zip(keys, rows, strict=True))

    def forget_all_but(self, most: int) -> None:
        """Drop the rows that were added first, until `most` are left."""
        for key in list(islice(self._rows, max(0, len(self._rows) - most))):
            del self._rows[key]


class DiskStore:
    """Rows by key, memory-mapped; safe against kills and against other processes that write to it."""

    def __init__(self, folder: Path, width: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._keys_path, self._rows_path = folder / "keys", folder / "rows"
        self._lock = FileLock(folder / "lock")
        self._width = width
        self._position: dict[bytes, int] = {}
        self._mapped: Array = np.empty((0, width), np.float32)
        with self._lock:
            self._catch_up()

    def __contains__(self, key: bytes) -> bool:
        return key in self._position

    def rows(self, keys: Sequence[bytes]) -> Array:
        if not keys:
            return np.empty((0, self._width), np.float32)
        if len(self._mapped) < len(self._position):
            shape = (len(self._position), self._width)
            self._mapped = np.memmap(self._rows_path, np.float32, mode="r", shape=shape)
        return np.array(self._mapped[[self._position[key] for key in keys]])

    def add(self, keys: Sequence[bytes], rows: Array) -> None:
        with self._lock:
            self._catch_up()
            new = [i for i, key in enumerate(keys) if key not in self._position]
            _append(self._rows_path, np.ascontiguousarray(rows[new], dtype=np.float32).tobytes())
            _append(self._keys_path, b"".join(keys[i] for i in new))
            for i in new:
                self._position[keys[i]] = len(self._position)

    def _catch_up(self) -> None:
        """Learn the keys that others wrote, and cut off what a killed writer left half done."""
        self._keys_path.touch()
        self._rows_path.touch()
        with self._keys_path.open("rb") as file:
            file.seek(len(self._position) * KEY_BYTES)
            fresh = file.read()
        for start in range(0, len(fresh) - KEY_BYTES + 1, KEY_BYTES):
            self._position[fresh[start : start + KEY_BYTES]] = len(self._position)
        os.truncate(self._keys_path, len(self._position) * KEY_BYTES)
        os.truncate(self._rows_path, len(self._position) * self._width * 4)


class BorrowedStore:
    """The rows of another store, which is only read, and in memory those that it lacks."""

    def __init__(self, lender: "Store", width: int) -> None:
        self._lender = lender
        self._own = MemoryStore(width)
        self._width = width

    def __contains__(self, key: bytes) -> bool:
        return key in self._own or key in self._lender

    def rows(self, keys: Sequence[bytes]) -> Array:
        own = np.array([key in self._own for key in keys], dtype=bool)
        found = np.empty((len(keys), self._width), np.float32)
        found[own] = self._own.rows([key for key, is_own in zip(keys, own, strict=True) if is_own])
        found[~own] = self._lender.rows([key for key, is_own in zip(keys, own, strict=True) if not is_own])
        return found

    def add(self, keys: Sequence[bytes], rows: Array) -> None:
        self._own.add(keys, rows)

    def forget_all_but(self, most: int) -> None:
        self._own.forget_all_but(most)


def _append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


class CachedPLM:
    """A PLM that looks before it computes; identical texts are encoded once, whatever batch they come in."""

    def __init__(self, plm: TrainablePLM, folder: Path | None = None) -> None:
        self._plm = plm
        self._vectors: Store = open_store(folder, "embeddings", plm.fingerprint, plm.dimension)
        self._scores: Store = open_store(folder, "scores", plm.fingerprint, 1)

    def borrowing(self) -> "CachedPLM":
        """The same PLM for a service: it looks into the cache but leaves nothing there, so strangers fill no disk."""
        twin = copy(self)
        twin._vectors = BorrowedStore(self._vectors, self.dimension)
        twin._scores = BorrowedStore(self._scores, 1)
        return twin

    def forget_all_but(self, most: int) -> None:
        """Let go of all but so many vectors and scores that are in memory only; none is lost from disk."""
        for store in (self._vectors, self._scores):
            if not isinstance(store, DiskStore):
                store.forget_all_but(most)

    @property
    def uncached(self) -> TrainablePLM:
        return self._plm

    @property
    def fingerprint(self) -> str:
        return self._plm.fingerprint

    @property
    def pooling(self) -> str:
        return self._plm.pooling

    @property
    def dimension(self) -> int:
        return self._plm.dimension

    def embed(self, texts: Sequence[str]) -> Array:
        return looked_up(self._vectors, [digest(text) for text in texts], texts, self._plm.embed)

    def score(self, pairs: Sequence[tuple[str, str]]) -> Array:
        def one_column(missing: Sequence[tuple[str, str]]) -> Array:
            return self._plm.score(missing)[:, None]

        return looked_up(self._scores, [digest(*pair) for pair in pairs], pairs, one_column)[:, 0]


Store = MemoryStore | DiskStore | BorrowedStore
Item = TypeVar("Item")


def open_store(folder: Path | None, kind: str, fingerprint: str, width: int) -> MemoryStore | DiskStore:
    return MemoryStore(width) if folder is None else DiskStore(folder / kind / fingerprint, width)


def looked_up(
    store: Store, keys: Sequence[bytes], items: Sequence[Item], compute: Callable[[Sequence[Item]], Array]
) -> Array:
    """A row for each item, found by its key or else computed and kept."""
    missing = {key: item for key, item in zip(keys, items, strict=True) if key not in store}
    todo = list(missing)
    for start in range(0, len(todo), ITEMS_AT_ONCE):
        part = todo[start : start + ITEMS_AT_ONCE]
        store.add(part, compute([missing[key] for key in part]))
    return store.rows(keys)

"""Nothing is computed twice: vectors and pair scores on disk, found again by the content they were computed from."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np

from futex.plm.protocol import Array, TrainablePLM
from futex.plm.row_files import RowFiles
from futex.plm.row_index import KEY_BYTES

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


class Store(Protocol):
    """Rows by key."""

    def rows(self, keys: Sequence[bytes]) -> Mapping[bytes, Array]:
        """Those that are there and undamaged."""
        ...

    def add(self, keys: Sequence[bytes], rows: Array) -> None: ...


class MemoryStore:
    """For as long as the process lives."""

    def __init__(self) -> None:
        self._rows: dict[bytes, Array] = {}

    def rows(self, keys: Sequence[bytes]) -> Mapping[bytes, Array]:
        return {key: self._rows[key] for key in keys if key in self._rows}

    def add(self, keys: Sequence[bytes], rows: Array) -> None:
        self._rows.update(zip(keys, rows, strict=True))

    def forget_all_but(self, most: int) -> None:
        """Drop the rows that were added first, until `most` are left."""
        for key in list(islice(self._rows, max(0, len(self._rows) - most))):
            del self._rows[key]


class BorrowedStore(MemoryStore):
    """The rows of another store, which is only read, and in memory those that it lacks."""

    def __init__(self, lender: Store) -> None:
        super().__init__()
        self._lender = lender

    def rows(self, keys: Sequence[bytes]) -> Mapping[bytes, Array]:
        return {**self._lender.rows(keys), **super().rows(keys)}


class CachedPLM:
    """A PLM that looks before it computes; identical texts are encoded once, whatever batch they come in."""

    def __init__(self, plm: TrainablePLM, folder: Path | None = None) -> None:
        self._plm = plm
        self._vectors: Store = open_store(folder, "embeddings", plm.fingerprint, plm.dimension)
        self._scores: Store = open_store(folder, "scores", plm.fingerprint, 1)

    def leave_no_trace(self) -> None:
        """For a service: from now on it looks into the cache but leaves nothing there, so strangers fill no disk."""
        self._vectors, self._scores = BorrowedStore(self._vectors), BorrowedStore(self._scores)

    def forget_all_but(self, most: int) -> None:
        """Let go of all but so many vectors and scores that are in memory only; none is lost from disk."""
        for store in (self._vectors, self._scores):
            if isinstance(store, MemoryStore):
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
        keys = [digest(text) for text in texts]
        return looked_up(self._vectors, keys, texts, self._plm.embed, self.dimension)

    def score(self, pairs: Sequence[tuple[str, str]]) -> Array:
        def one_column(missing: Sequence[tuple[str, str]]) -> Array:
            return self._plm.score(missing)[:, None]

        return looked_up(self._scores, [digest(*pair) for pair in pairs], pairs, one_column, width=1)[:, 0]


Item = TypeVar("Item")


def open_store(folder: Path | None, kind: str, fingerprint: str, width: int) -> Store:
    return RowFiles(folder / kind / fingerprint, width) if folder and width else MemoryStore()


def looked_up(
    store: Store, keys: Sequence[bytes], items: Sequence[Item], compute: Callable[[Sequence[Item]], Array], width: int
) -> Array:
    """A row for each item, found by its key or else computed and kept."""
    found = dict(store.rows(keys))
    missing = {key: item for key, item in zip(keys, items, strict=True) if key not in found}
    todo = list(missing)
    for start in range(0, len(todo), ITEMS_AT_ONCE):
        part = todo[start : start + ITEMS_AT_ONCE]
        rows = compute([missing[key] for key in part])
        store.add(part, rows)
        found.update(zip(part, rows, strict=True))
    return np.array([found[key] for key in keys], np.float32).reshape(len(keys), width)

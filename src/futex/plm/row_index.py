"""Which row belongs to which key, in 16 bytes a key: a dictionary of millions of keys would fill the memory."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

KEY_BYTES = 16
RECENT = 1 << 16
"""So many keys are kept in a dictionary before they are sorted in with the others."""


class RowIndex:
    """Positions by key; only half of a key is kept, so a position may belong to another key, though hardly ever."""

    def __init__(self) -> None:
        self._sorted: NDArray[np.uint64] = np.empty(0, np.uint64)
        self._positions: NDArray[np.int64] = np.empty(0, np.int64)
        self._recent: dict[int, int] = {}
        self._count = 0

    def __len__(self) -> int:
        """Keys that were appended, those that came again included."""
        return self._count

    def append(self, keys: bytes) -> None:
        """The next keys, one behind the other; one that came before stands for its new position from now on."""
        halves = _halves(keys)
        if len(halves) > RECENT:
            self._sort_in(halves, np.arange(self._count, self._count + len(halves)))
        else:
            self._recent.update(zip(halves.tolist(), range(self._count, self._count + len(halves)), strict=True))
        self._count += len(halves)
        if len(self._recent) > RECENT:
            self._sort_in(np.empty(0, np.uint64), np.empty(0, np.int64))

    def positions(self, keys: Sequence[bytes]) -> Iterator[tuple[bytes, int]]:
        """Of the keys that are there."""
        halves = _halves(b"".join(keys))
        # The last of equal keys is the latest.
        places = np.searchsorted(self._sorted, halves, side="right") - 1
        for key, half, place in zip(keys, halves.tolist(), places.tolist(), strict=True):
            if half in self._recent:
                yield key, self._recent[half]
            elif place >= 0 and self._sorted[place] == half:
                yield key, int(self._positions[place])

    def _sort_in(self, halves: NDArray[np.uint64], positions: NDArray[np.int64]) -> None:
        recent = (np.fromiter(self._recent, np.uint64), np.fromiter(self._recent.values(), np.int64))
        every = np.concatenate([self._sorted, recent[0], halves])
        order = np.argsort(every, kind="stable")
        self._sorted = every[order]
        self._positions = np.concatenate([self._positions, recent[1], positions])[order]
        self._recent.clear()


def _halves(keys: bytes) -> NDArray[np.uint64]:
    return np.frombuffer(keys, np.uint64)[::2]

"""The shards of one stage, as files that are whole, or found not to be.

STAGE/00012.parquet   what the stage made of shard 12 of the papers
STAGE/00012.json      its receipt
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path

from futex.errors import InputError
from futex.files import read_note, replacing, sha256, write_note


@dataclass(frozen=True, slots=True)
class Receipt:
    """How a shard came about."""

    key: str
    """Stands for all that it was made from: a shard with the same key has the same content."""
    sha256: str
    papers: int
    skipped: tuple[str, ...] = ()
    """Ids of papers that are not in it, because the process that worked on them died."""

    def write(self, path: Path) -> None:
        write_note(path, asdict(self))

    @classmethod
    def read(cls, path: Path) -> "Receipt | None":
        """None if there is none, or if it was altered."""
        note = read_note(path)
        return note and cls(**note | {"skipped": tuple(note["skipped"])})


class State(Enum):
    DONE = "done"
    DAMAGED = "damaged"
    MISSING = "missing"
    """It was there, and should be: it has a receipt."""
    LEFT = "left"
    """To be computed, for the first time or because something it was made from has changed."""


@dataclass(frozen=True, slots=True)
class Shelf:
    folder: Path
    suffix: str

    def path(self, number: int) -> Path:
        return self.folder / f"{number:05}{self.suffix}"

    def receipt(self, number: int) -> Receipt | None:
        return Receipt.read(self._receipt_path(number))

    def state(self, number: int, key: str) -> State:
        receipt = self.receipt(number)
        if receipt is None:
            return State.DAMAGED if self._receipt_path(number).exists() else State.LEFT
        if receipt.key != key:
            return State.LEFT
        try:
            return State.DONE if sha256(self.path(number)) == receipt.sha256 else State.DAMAGED
        except FileNotFoundError:
            return State.MISSING

    def put(
        self, number: int, key: str, papers: int, write: Callable[[Path], None], skipped: tuple[str, ...] = ()
    ) -> Receipt:
        """The shard first, then its receipt: a kill in between leaves a shard that nobody takes for this one."""
        with replacing(self.path(number)) as temporary:
            write(temporary)
            receipt = Receipt(key, sha256(temporary), papers, skipped)
        receipt.write(self._receipt_path(number))
        return receipt

    def read(self, number: int) -> bytes:
        """The content, checked against the receipt."""
        receipt = self.receipt(number)
        try:
            content = self.path(number).read_bytes()
        except FileNotFoundError:
            content = None
        if receipt is None or content is None or hashlib.sha256(content).hexdigest() != receipt.sha256:
            raise InputError(f"{self.path(number)} was altered or removed just now: run again, and it is made anew")
        return content

    def tidy(self, count: int) -> None:
        """Remove all shards but the first ones, and what killed writers left."""
        for path in self.folder.glob("*"):
            number = path.name.partition(".")[0]
            if path.suffix == ".tmp" or (number.isdecimal() and int(number) >= count):
                path.unlink()

    def _receipt_path(self, number: int) -> Path:
        return self.folder / f"{number:05}.json"


def key_of(*parts: str) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

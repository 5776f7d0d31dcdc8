"""A PLM without a model, for tests and for trying a pipeline out: deterministic, fast, and it counts its calls.

A text's vector is the sum of fixed pseudo-random vectors of its words, so texts that share words are similar.
"""

import hashlib
import json
import math
import zlib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from futex.errors import ModelError
from futex.files import write_text
from futex.json_files import read_object
from futex.plm.protocol import Array, Schedule, Triple

DIMENSION = 64


class FakePLM:
    """Cosine of bags of words; as a Cross-Encoder it scales that cosine by a weight it can learn."""

    def __init__(self, weight: float = 1.0) -> None:
        self.weight = weight
        self.texts_embedded = 0
        self.pairs_scored = 0

    @property
    def fingerprint(self) -> str:
        return hashlib.blake2b(f"fake {DIMENSION} {self.weight!r}".encode(), digest_size=16).hexdigest()

    @property
    def pooling(self) -> str:
        return "mean"

    @property
    def dimension(self) -> int:
        return DIMENSION

    def embed(self, texts: Sequence[str]) -> Array:
        self.texts_embedded += len(texts)
        return np.array([_bag(text) for text in texts], np.float32).reshape(len(texts), DIMENSION)

    def score(self, pairs: Sequence[tuple[str, str]]) -> Array:
        self.pairs_scored += len(pairs)
        return np.array([self.weight * _cosine(a, b) for a, b in pairs], np.float32)

    def trainer(self, schedule: Schedule) -> "FakeTrainer":
        return FakeTrainer(self.weight, schedule)

    def affordable_triples(self, cpu_seconds: float, sample: Sequence[Triple]) -> int | None:
        return int(cpu_seconds)

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        write_text(folder / "fake.json", json.dumps({"weight": self.weight}))

    @classmethod
    def load(cls, folder: Path) -> "FakePLM":
        weight = read_object(folder / "fake.json").get("weight")
        if not isinstance(weight, int | float) or not math.isfinite(weight):
            raise ModelError(f"{folder / 'fake.json'} has no weight")
        return cls(weight)


class FakeTrainer:
    """Gradient descent on the loss of Eq. (3) over the single weight."""

    def __init__(self, weight: float, schedule: Schedule) -> None:
        self._weight = self._best = weight
        self._rate = schedule.learning_rate * 1000

    def step(self, triples: Sequence[Triple]) -> float:
        gaps = [_gap(triple) for triple in triples]
        gradient = sum(-gap / (1 + math.exp(self._weight * gap)) for gap in gaps) / len(gaps)
        loss = self.loss(triples)
        self._weight -= self._rate * gradient
        return loss

    def loss(self, triples: Sequence[Triple]) -> float:
        return sum(math.log1p(math.exp(-self._weight * _gap(triple))) for triple in triples) / len(triples)

    def seconds_per_triple(self, triples: Sequence[Triple]) -> float:
        return 0.0

    def keep(self) -> None:
        self._best = self._weight

    def best(self) -> FakePLM:
        return FakePLM(self._best)

    def save(self, folder: Path) -> None:
        write_text(folder / "trainer.json", json.dumps([self._weight, self._best]))

    def load(self, folder: Path) -> None:
        self._weight, self._best = json.loads((folder / "trainer.json").read_text())


def _gap(triple: Triple) -> float:
    return _cosine(triple.anchor, triple.positive) - _cosine(triple.anchor, triple.negative)


def _cosine(a: str, b: str) -> float:
    x, y = _bag(a), _bag(b)
    return float(x @ y / (np.linalg.norm(x) * np.linalg.norm(y)))


def _bag(text: str) -> Array:
    """The sum of the words' vectors, plus a constant so that no text has the zero vector."""
    total = np.full(DIMENSION, 0.01)
    for word in text.lower().split():
        total += _word_vector(word.strip(".,;:()"))
    return total.astype(np.float32)


@lru_cache(maxsize=100_000)
def _word_vector(word: str) -> NDArray[np.float64]:
    return np.random.default_rng(zlib.crc32(word.encode("utf-8", "replace"))).standard_normal(DIMENSION)

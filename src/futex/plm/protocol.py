"""The one seam to language models. Stages see these protocols and never torch."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Item = TypeVar("Item", contravariant=True)

PARAGRAPH_TOKENS = 256
"""Of each paragraph of a pair to learn from (§4.1)."""


class Triple(NamedTuple):
    """(p, p⁺, p⁻): a paragraph, one of a linked paper and one of an unlinked paper (§3.1)."""

    anchor: str
    positive: str
    negative: str


class PLM(Protocol):
    """A pre-trained language model in its two roles."""

    @property
    def fingerprint(self) -> str:
        """Names the weights and everything else that decides the vectors: equal fingerprints, equal vectors."""
        ...

    @property
    def pooling(self) -> str:
        """How a text's states become one vector: "cls" or "mean"."""
        ...

    @property
    def dimension(self) -> int:
        """The length of an embedding."""
        ...

    def embed(self, texts: Sequence[str]) -> Array:
        """h = PLM([CLS] text [SEP]) of Eq. (5), one row a text."""
        ...

    def score(self, pairs: Sequence[tuple[str, str]]) -> Array:
        """wᵀ PLM([CLS] a [SEP] b [SEP]) of Eq. (4), one number a pair."""
        ...


@dataclass(frozen=True, slots=True)
class Schedule:
    """The paper's optimiser settings (§4.1) for a run of `steps` steps."""

    steps: int
    warmup: int
    learning_rate: float = 5e-5
    weight_decay: float = 0.01
    epsilon: float = 1e-8
    clip: float = 1.0
    max_length: int = PARAGRAPH_TOKENS
    """Tokens of each paragraph of a pair, its special tokens included."""
    seed: int = 0


class Learner(Protocol[Item]):
    """One training run, whatever it learns from: triples, or links between nodes."""

    def step(self, items: Sequence[Item], /) -> float:
        """One optimiser step on a batch; the loss before it."""
        ...

    def loss(self, items: Sequence[Item], /) -> float:
        """The loss without learning from it."""
        ...

    def keep(self) -> None:
        """Remember the present weights as the best so far."""
        ...

    def save(self, folder: Path) -> None:
        """Write all that is needed to go on from here."""
        ...

    def load(self, folder: Path) -> None: ...


class Trainer(Learner[Triple], Protocol):
    """One fine-tuning run of a Cross-Encoder, with the loss of Eq. (3)."""

    def seconds_per_triple(self, triples: Sequence[Triple]) -> float:
        """How long learning from these takes here, found by trying; changes nothing."""
        ...

    def best(self) -> "TrainablePLM":
        """The PLM with the best weights kept."""
        ...


class TrainablePLM(PLM, Protocol):
    """A PLM that can be fine-tuned, saved and judged for cost."""

    def trainer(self, schedule: Schedule) -> Trainer: ...

    def affordable_triples(self, cpu_seconds: float, sample: Sequence[Triple]) -> int | None:
        """How many triples this many CPU-seconds pay for on an ordinary core; None where a GPU makes it no question.

        Counted from the arithmetic, not from the clock, so that the same run gets the same number everywhere.
        """
        ...

    def save(self, folder: Path) -> None: ...

"""`--plm none`: no language model at all, for a recipe that can do without."""

from collections.abc import Sequence
from pathlib import Path

from futex.errors import ModelError
from futex.plm.protocol import Array, Schedule, Trainer, Triple


class AbsentPLM:
    """Stands where a PLM would; whoever needs one is told so."""

    fingerprint = "none"
    pooling = "cls"
    dimension = 0

    def embed(self, texts: Sequence[str]) -> Array:
        raise needed()

    def score(self, pairs: Sequence[tuple[str, str]]) -> Array:
        raise needed()

    def trainer(self, schedule: Schedule) -> Trainer:
        raise needed()

    def affordable_triples(self, cpu_seconds: float, sample: Sequence[Triple]) -> int | None:
        raise needed()

    def save(self, folder: Path) -> None:
        raise needed()


def needed() -> ModelError:
    return ModelError("this recipe needs a PLM: use --recipe best with --plm none, or name one, as in --plm embedded")

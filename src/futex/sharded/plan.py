"""What a run is to do, as it is written down in its manifest: enough to tell, later, what is done and what is left."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from futex.config import Recipe
from futex.errors import InputError
from futex.sharded.engine import Stage
from futex.sharded.folder import MANIFEST, RunFolder

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Plan:
    run: RunFolder
    recipe: Recipe
    plm: str
    """Stands for the files of a PLM that the user gave; else its name."""
    labels: str
    """SHA-256 of the label space."""
    top: int
    sizes: tuple[int, ...]
    """Papers in each shard."""

    @property
    def shards(self) -> int:
        return len(self.sizes)

    def sizes_for(self, stage: Stage) -> tuple[int, ...]:
        """Papers in each shard of a stage; one that needs the whole corpus makes a single one."""
        return (sum(self.sizes),) if stage.whole_corpus else self.sizes

    def given_up(self) -> Iterator[tuple[str, Path]]:
        """Ids of papers that no worker survived, and the shards that lack them."""
        for shelf in (self.run.findings, self.run.predictions):
            for number in range(self.shards):
                receipt = shelf.receipt(number)
                yield from ((paper, shelf.path(number)) for paper in (receipt.skipped if receipt else ()))

    def as_dict(self) -> dict[str, Any]:
        values = asdict(self) | {"format": FORMAT, "sizes": list(self.sizes)}
        del values["run"]
        return values

    @classmethod
    def read(cls, run: RunFolder) -> "Plan":
        manifest = run.read_manifest()
        try:
            plan = manifest["plan"]
            if plan["format"] != FORMAT:
                raise InputError(f"{run.path} was written by another version of futex: use that, or run it again")
            sizes = tuple(int(size) for size in plan["sizes"])
            return cls(run, Recipe.from_dict(plan["recipe"]), plan["plm"], plan["labels"], int(plan["top"]), sizes)
        except (KeyError, TypeError, ValueError):
            raise InputError(f"{run.path} is no run of FuTex: it has no {MANIFEST} (nor has one of --method)") from None

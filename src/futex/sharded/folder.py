"""What lies where in the folder of a run.

DIR/shards/manifest.json   the plan, what the papers were read from, versions
DIR/shards/labels.jsonl    the label space as it was read
DIR/shards/papers/         the corpus as it was read, in Parquet
DIR/shards/draft/          the model before it has learnt from the corpus as a whole (its PLM may be fine-tuned)
DIR/shards/draft.json      its receipt
DIR/shards/findings/       what was found in each paper by itself, in Parquet
DIR/shards/predictions/    labels with evidence, as in predictions.jsonl
DIR/shards/model.json      the receipt of the fitted model
DIR/model/                 the fitted model
DIR/predictions.jsonl, DIR/config.json
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from futex.errors import ModelError
from futex.files import read_note, sha256, write_note
from futex.model_check import MANIFEST as MODEL_MANIFEST
from futex.model_check import check
from futex.sharded.shelf import Receipt, Shelf, State

SHARDS, MODEL, MANIFEST, PREDICTIONS = "shards", "model", "shards/manifest.json", "predictions.jsonl"


@dataclass(frozen=True, slots=True)
class ModelPlace:
    """A saved model with a receipt beside the shards: a stage with a single, larger shard."""

    folder: Path
    receipt_path: Path

    def path(self, number: int = 0) -> Path:
        return self.folder

    def receipt(self, number: int = 0) -> Receipt | None:
        return Receipt.read(self.receipt_path)

    def state(self, number: int, key: str) -> State:
        receipt = self.receipt()
        if receipt is None:
            return State.DAMAGED if self.receipt_path.exists() else State.LEFT
        if receipt.key != key:
            return State.LEFT
        try:
            check(self.folder)
            return State.DONE if sha256(self.folder / MODEL_MANIFEST) == receipt.sha256 else State.DAMAGED
        except ModelError:
            return State.DAMAGED if self.folder.is_dir() else State.MISSING

    def put(self, key: str) -> None:
        """The model was saved there."""
        Receipt(key, sha256(self.folder / MODEL_MANIFEST), papers=0).write(self.receipt_path)


@dataclass(frozen=True, slots=True)
class RunFolder:
    path: Path

    @property
    def papers(self) -> Shelf:
        return Shelf(self.path / SHARDS / "papers", ".parquet")

    @property
    def labels(self) -> Path:
        """The label space as it was read."""
        return self.path / SHARDS / "labels.jsonl"

    @property
    def draft(self) -> ModelPlace:
        return ModelPlace(self.path / SHARDS / "draft", self.path / SHARDS / "draft.json")

    @property
    def findings(self) -> Shelf:
        return Shelf(self.path / SHARDS / "findings", ".parquet")

    @property
    def model(self) -> ModelPlace:
        return ModelPlace(self.path / MODEL, self.path / SHARDS / "model.json")

    @property
    def predictions(self) -> Shelf:
        return Shelf(self.path / SHARDS / "predictions", ".jsonl.zst")

    def tidy(self, shards: int) -> None:
        """Remove what an earlier and larger corpus, or a killed writer, left."""
        for shelf in (self.papers, self.findings, self.predictions):
            shelf.tidy(shards)
        for folder in (self.path, self.path / SHARDS):
            for left in folder.glob(".*.tmp"):
                left.unlink()

    def read_manifest(self) -> dict[str, Any]:
        """Empty if there is none that can be read."""
        manifest = read_note(self.path / MANIFEST)
        return manifest if isinstance(manifest, dict) else {}

    def write_manifest(self, manifest: dict[str, Any]) -> None:
        write_note(self.path / MANIFEST, manifest)

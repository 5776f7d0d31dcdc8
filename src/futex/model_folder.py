"""A fitted model as a folder: plain files with checksums, nothing that could run code when it is read.

recipe.json       the resolved recipe
labels.jsonl      the label space
base_plm.json     which PLM it stands on, by name and fingerprint (or base_plm/, if no registry or hub has it)
tuned_plm/        the fine-tuned Cross-Encoder, if there is one
vocabulary.json   words and idf        ┐ self-training,
parabel.npz       the classifier       ┘ if it is on
names.npz         how many papers name each label    ┐ if names
fusion.json       how to weigh them, once adapted    ┘ are scored
manifest.json     size and SHA-256 of every file above
"""

import json
import shutil
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from futex.config import Recipe
from futex.errors import InputError, ModelError
from futex.files import sha256, write_text
from futex.labels.store import read_labels, write_labels
from futex.plm.cache import CachedPLM
from futex.plm.checkpoints import load_folder

if TYPE_CHECKING:
    from futex.pipeline import FuTex

FORMAT = 1
MANIFEST = "manifest.json"


def save(model: "FuTex", folder: Path) -> None:
    """Write everything beside the target first, then put it in place."""
    fresh = folder.with_name(f".{folder.name}.new")
    try:
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        _write(model, fresh)
        write_text(fresh / MANIFEST, json.dumps({"format": FORMAT, "files": _checksums(fresh)}, indent=2) + "\n")
        shutil.rmtree(folder, ignore_errors=True)
        fresh.rename(folder)
    except OSError as error:
        raise InputError(f"cannot write the model to {folder}: {error.strerror or error}") from error


def _write(model: "FuTex", folder: Path) -> None:
    write_text(folder / "recipe.json", json.dumps(model.recipe.as_dict(), indent=2) + "\n")
    write_labels(model.labels, folder / "labels.jsonl")
    if model.plm_is_named:
        base = {"name": model.recipe.plm, "fingerprint": model.base_plm.fingerprint}
        write_text(folder / "base_plm.json", json.dumps(base, indent=2) + "\n")
    else:
        model.base_plm.save(folder / "base_plm")
    if model.tuned_plm is not None:
        model.tuned_plm.uncached.save(folder / "tuned_plm")
    if model.recipe.self_training:
        model.self_training.save(folder)
    if model.recipe.scoring == "names":
        model.names.save(folder)


def load(cls: "type[FuTex]", folder: Path, cache: Path | None) -> "FuTex":
    check(folder)
    recipe = Recipe.from_dict(_json(folder / "recipe.json"))
    if (folder / "base_plm").is_dir():
        model = cls(recipe, plm=load_folder(folder / "base_plm"), cache=cache)
    else:
        model = cls(recipe, cache=cache)
        expected = _json(folder / "base_plm.json")["fingerprint"]
        if model.base_plm.fingerprint != expected:
            raise ModelError(f"the model in {folder} stands on another version of the PLM {recipe.plm!r}: fit it again")
    model.use_labels(read_labels(folder / "labels.jsonl", "jsonl"))
    if (folder / "tuned_plm").is_dir():
        model.tuned_plm = CachedPLM(load_folder(folder / "tuned_plm"), cache)
    if recipe.self_training:
        model.self_training.load(folder)
    if recipe.scoring == "names":
        model.names.load(folder)
    return model


def check(folder: Path) -> None:
    """Every file of the manifest is there and unaltered, and its name stays inside the folder."""
    if not folder.is_dir():
        raise ModelError(f"no such model folder: {folder}")
    files = _json(folder / MANIFEST).get("files")
    if not isinstance(files, dict):
        raise ModelError(f"{folder / MANIFEST} lists no files: this is not a FuTex model")
    for name, entry in files.items():
        if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
            raise ModelError(f"{folder / MANIFEST} names a file outside the model: {name}")
        path = folder / name
        if not path.is_file():
            raise ModelError(f"the model in {folder} is incomplete: {name} is missing; save or copy it again")
        if path.stat().st_size != entry.get("bytes") or sha256(path) != entry.get("sha256"):
            raise ModelError(f"the model in {folder} is damaged: {name} was altered; save or copy it again")
    if unlisted := sorted({path.relative_to(folder).as_posix() for path in _files(folder)} - set(files)):
        raise ModelError(f"the model in {folder} holds a file that is not its own: {unlisted[0]}; remove it")


def _checksums(folder: Path) -> dict[str, dict[str, Any]]:
    return {
        path.relative_to(folder).as_posix(): {"bytes": path.stat().st_size, "sha256": sha256(path)}
        for path in _files(folder)
    }


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and path != folder / MANIFEST]


def _json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ModelError(f"{path.parent} is not a FuTex model: {path.name} is missing") from None
    except ValueError as error:
        raise ModelError(f"{path} is not readable JSON: {error}") from error
    if not isinstance(value, dict):
        raise ModelError(f"{path} is not a JSON object")
    return value

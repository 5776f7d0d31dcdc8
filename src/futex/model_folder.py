"""A fitted model as a folder: plain files with checksums, nothing that could run code when it is read.

recipe.json       the resolved recipe
labels.jsonl      the label space
base_plm.json     which PLM it stands on, by name and fingerprint (or base_plm/, if no registry or hub has it)
tuned_plm/        the fine-tuned Cross-Encoder, if there is one
vocabulary.json   words and idf        ┐ self-training,
parabel.npz       the classifier       ┘ if it is on
names.npz         how many papers name each label    ┐ if names
fusion.json       how to weigh them, once adapted    │ are scored
forest.npz        trees beside that                  ┘
manifest.json     size and SHA-256 of every file above
"""

import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from futex.config import Recipe
from futex.errors import InputError, ModelError
from futex.files import sha256, write_text
from futex.json_files import read_object
from futex.labels.store import read_labels, write_labels
from futex.model_check import FORMAT, MANIFEST, check, files_of
from futex.plm.checkpoints import load_folder, load_plm
from futex.plm.protocol import TrainablePLM

if TYPE_CHECKING:
    from futex.pipeline import FuTex


class OutdatedModel(ModelError):
    """It stands on a PLM that is no longer what it was."""


def check_target(folder: Path) -> None:
    """Refuse a folder that holds something else than a model, before anything is computed for it."""
    if not os.path.lexists(folder) or (folder.is_dir() and not any(folder.iterdir())):
        return
    try:
        is_model = folder.is_dir() and MANIFEST in files_of(folder)
    except ModelError:
        is_model = False
    if not is_model:
        raise InputError(f"{folder} is there and is no model: choose another folder, or remove it")


def save(model: "FuTex", folder: Path) -> None:
    """Write everything beside the target first, then put it in place; what was there is deleted last."""
    check_target(folder)
    folder = folder.resolve()
    fresh, old = (folder.with_name(f".{folder.name}.{state}") for state in ("new", "old"))
    try:
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        _write(model, fresh)
        write_text(fresh / MANIFEST, json.dumps({"format": FORMAT, "files": _checksums(fresh)}, indent=2) + "\n")
        if folder.exists():
            shutil.rmtree(old, ignore_errors=True)
            folder.rename(old)
        fresh.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        raise InputError(f"cannot write the model to {folder}: {error.strerror or error}") from error


def _write(model: "FuTex", folder: Path) -> None:
    write_text(folder / "recipe.json", json.dumps(model.recipe.as_dict(), indent=2) + "\n")
    write_labels(model.labels, folder / "labels.jsonl")
    if model.plm_is_named:
        base = {"name": model.recipe.plm, "fingerprint": model.plm.fingerprint}
        write_text(folder / "base_plm.json", json.dumps(base, indent=2) + "\n")
    else:
        model.plm.uncached.save(folder / "base_plm")
    model.method.save(folder)


def load(cls: "type[FuTex]", folder: Path, cache: Path | None) -> "FuTex":
    check(folder)
    recipe = recipe_of(folder)
    brings_its_plm = (folder / "base_plm").is_dir()
    plm = load_folder(folder / "base_plm", cache) if brings_its_plm else _named_plm(folder, recipe, cache)
    model = cls(recipe, plm=plm, cache=cache)
    model.plm_is_named = not brings_its_plm
    model.use_labels(read_labels(folder / "labels.jsonl", "jsonl"))
    model.method.load(folder)
    return model


def recipe_of(folder: Path) -> Recipe:
    """What was done to make the model."""
    path = folder / "recipe.json"
    try:
        return Recipe.from_dict(read_object(path))
    except InputError as error:
        raise ModelError(f"{path}: {error}") from error


def _named_plm(folder: Path, recipe: Recipe, cache: Path | None) -> TrainablePLM:
    """The PLM that the model stands on and does not bring along; one of a hub must have been fetched before."""
    expected = read_object(folder / "base_plm.json").get("fingerprint")
    plm = load_plm(recipe.plm, cache, pooling=recipe.pooling, max_length=recipe.max_length, trusted=False, later=True)
    if plm.fingerprint != expected:
        raise OutdatedModel(f"the model in {folder} stands on another version of the PLM {recipe.plm!r}: fit it again")
    return plm


def _checksums(folder: Path) -> dict[str, dict[str, Any]]:
    return {name: {"bytes": size, "sha256": sha256(folder / name)} for name, size in sorted(files_of(folder).items())}

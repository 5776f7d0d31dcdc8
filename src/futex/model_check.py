"""The folder of a model from a stranger, looked at before anything else of it is read.

It holds plain files with the names that we write, no links, as many and as large as a model needs, and every one of
them is what the manifest says. What stands inside the files is checked by whoever reads them.
"""

import os
import stat
from pathlib import Path
from typing import Any

from futex.errors import ModelError
from futex.files import sha256
from futex.json_files import MAX_BYTES as MAX_TEXT_BYTES
from futex.json_files import read_object
from futex.plm.checkpoint_check import belongs_to_a_plm

FORMAT = 1
MANIFEST = "manifest.json"

MAX_FILES = 100
"""A model has about twenty."""

MAX_BYTES = 16 * 2**30
"""Two PLMs of two billion weights each: more than any encoder has."""

OWN = (
    *("recipe.json", "labels.jsonl", "base_plm.json", "vocabulary.json", "fusion.json"),
    *("parabel.npz", "names.npz", "forest.npz"),
)
PLM_FOLDERS = ("base_plm", "tuned_plm")

WEIGHTS = (".safetensors", ".npz", ".jsonl")
"""What may be longer than a text: its readers know how to hold it."""


def check(folder: Path) -> None:
    """Raise one clear error unless the folder is a whole, unaltered model and nothing else."""
    if not folder.is_dir():
        raise ModelError(f"no such model folder: {folder}")
    if not os.path.lexists(folder / MANIFEST):
        raise ModelError(f"{folder} is not a FuTex model: {MANIFEST} is missing; of a run, give its model/ folder")
    found = files_of(folder)
    listed = read_manifest(folder)
    for name, entry in listed.items():
        if name not in found:
            raise ModelError(f"the model in {folder} is incomplete: {name} is missing; save or copy it again")
        if found[name] != entry.get("bytes") or sha256(folder / name) != entry.get("sha256"):
            raise ModelError(f"the model in {folder} is damaged: {name} was altered; save or copy it again")
    if unlisted := sorted(set(found) - set(listed) - {MANIFEST}):
        raise ModelError(f"the model in {folder} holds a file that is not its own: {unlisted[0]}; remove it")


def read_manifest(folder: Path) -> dict[str, dict[str, Any]]:
    """Size and SHA-256 of each file, by name."""
    manifest = read_object(folder / MANIFEST)
    files = manifest.get("files")
    if not isinstance(files, dict) or not all(isinstance(entry, dict) for entry in files.values()):
        raise ModelError(f"{folder / MANIFEST} lists no files: this is not a FuTex model")
    if manifest.get("format") != FORMAT:
        raise ModelError(f"the model in {folder} was saved by another version of FuTex: fit it again, or use that one")
    return files


def files_of(folder: Path) -> dict[str, int]:
    """The size of each file of a model, by its name below the folder; links and foreign files are refused."""
    found: dict[str, int] = {}
    for entry in _entries(folder):
        name = Path(entry.path).relative_to(folder).as_posix()
        status = entry.stat(follow_symlinks=False)
        if stat.S_ISDIR(status.st_mode) and name in PLM_FOLDERS:
            continue
        if not stat.S_ISREG(status.st_mode) or not _is_ours(name):
            raise ModelError(f"the model in {folder} holds a file that is not its own: {name}; remove it")
        if status.st_size > MAX_TEXT_BYTES and not name.endswith(WEIGHTS):
            raise ModelError(f"the model in {folder} is not one: {name} is longer than {MAX_TEXT_BYTES >> 20} MiB")
        found[name] = status.st_size
    if sum(found.values()) > MAX_BYTES:
        raise ModelError(f"the model in {folder} is larger than {MAX_BYTES >> 30} GiB: no model needs that")
    return found


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """What is in the folder and in those of its PLMs, which have no folders of their own."""
    entries: list[os.DirEntry[str]] = []
    for place in (folder, *(folder / name for name in PLM_FOLDERS)):
        if not place.is_dir() or (place != folder and place.is_symlink()):
            continue
        with os.scandir(place) as listing:
            for entry in listing:
                entries.append(entry)
                if len(entries) > MAX_FILES:
                    raise ModelError(f"the model in {folder} has more than {MAX_FILES} files: no model needs that")
    return entries


def _is_ours(name: str) -> bool:
    place, _, file = name.rpartition("/")
    return belongs_to_a_plm(file) if place in PLM_FOLDERS else name in (*OWN, MANIFEST)

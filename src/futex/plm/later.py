"""A checkpoint that is loaded when it is first asked for something that no cache knows.

Loading one, and torch and transformers with it, takes longer than all else in a run whose vectors are all in the cache.
"""

import hashlib
import json
import logging
import shutil
from collections.abc import Callable, Sequence
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from futex.errors import InputError, ModelError
from futex.files import checksums, read_note, write_note
from futex.plm.checkpoint_check import belongs_to_a_plm
from futex.plm.protocol import Array, Schedule, TrainablePLM, Trainer, Triple

log = logging.getLogger(__name__)

SETTINGS_FILE = "futex.json"
"""Stands in a folder that `PLM.save` has written."""

FACTS_VERSION = 2
"""Goes up when a fingerprint is made of other things: the facts that were kept before are then no longer right."""


class Facts(NamedTuple):
    """What others want to know of a PLM before they ask it anything."""

    fingerprint: str
    pooling: str
    dimension: int


class LaterPLM:
    """Stands for a PLM of which the facts are known, until it is needed."""

    def __init__(self, facts: Facts, folder: Path, load: Callable[[], TrainablePLM]) -> None:
        self.fingerprint, self.pooling, self.dimension = facts
        self._folder = folder
        self._load = load

    @cached_property
    def loaded(self) -> TrainablePLM:
        """The PLM itself."""
        plm = self._load()
        if plm.fingerprint != self.fingerprint:
            raise ModelError("the files of the PLM changed while they were in use: start again")
        return plm

    def embed(self, texts: Sequence[str]) -> Array:
        return self.loaded.embed(texts)

    def score(self, pairs: Sequence[tuple[str, str]]) -> Array:
        return self.loaded.score(pairs)

    def trainer(self, schedule: Schedule) -> Trainer:
        return self.loaded.trainer(schedule)

    def affordable_triples(self, cpu_seconds: float, sample: Sequence[Triple]) -> int | None:
        return self.loaded.affordable_triples(cpu_seconds, sample)

    def save(self, folder: Path) -> None:
        """What was saved before, with nothing beside it, is copied as it is."""
        names = [path.name for path in self._folder.iterdir()]
        if SETTINGS_FILE in names and all(belongs_to_a_plm(name) for name in names):
            shutil.copytree(self._folder, folder, dirs_exist_ok=True)
        else:
            self.loaded.save(folder)


def loaded_now(plm: TrainablePLM) -> TrainablePLM:
    """The PLM itself, for whoever does not want to wait when it is asked."""
    return plm.loaded if isinstance(plm, LaterPLM) else plm


def load_later(folder: Path, cache: Path, load: Callable[..., TrainablePLM], **how: Any) -> TrainablePLM:
    """What `load(folder, **how)` gives; later, if the same files were loaded before and the cache has their facts."""
    note = cache / "plms" / f"{_key(folder, how)}.json"
    facts = read_note(note)
    if facts is not None:
        return LaterPLM(Facts(*facts), folder, lambda: load(folder, **how))
    plm = load(folder, **how)
    try:
        write_note(note, Facts(plm.fingerprint, plm.pooling, plm.dimension))
    except InputError as error:
        log.warning("%s; until then the PLM is loaded at once, each time", error)
    return plm


def _key(folder: Path, how: dict[str, Any]) -> str:
    """Stands for all that the facts hang on."""
    versions = [version(package) for package in ("futex", "torch", "transformers", "tokenizers")]
    content = json.dumps([FACTS_VERSION, checksums(folder), how, versions], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:32]

"""A project: one model, as Annif calls it, and all that belongs to it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from futex.errors import InputError, ModelError
from futex.json_files import read_object
from futex.model_check import MANIFEST, read_manifest
from futex.pipeline import FuTex
from futex.runs.output import CONFIG, PREDICTIONS
from futex.serve.answering import Answerer
from futex.serve.corpus import Corpus, find_texts
from futex.serve.coverage import Coverage
from futex.serve.explaining import confidences
from futex.serve.feedback import Feedback
from futex.serve.taxonomy import Taxonomy
from futex.sharded.folder import MODEL


@dataclass(frozen=True, slots=True)
class Loaded:
    """What is there once the model is in memory."""

    model: FuTex
    answer: Answerer
    taxonomy: Taxonomy


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What is there once the papers of the run are known."""

    corpus: Corpus
    coverage: Coverage
    confidences: NDArray[np.float64]
    """Of each label of each paper."""


class Project:
    """Known by its folder at once, loaded later: first the model, then the papers of its run, if it has one."""

    def __init__(self, project_id: str, model: Path, feedback: Feedback) -> None:
        self.id = project_id
        self.folder = model
        self.changed = datetime.fromtimestamp(model.stat().st_mtime, UTC)
        self.run = model.parent if (model.parent / PREDICTIONS).is_file() and model.name == MODEL else None
        self.config = read_object(model.parent / CONFIG) if self.run and (model.parent / CONFIG).exists() else {}
        self.files = read_manifest(model)
        self.feedback = feedback
        self.loaded: Loaded | None = None
        self.reviewed: Reviewed | None = None

    @property
    def name(self) -> str:
        return (self.run or self.folder).name

    @property
    def language(self) -> str:
        return str(self.config.get("language", "en"))

    def load(self, cache: Path) -> Loaded:
        model = FuTex.from_pretrained(self.folder, cache=cache)
        self.loaded = Loaded(model, Answerer(model), Taxonomy(model.labels))
        return self.loaded

    def load_papers(self) -> None:
        if self.run and self.loaded:
            corpus = Corpus(self.run, self.loaded.model.labels, find_texts(self.run, self.config))
            self.reviewed = Reviewed(corpus, Coverage(corpus), confidences(corpus.scores, self.loaded.model))


def open_projects(folders: Iterable[Path], feedback: Path | None) -> dict[str, Project]:
    """Projects by id: the name of the run's or the model's folder, made fit for a URL and unique."""
    projects: dict[str, Project] = {}
    for folder in folders:
        model = model_folder_of(folder)
        name = _url_safe((model.parent if model.name == MODEL else model).resolve().name)
        if feedback and name in projects:
            same = f"two folders are called '{name}', and {feedback} cannot keep them apart"
            raise InputError(f"{same}; rename one, or leave out --feedback")
        project_id = _unused(name, projects)
        projects[project_id] = Project(project_id, model, _feedback_on(model, project_id, feedback))
    return projects


def _feedback_on(model: Path, project_id: str, shared: Path | None) -> Feedback:
    """A file of its own goes with the model, and so does not tell it by the name of its folder."""
    own = model.with_name(f"{model.name}.feedback.sqlite")
    return Feedback(shared, project_id) if shared else Feedback(own, MODEL)


def model_folder_of(folder: Path) -> Path:
    """The model in a folder that is one, or that a run wrote."""
    for place in (folder, folder / MODEL):
        if (place / MANIFEST).is_file():
            return place.resolve()
    if not folder.is_dir():
        raise InputError(f"no such folder: {folder}")
    raise ModelError(f"{folder} is neither a model nor the folder of a run with a model: it has no {MANIFEST}")


def _url_safe(name: str) -> str:
    return re.sub(r"[^a-z0-9._-]+", "-", name.lower()).strip("-.") or "project"


def _unused(wanted: str, taken: Iterable[str]) -> str:
    known = set(taken)
    numbered = (f"{wanted}-{number}" for number in range(2, len(known) + 3))
    return wanted if wanted not in known else next(name for name in numbered if name not in known)

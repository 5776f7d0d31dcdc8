"""Units of finished work: the rankings of a job on disk, so that nothing that was finished is done again.

A unit is a note (see `files.py`) of the job, its rankings and times; one that is not whole is computed again.
"""

import hashlib
import json
import logging
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from futex.errors import FutexError
from futex.experiments.corpus import Corpus
from futex.experiments.jobs import Job, Outcome, identity, perform
from futex.files import read_note, write_note
from futex.ranking import Ranking

log = logging.getLogger(__name__)

VERSION = 5
"""Goes up when a change to the code changes rankings, or how they are kept: older units are then not found."""
KEPT = 20
"""Labels kept of each ranking; no table looks further down."""


class NotRun(Exception):
    """A job that cannot be done here, and why: a row of a table says so."""


class Units:
    """Looks a job up, and does it only if it was never finished."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.folder = folder
        self.cache = cache
        self._outcomes: dict[str, Outcome] = {}
        self._failures: dict[str, str] = {}

    def outcome(self, job: Job, corpus: Corpus) -> Outcome:
        try:
            key = unit_key(job, corpus)
        except FutexError as error:
            raise NotRun(str(error)) from error
        if key in self._failures:
            raise NotRun(self._failures[key])
        if key not in self._outcomes:
            self._outcomes[key] = self._read(key) or self._computed(key, job, corpus)
        return self._outcomes[key]

    def _computed(self, key: str, job: Job, corpus: Corpus) -> Outcome:
        log.info("%s, seed %d, on %d papers", job.method, job.seed, len(corpus.papers))
        try:
            done = perform(job, corpus, self.cache)
        except (FutexError, ImportError) as error:
            self._failures[key] = str(error)
            log.warning("not run: %s", error)
            raise NotRun(str(error)) from error
        top = {paper: ranking.top(KEPT) for paper, ranking in done.rankings.items()}
        outcome = replace(done, rankings=top)
        write_note(self._path(key), _record(outcome) | {"identity": identity(job, corpus)})
        return outcome

    def _read(self, key: str) -> Outcome | None:
        path = self._path(key)
        if record := read_note(path):
            return _outcome(record)
        if path.exists():
            log.warning("%s is damaged: computing it again", path)
        return None

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.json"


def unit_key(job: Job, corpus: Corpus) -> str:
    """A name that people can read, and a hash of everything the rankings depend on."""
    facts = identity(job, corpus)
    digest = hashlib.sha256(json.dumps(facts | {"version": VERSION}, sort_keys=True).encode()).hexdigest()
    return f"{facts['method']}-seed{job.seed}-{digest[:20]}"


def write_rankings(rankings: Mapping[str, Ranking], path: Path) -> None:
    write_note(path, _plain(rankings))


def read_rankings(path: Path) -> dict[str, Ranking] | None:
    """None if there are none, or if they were altered."""
    plain = read_note(path)
    return None if plain is None else _rankings(plain)


def _record(outcome: Outcome) -> dict[str, Any]:
    return {
        "training seconds": outcome.training_seconds,
        "ranking seconds": outcome.ranking_seconds,
        "learnt from": outcome.learnt_from,
        "rankings": _plain(outcome.rankings),
    }


def _outcome(record: dict[str, Any]) -> Outcome:
    seconds = record["training seconds"], record["ranking seconds"]
    return Outcome(_rankings(record["rankings"]), *seconds, record["learnt from"])


def _plain(rankings: Mapping[str, Ranking]) -> dict[str, Any]:
    return {paper: [ranking.labels, ranking.scores] for paper, ranking in rankings.items()}


def _rankings(plain: Mapping[str, Any]) -> dict[str, Ranking]:
    return {paper: Ranking(tuple(labels), tuple(scores)) for paper, (labels, scores) in plain.items()}

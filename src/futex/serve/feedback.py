"""What people say of labels, kept in SQLite; it survives restarts, and is exported as gold for `futex eval`."""

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from futex.errors import InputError
from futex.serve.schemas import Verdict

SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS opinions (
    project TEXT NOT NULL, paper TEXT NOT NULL, label TEXT NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('accept', 'reject', 'add')), at TEXT NOT NULL,
    PRIMARY KEY (project, paper, label)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS learnt (
    project TEXT NOT NULL, paper TEXT NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (project, paper)
) WITHOUT ROWID;
"""
BUSY_SECONDS = 5.0


class Kept(NamedTuple):
    paper: str
    label: str
    verdict: Verdict
    at: str


class Feedback:
    """The opinions on one project. One file may serve several projects, and several processes; calls block."""

    def __init__(self, path: Path, project: str) -> None:
        self._lock = threading.Lock()
        self._project = project
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, timeout=BUSY_SECONDS, check_same_thread=False)
            self._connection.executescript(SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise InputError(f"cannot keep feedback in {path}: {error}; choose another file with --feedback") from error

    def put(self, paper: str, label: str, verdict: Verdict) -> Kept:
        """The last word counts: one verdict for each label of a paper."""
        kept = _kept_now(paper, label, verdict)
        with self._writing() as connection:
            self._insert(connection, [kept])
        return kept

    def learn(self, paper: str, text: str, labels: Sequence[str]) -> None:
        """A text with all its true labels, as Annif's clients send it; they take the place of those sent before."""
        with self._writing() as connection:
            connection.execute("INSERT OR REPLACE INTO learnt VALUES (?, ?, ?)", (self._project, paper, text))
            added = "project = ? AND paper = ? AND verdict = 'add'"
            connection.execute(f"DELETE FROM opinions WHERE {added}", (self._project, paper))
            self._insert(connection, [_kept_now(paper, label, "add") for label in labels])

    def _insert(self, connection: sqlite3.Connection, kept: Iterable[Kept]) -> None:
        rows = [(self._project, *row) for row in kept]
        connection.executemany("INSERT OR REPLACE INTO opinions VALUES (?, ?, ?, ?, ?)", rows)

    def remove(self, paper: str, label: str) -> bool:
        """Whether there was an opinion to take back."""
        with self._writing() as connection:
            where = "project = ? AND paper = ? AND label = ?"
            done = connection.execute(f"DELETE FROM opinions WHERE {where}", (self._project, paper, label))
            return done.rowcount > 0

    def count(self, paper: str | None = None) -> int:
        (total,) = self._rows("SELECT count(*) FROM opinions WHERE project = ?1 AND (?2 IS NULL OR paper = ?2)", paper)
        return int(total[0])

    def latest(self, offset: int, limit: int, paper: str | None = None) -> list[Kept]:
        return self._kept(
            "WHERE project = ?1 AND (?2 IS NULL OR paper = ?2) ORDER BY at DESC, paper, label LIMIT ?3 OFFSET ?4",
            paper,
            limit,
            offset,
        )

    def by_paper(self) -> dict[str, dict[str, Verdict]]:
        """All verdicts: label to verdict, by paper."""
        found: dict[str, dict[str, Verdict]] = {}
        for kept in self._kept("WHERE project = ?1 ORDER BY paper, label"):
            found.setdefault(kept.paper, {})[kept.label] = kept.verdict
        return found

    def on(self, paper: str) -> dict[str, Verdict]:
        return {kept.label: kept.verdict for kept in self._kept("WHERE project = ?1 AND paper = ?2", paper)}

    def gold(self) -> Iterator[dict[str, object]]:
        """A record a paper that was looked at: the labels that people accepted or added (`evaluation.gold`)."""
        for paper, verdicts in self.by_paper().items():
            yield {"id": paper, "labels": [label for label, verdict in verdicts.items() if verdict != "reject"]}

    def learnt(self) -> Iterator[tuple[str, str]]:
        """(paper, text) of all that was sent to be learnt."""
        rows = self._rows("SELECT paper, text FROM learnt WHERE project = ?1 ORDER BY paper")
        return ((paper, text) for paper, text in rows)

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _kept(self, condition: str, *values: object) -> list[Kept]:
        return [
            Kept(*row) for row in self._rows(f"SELECT paper, label, verdict, at FROM opinions {condition}", *values)
        ]

    def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._connection.execute(query, (self._project, *values)).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._connection:
            yield self._connection


def _kept_now(paper: str, label: str, verdict: Verdict) -> Kept:
    return Kept(paper, label, verdict, datetime.now(UTC).isoformat(timespec="milliseconds"))

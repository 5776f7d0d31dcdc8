"""The papers of a run, what was predicted for them and, if they can be found again, their texts and citations."""

import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from futex.corpus.citations import CitationGraph, MetaPath
from futex.corpus.paper import Paper
from futex.corpus.spool import PaperSpool
from futex.corpus.store import spool_papers
from futex.errors import FutexError
from futex.evaluation.predictions import predictions_in
from futex.labels.label import LabelSpace
from futex.ranking import Ranking
from futex.runs.inputs import hash_of
from futex.runs.output import PREDICTIONS
from futex.sharded.folder import RunFolder
from futex.sharded.papers import all_papers
from futex.sharded.plan import Plan

NOTHING = -1
LINKS = {"cites": "P->P", "cited_by": "P<-P", "shared_references": "P->P<-P"}


@dataclass(frozen=True, slots=True)
class Texts:
    """The papers themselves, by position in the file that the run read."""

    papers: Sequence[Paper]
    position: dict[str, int]
    heads: tuple[tuple[str, str], ...]
    """(id, title) of each."""
    graph: CitationGraph
    digest: str
    """Of all texts."""


class Corpus:
    """Papers by position in predictions.jsonl; their labels as positions in the label space, best first."""

    def __init__(self, run: Path, labels: LabelSpace, texts: Texts | None) -> None:
        self._file = (run / PREDICTIONS).open("rb")  # kept open: the next run puts another in its place
        self._lines = _lines(self._file)
        place = labels.position
        rows: list[tuple[str, list[tuple[int, float]]]] = []
        self._applying: list[int | None] = []
        for line in predictions_in(run / PREDICTIONS):
            known = [label for label in line["labels"] if label["id"] in place]
            rows.append((line["paper"], [(place[label["id"]], label["score"]) for label in known]))
            said = [label["applies"] is True for label in known if "applies" in label]
            self._applying.append(sum(said) if said else None)
        self.space = labels
        self.texts = texts
        self.ids = [paper for paper, _ in rows]
        self.position = {paper: i for i, paper in enumerate(self.ids)}
        shape = (len(rows), max((len(own) for _, own in rows), default=0))
        self.labels: NDArray[np.int32] = np.full(shape, NOTHING, dtype=np.int32)
        self.scores: NDArray[np.float64] = np.zeros(shape)
        for i, (_, own) in enumerate(rows):
            if own:
                self.labels[i, : len(own)], self.scores[i, : len(own)] = zip(*own, strict=True)

    def __len__(self) -> int:
        return len(self.ids)

    def title(self, paper: int) -> str:
        at = self._place(self.ids[paper])
        return "" if self.texts is None or at is None else self.texts.heads[at][1]

    def has_text(self, paper_id: str) -> bool:
        return self._place(paper_id) is not None

    def paper(self, paper_id: str) -> Paper | None:
        """With its text, if that is known."""
        at = self._place(paper_id)
        return None if self.texts is None or at is None else self.texts.papers[at]

    def _place(self, paper_id: str) -> int | None:
        return self.texts.position.get(paper_id) if self.texts is not None else None

    def ranking(self, paper: int) -> Ranking:
        known = self.labels[paper] != NOTHING
        return Ranking(
            tuple(self.space.ids[label] for label in self.labels[paper][known]),
            tuple(self.scores[paper][known].tolist()),
        )

    def applying(self, paper: int) -> int | None:
        """How many of its labels apply, from the best; None where the run cannot tell."""
        return self._applying[paper]

    def stored(self, paper: int) -> list[dict[str, Any]]:
        """The labels of a paper as the run wrote them, with excerpts for evidence."""
        start, length = self._lines[paper]
        labels: list[dict[str, Any]] = json.loads(os.pread(self._file.fileno(), length, start))["labels"]
        return [label for label in labels if label.get("id") in self.space]

    def neighbours(self, paper: int, link: str, most: int) -> list[tuple[str, str, int]]:
        """(id, title, links) of the papers that citations lead to, most links first."""
        at = self._place(self.ids[paper])
        if self.texts is None or at is None:
            return []
        found, counts = self.texts.graph.linked(at, MetaPath.parse(LINKS[link]))
        best = np.lexsort((found, -counts))[:most]
        return [(*self.texts.heads[i], links) for i, links in zip(found[best], counts[best].tolist(), strict=True)]


def _lines(file: Iterable[bytes]) -> list[tuple[int, int]]:
    """Where the line of each paper begins, and how long it is."""
    lines = [(len(line), bool(line.strip())) for line in file]
    starts = accumulate((length for length, _ in lines), initial=0)
    return [(start, length) for start, (length, is_record) in zip(starts, lines, strict=False) if is_record]


def find_texts(run: Path, config: dict[str, Any]) -> Texts | None:
    """The papers of the run: its own copy of them, or where it has none the file that it read, if that is unaltered."""
    folder = RunFolder(run)
    try:
        return _texts(PaperSpool(all_papers(folder.papers, Plan.read(folder).shards)))
    except FutexError:
        return _read_texts(run, config)


def _read_texts(run: Path, config: dict[str, Any]) -> Texts | None:
    """From where the file lay, or from beside the run's folder."""
    given = config.get("inputs", {}).get("papers", {})
    path, digest = Path(str(given.get("path", ""))), given.get("sha256")
    for place in (path, run.parent / path.name):
        if digest is not None and place.exists() and hash_of(str(place)) == digest:
            with suppress(FutexError):
                return _texts(spool_papers(str(place), limit=config.get("limit"), workers=1, on_skip=lambda _: None))
    return None


def _texts(papers: PaperSpool) -> Texts:
    heads: list[tuple[str, str]] = []
    digest = hashlib.blake2b(digest_size=16)
    for paper in papers:
        heads.append((paper.id, paper.title))
        digest.update(repr(paper.tree).encode("utf-8", "replace"))
    position = {paper: i for i, (paper, _) in enumerate(heads)}
    return Texts(papers, position, tuple(heads), CitationGraph(papers), digest.hexdigest())

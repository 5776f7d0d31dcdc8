"""Papers of a corpus, filtered and put in order for review."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from futex.serve.corpus import NOTHING, Corpus
from futex.serve.coverage import LABELS_PER_PAPER
from futex.serve.schemas import Verdict

Disagreement = Literal["modules", "people"]
Order = Literal["corpus", "least-confident", "most-confident"]
DIRECTIONS: dict[Order, int] = {"corpus": 0, "least-confident": 1, "most-confident": -1}
CONFIDENT = 0.5
"""Of two modules, a label that one ranks first and the other knows has more; of scored names, a likely one has."""

Opinions = Mapping[str, Mapping[str, Verdict]]
"""Label to verdict, by paper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    label: str | None = None
    """Papers with this label among their best, or given it by people."""
    min_confidence: float = 0.0
    max_confidence: float = 1.0
    disagreement: Disagreement | None = None
    """Modules that do not agree on the best label; people who rejected one of the best or want another."""
    modules: int = 1
    """How many there are."""
    reviewed: bool | None = None
    words: str = ""
    """In the title."""
    order: Order = "corpus"


def select(corpus: Corpus, confidence: NDArray[np.float64], opinions: Opinions, filters: Filters) -> NDArray[np.int64]:
    """Positions of the papers that pass; `confidence` is that of each label of each paper."""
    trust = trust_in(corpus, confidence, filters.label)
    passes = (trust >= filters.min_confidence) & (trust <= filters.max_confidence)
    if filters.label is not None:
        passes &= _has_label(corpus, opinions, filters.label)
    if filters.disagreement == "modules":
        best = trust_in(corpus, confidence, None)
        passes &= (best > CONFIDENT) & (best < 1) & (filters.modules > 1)
    if filters.disagreement == "people":
        passes &= _among(corpus, {paper for paper, given in opinions.items() if _differs(corpus, paper, given)})
    if filters.reviewed is not None:
        passes &= _among(corpus, opinions.keys()) == filters.reviewed
    if filters.words:
        wanted = filters.words.casefold()
        passes &= np.array([wanted in corpus.title(i).casefold() for i in range(len(corpus))], dtype=bool)
    found = np.flatnonzero(passes)
    return found[np.argsort(DIRECTIONS[filters.order] * trust[found], kind="stable")]


def before(
    corpus: Corpus, confidence: NDArray[np.float64], filters: Filters, found: NDArray[np.int64], paper: int
) -> int:
    """How many of those that `select` found come before this paper, whether it passes or not."""
    key = DIRECTIONS[filters.order] * trust_in(corpus, confidence, filters.label)
    return int(np.sum((key[found] < key[paper]) | ((key[found] == key[paper]) & (found < paper))))


def trust_in(corpus: Corpus, confidence: NDArray[np.float64], label: str | None) -> NDArray[np.float64]:
    """The confidence of this label in each paper, or of the best label; 0 where there is none."""
    wanted = corpus.labels == corpus.space.position[label] if label is not None else corpus.labels != NOTHING
    trust: NDArray[np.float64] = np.where(wanted, confidence, 0.0).max(axis=1, initial=0.0)
    return trust


def _has_label(corpus: Corpus, opinions: Opinions, label: str) -> NDArray[np.bool_]:
    best = (corpus.labels[:, :LABELS_PER_PAPER] == corpus.space.position[label]).any(axis=1)
    given = {paper for paper, verdicts in opinions.items() if verdicts.get(label) in ("accept", "add")}
    has_label: NDArray[np.bool_] = best | _among(corpus, given)
    return has_label


def _differs(corpus: Corpus, paper: str, given: Mapping[str, Verdict]) -> bool:
    if paper not in corpus.position:
        return False
    best = set(corpus.ranking(corpus.position[paper]).labels[:LABELS_PER_PAPER])
    return any((verdict == "reject") == (label in best) for label, verdict in given.items())


def _among(corpus: Corpus, papers: Iterable[str]) -> NDArray[np.bool_]:
    chosen = np.zeros(len(corpus), dtype=bool)
    chosen[[corpus.position[paper] for paper in papers if paper in corpus.position]] = True
    return chosen

"""Labels by how a paper names them, weighed mildly by what a PLM thinks of them."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from futex.corpus.paper import Paper
from futex.labels.label import LabelSpace
from futex.naming.counts import Counts, count_names
from futex.naming.matcher import LongestMatcher
from futex.plm.protocol import PLM, Array
from futex.progress import portions, task
from futex.ranking import Ranking

IN_TITLE = IN_ABSTRACT = 0.5
"""What a name in the title or in the abstract adds to the weight of all its mentions."""

PER_WORD = 0.2
"""What each further word of a name adds: the longer a name, the less likely it means something else."""

READ_CLOSELY = 100
"""Labels of a paper that the PLM is asked about; no other could come near the top any more."""

BEST_PARAGRAPHS = 3

PAPERS_AT_ONCE = 16

Scores = NDArray[np.float64]


class NameRanker:
    """score(d, l) = place · ln(1 + tf) · (1 + idf) · words · exp(cos(h_a, h_l) + mean of the top 3 cos(h_p, h_l))."""

    def __init__(self, labels: LabelSpace, matcher: LongestMatcher, plm: PLM | None) -> None:
        self._labels = labels
        self._matcher = matcher
        self._plm = plm
        self.papers = 0
        self.papers_with = np.zeros(len(labels), np.int64)
        """df(l): how many papers of the corpus name each label."""

    def fit_rank(self, papers: Sequence[Paper]) -> dict[str, Ranking]:
        """Count the names in a corpus and rank its papers."""
        counts = list(self._counted(papers))
        self.papers = len(counts)
        named = np.concatenate([np.empty(0, np.int32), *(own.labels for own in counts)])
        self.papers_with = np.bincount(named, minlength=len(self._labels))
        return self._ranked(papers, counts)

    def rank(self, papers: Sequence[Paper]) -> dict[str, Ranking]:
        """Rank papers that need not be of the corpus."""
        return self._ranked(papers, list(self._counted(papers)))

    def save(self, folder: Path) -> None:
        np.savez(folder / "papers_with.npz", papers=self.papers, papers_with=self.papers_with)

    def load(self, folder: Path) -> None:
        with np.load(folder / "papers_with.npz", allow_pickle=False) as saved:
            self.papers, self.papers_with = int(saved["papers"]), saved["papers_with"]

    def _counted(self, papers: Sequence[Paper]) -> Iterator[Counts]:
        with task("Looking for names", total=len(papers)) as advance:
            for counts in count_names(papers, self._matcher, self._labels.position):
                yield counts
                advance(1)

    def _ranked(self, papers: Sequence[Paper], counts: Sequence[Counts]) -> dict[str, Ranking]:
        rankings: dict[str, Ranking] = {}
        done = 0
        for some in portions("Ranking", papers, PAPERS_AT_ONCE):
            own = counts[done : done + len(some)]
            scores = self._scores(some, own)
            for paper, of_paper, score in zip(some, own, scores, strict=True):
                ids = [self._labels.ids[position] for position in of_paper.labels]
                rankings[paper.id] = Ranking.of(dict(zip(ids, score.tolist(), strict=True)))
            done += len(some)
        return rankings

    def _scores(self, papers: Sequence[Paper], counts: Sequence[Counts]) -> list[Scores]:
        scores = [self._by_names(own) for own in counts]
        if self._plm is None:
            return scores
        closely = [np.argsort(-score, kind="stable")[:READ_CLOSELY] for score in scores]
        wanted = [own.labels[best] for own, best in zip(counts, closely, strict=True)]
        for score, best, meaning in zip(scores, closely, self._by_meaning(papers, wanted), strict=True):
            score[best] *= np.exp(meaning)
        return scores

    def _by_names(self, counts: Counts) -> Scores:
        """place · ln(1 + tf) · (1 + idf) · words."""
        idf = np.log((self.papers + 1) / (self.papers_with[counts.labels] + 0.5))
        place = 1 + IN_TITLE * counts.in_title + IN_ABSTRACT * counts.in_abstract
        scores: Scores = (
            place * np.log1p(counts.mentions) * (1 + np.maximum(idf, 0)) * (1 + PER_WORD * (counts.words - 1))
        )
        return scores

    def _by_meaning(self, papers: Sequence[Paper], wanted: Sequence[NDArray[np.int32]]) -> Iterator[Array]:
        """cos(h_a, h_l) + the mean of the highest cos(h_p, h_l), for the wanted labels of each paper."""
        assert self._plm is not None
        positions = sorted({int(position) for own in wanted for position in own})
        row = {position: i for i, position in enumerate(positions)}
        h_l = _unit(self._plm.embed([self._labels[self._labels.ids[position]].text for position in positions]))
        texts = [[paper.title_and_abstract, *(place.text for place in paper.paragraphs())] for paper in papers]
        vectors = iter(_unit(self._plm.embed([text for own in texts for text in own])))
        for own, labels in zip(texts, wanted, strict=True):
            h = np.array([next(vectors) for _ in own])
            similarity = h @ h_l[[row[int(position)] for position in labels]].T
            yield similarity[0] + _mean_of_best(similarity[1:] if len(own) > 1 else similarity)


def _mean_of_best(similarity: Array) -> Array:
    """Of each column, over the rows."""
    best: Array = np.sort(similarity, axis=0)[-BEST_PARAGRAPHS:].mean(axis=0)
    return best


def _unit(vectors: Array) -> Array:
    unit: Array = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    return unit

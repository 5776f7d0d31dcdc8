"""Labels by how a paper names them, weighed mildly by what a PLM thinks of them."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from futex.arrays import read_npz
from futex.corpus.paper import Paper
from futex.errors import ModelError
from futex.files import write_text
from futex.json_files import read_object
from futex.labels.label import LabelSpace
from futex.naming.counts import Counts, count_names
from futex.naming.factors import ALL_FACTORS, MEANING, Scores, product
from futex.naming.features import Experience, Matrix, features
from futex.naming.fusion import Fusion
from futex.naming.matcher import LongestMatcher
from futex.naming.probability import number_that_apply, probability
from futex.plm.protocol import PLM, Array
from futex.progress import portions, task
from futex.ranking import Ranking

READ_CLOSELY = 100
"""Labels of a paper that the PLM is asked about; no other could come near the top any more."""

TYPICAL = 10
"""The best labels by name, to whose mean the PLM's judgement is relative: so scores mean the same with any PLM."""

BEST_PARAGRAPHS = 3

PAPERS_AT_ONCE = 16


class NameRanker:
    """score(d, l) = ln(1 + tf) · rarity · place · length · exp(cos(h_a, h_l) + mean of the top 3 cos(h_p, h_l)).

    Rankings hold them as probabilities, by `probability.py`, or once it was adapted to reviewed papers by `fusion.py`.
    """

    tuned_plm = self_training = None

    def __init__(self, labels: LabelSpace, plm: PLM | None, factors: Collection[str] = ALL_FACTORS) -> None:
        self.matcher = LongestMatcher(labels)
        self.paragraph_plm = plm
        self._labels = labels
        self._factors = factors
        self.papers = 0
        self.papers_with = np.zeros(len(labels), np.int64)
        """df(l): how many papers of the corpus name each label."""
        self.mentions = np.zeros(len(labels), np.int64)
        """How often they name it in all."""
        self.experience = Experience.none(len(labels))
        self.fusion: Fusion | None = None

    def fine_tune(self, papers: Sequence[Paper]) -> None:
        """Names need no links."""

    def look(self, papers: Sequence[Paper]) -> list[Counts]:
        """The names in each paper."""
        return list(self._counted(papers))

    def learn(self, corpus: Iterable[Counts], words: object = ()) -> None:
        """df(l), from the names in each paper of a corpus; its other words tell nothing."""
        self.papers = 0
        self.papers_with = np.zeros(len(self._labels), np.int64)
        self.mentions = np.zeros(len(self._labels), np.int64)
        for own in corpus:
            self.papers += 1
            self.papers_with[own.labels] += 1
            self.mentions[own.labels] += own.mentions

    def adapt(self, papers: Sequence[Paper], given: Mapping[str, Collection[str]]) -> None:
        """Learn from reviewed papers how to weigh what is known of a label, and which labels reviewers give."""
        counts = self.look(papers)
        answers = [
            np.array([self._labels.ids[position] in given[paper.id] for position in own.labels], bool)
            for paper, own in zip(papers, counts, strict=True)
        ]
        self.experience = Experience.none(len(self._labels))
        for own, answer in zip(counts, answers, strict=True):
            self.experience.named[own.labels] += 1
            self.experience.given[own.labels] += answer
        rows = self._features(papers, counts, answers)
        self.fusion = Fusion.fit(np.concatenate(list(rows)), np.concatenate(answers))

    def number_that_apply(self, ranking: Ranking) -> int:
        """The cut-off of the highest expected F1."""
        return number_that_apply(ranking)

    def save(self, folder: Path) -> None:
        arrays = {"papers_with": self.papers_with, "mentions": self.mentions, **self.experience._asdict()}
        np.savez(folder / "names.npz", papers=self.papers, **arrays)
        if self.fusion is not None:
            write_text(folder / "fusion.json", json.dumps(self.fusion.as_dict(), indent=2) + "\n")

    def load(self, folder: Path) -> None:
        saved = read_npz(folder / "names.npz")
        of_labels = dict.fromkeys(("papers_with", "mentions", *Experience._fields), (len(self._labels),))
        fits = {name: counts.shape for name, counts in saved.items()} == {"papers": (), **of_labels}
        if not fits or not all(map(_are_counts, saved.values())):
            raise ModelError(f"{folder / 'names.npz'} does not count the names of these labels: fit the model again")
        self.papers, self.papers_with, self.mentions = int(saved["papers"]), saved["papers_with"], saved["mentions"]
        self.experience = Experience(saved["named"], saved["given"])
        if (folder / "fusion.json").exists():
            self.fusion = Fusion.from_dict(read_object(folder / "fusion.json"))

    def _counted(self, papers: Sequence[Paper]) -> Iterator[Counts]:
        with task("Looking for names", total=len(papers)) as advance:
            for counts in count_names(papers, self.matcher, self._labels.position):
                yield counts
                advance(1)

    def conclude(self, papers: Sequence[Paper], counts: Sequence[Counts]) -> dict[str, Ranking]:
        """The labels that each paper names, the most probable first; it need not be of the corpus."""
        rankings: dict[str, Ranking] = {}
        for paper, own, scores in zip(papers, counts, self._final_scores(papers, counts), strict=True):
            ids = [self._labels.ids[position] for position in own.labels]
            rankings[paper.id] = Ranking.of(dict(zip(ids, scores.tolist(), strict=True)))
        return rankings

    def _final_scores(self, papers: Sequence[Paper], counts: Sequence[Counts]) -> Iterator[Scores]:
        if self.fusion is None:
            yield from map(probability, self._all_scores(papers, counts))
        else:
            yield from map(self.fusion.probabilities, self._features(papers, counts))

    def _features(
        self, papers: Sequence[Paper], counts: Sequence[Counts], answers: Sequence[NDArray[np.bool_]] | None = None
    ) -> Iterator[Matrix]:
        """With `answers` for the papers that are learnt from."""
        for i, scores in enumerate(self._all_scores(papers, counts)):
            own = counts[i]
            mean_mentions = (self.mentions[own.labels] + 1) / (self.papers_with[own.labels] + 1)
            experience = self.experience.of(own.labels, None if answers is None else answers[i])
            yield features(own, scores, self._idf(own), mean_mentions, experience)

    def _all_scores(self, papers: Sequence[Paper], counts: Sequence[Counts]) -> Iterator[Scores]:
        done = 0
        for some in portions("Ranking", papers, PAPERS_AT_ONCE):
            yield from self._scores(some, counts[done : done + len(some)])
            done += len(some)

    def _scores(self, papers: Sequence[Paper], counts: Sequence[Counts]) -> list[Scores]:
        scores = [product(self._factors, own, self._rarity(own)) for own in counts]
        if self.paragraph_plm is None or MEANING not in self._factors:
            return scores
        closely = [np.argsort(-score, kind="stable")[:READ_CLOSELY] for score in scores]
        wanted = [own.labels[best] for own, best in zip(counts, closely, strict=True)]
        for score, best, meaning in zip(scores, closely, self._by_meaning(papers, wanted), strict=True):
            if len(best):
                score[best] *= np.exp(meaning - meaning[:TYPICAL].mean())
        return scores

    def _rarity(self, counts: Counts) -> Scores:
        """1 + idf, against that of a label which no paper names: so scores mean the same in a corpus of any size."""
        rarity: Scores = (1 + self._idf(counts)) / (1 + np.log(self.papers + 1))
        return rarity

    def _idf(self, counts: Counts) -> Scores:
        """Of each label that the paper names; never below 0."""
        idf: Scores = np.maximum(0, np.log((self.papers + 1) / (self.papers_with[counts.labels] + 0.5)))
        return idf

    def _by_meaning(self, papers: Sequence[Paper], wanted: Sequence[NDArray[np.int32]]) -> Iterator[Array]:
        """cos(h_a, h_l) + the mean of the highest cos(h_p, h_l), for the wanted labels of each paper."""
        plm = self.paragraph_plm
        assert plm is not None
        positions = sorted({int(position) for own in wanted for position in own})
        row = {position: i for i, position in enumerate(positions)}
        h_l = _unit(plm.embed([self._labels[self._labels.ids[position]].text for position in positions]))
        texts = [[paper.title_and_abstract, *(place.text for place in paper.paragraphs())] for paper in papers]
        vectors = iter(_unit(plm.embed([text for own in texts for text in own])))
        for own, labels in zip(texts, wanted, strict=True):
            h = np.array([next(vectors) for _ in own])
            similarity = h @ h_l[[row[int(position)] for position in labels]].T
            yield similarity[0] + _mean_of_best(similarity[1:] if len(own) > 1 else similarity)


def _are_counts(numbers: NDArray[Any]) -> bool:
    return numbers.dtype.kind in "iuf" and bool(np.all(np.isfinite(numbers) & (numbers >= 0)))


def _mean_of_best(similarity: Array) -> Array:
    """Of each column, over the rows."""
    best: Array = np.sort(similarity, axis=0)[-BEST_PARAGRAPHS:].mean(axis=0)
    return best


def _unit(vectors: Array) -> Array:
    unit: Array = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    return unit

"""Labels by how a paper names them, weighed mildly by what a PLM thinks of them."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from futex.arrays import read_npz
from futex.corpus.paper import Paper
from futex.errors import InputError, ModelError
from futex.labels.label import LabelSpace
from futex.labels.routine import is_routine
from futex.naming.background import Background
from futex.naming.counts import Counts, count_names
from futex.naming.factors import ALL_FACTORS, MEANING, ROUTINE, Among, Scores, in_its_place, product
from futex.naming.features import Experience, Known, Matrix, features, places
from futex.naming.fusion import Fusion
from futex.naming.generality import names_around
from futex.naming.matcher import LongestMatcher
from futex.naming.meaning import ABSTRACT, ALL, NEAREST, similarities
from futex.naming.probability import number_that_apply, probability
from futex.naming.regression import Regression
from futex.plm.protocol import PLM, Array
from futex.progress import portions, task
from futex.ranking import Ranking

READ_CLOSELY = 100
"""Labels of a paper that the PLM is asked about; no other could come near the top any more."""

TYPICAL = 10
"""The best labels by name, to whose mean the PLM's judgement is relative: so scores mean the same with any PLM."""

PAPERS_AT_ONCE = 16

TOO_MANY = 2**53
"""In a model from a stranger: whole numbers are exact up to here."""


class NameRanker:
    """score(d, l) = ln(1 + tf) · rarity · place · length · generality · exp(cos(h_a, h_l) + top 3 cos(h_p, h_l)).

    Neither rarity, generality nor the PLM counts for labels that are given by routine (`labels/routine.py`): the PLM
    puts the others in order around them.
    Rankings hold them as probabilities, by `probability.py`. Where other collections taught it, `transferred` makes
    them of the features of a label instead, and once it was adapted to reviewed papers `fusion.py` does.
    """

    tuned_plm = self_training = None

    def __init__(
        self,
        labels: LabelSpace,
        plm: PLM | None,
        factors: Collection[str] = ALL_FACTORS,
        transferred: Regression | None = None,
    ) -> None:
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
        self._transferred = transferred
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
        if not any(len(own.labels) for own in counts):
            raise InputError("the reviewed papers name no label at all: give others, or more of them")
        self.experience = Experience.none(len(self._labels))
        for own, answer in zip(counts, self._answers(papers, counts, given), strict=True):
            self.experience.named[own.labels] += 1
            self.experience.given[own.labels] += answer
        self.fusion = Fusion.fit(*self.examples(papers, counts, given))

    def examples(
        self, papers: Sequence[Paper], counts: Sequence[Counts], given: Mapping[str, Collection[str]]
    ) -> tuple[Matrix, NDArray[np.bool_]]:
        """The features of all labels that these papers name, a row each, and whether it was given to the paper."""
        answers = self._answers(papers, counts, given)
        return np.concatenate(list(self._features(papers, counts, answers))), np.concatenate(answers)

    def _answers(
        self, papers: Sequence[Paper], counts: Sequence[Counts], given: Mapping[str, Collection[str]]
    ) -> list[NDArray[np.bool_]]:
        return [
            np.array([self._labels.ids[position] in given[paper.id] for position in own.labels], bool)
            for paper, own in zip(papers, counts, strict=True)
        ]

    def number_that_apply(self, ranking: Ranking) -> int:
        """The cut-off of the highest expected F1."""
        return number_that_apply(ranking)

    def save(self, folder: Path) -> None:
        arrays = {"papers_with": self.papers_with, "mentions": self.mentions, **self.experience._asdict()}
        np.savez(folder / "names.npz", papers=self.papers, **arrays)
        if self.fusion is not None:
            self.fusion.save(folder)

    def load(self, folder: Path) -> None:
        saved = read_npz(folder / "names.npz")
        of_labels = dict.fromkeys(("papers_with", "mentions", *Experience._fields), (len(self._labels),))
        fits = {name: counts.shape for name, counts in saved.items()} == {"papers": (), **of_labels}
        if not fits or not all(map(_are_counts, saved.values())) or (saved["given"] > saved["named"]).any():
            raise ModelError(f"{folder / 'names.npz'} does not count the names of these labels: fit the model again")
        self.papers, self.papers_with, self.mentions = int(saved["papers"]), saved["papers_with"], saved["mentions"]
        self.experience = Experience(saved["named"], saved["given"])
        if Fusion.is_in(folder):
            self.fusion = Fusion.load(folder)

    def _counted(self, papers: Sequence[Paper]) -> Iterator[Counts]:
        with task("Looking for names", total=len(papers)) as advance:
            for counts in count_names(papers, self.matcher):
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
        learnt = self.fusion or self._transferred
        if learnt is None:
            yield from (probability(scores) for scores, _ in self._judged(papers, counts))
        else:
            yield from map(learnt.probabilities, self._features(papers, counts))

    def _features(
        self, papers: Sequence[Paper], counts: Sequence[Counts], answers: Sequence[NDArray[np.bool_]] | None = None
    ) -> Iterator[Matrix]:
        """With `answers` for the papers that are learnt from."""
        for i, (scores, similarity) in enumerate(self._judged(papers, counts)):
            labels = counts[i].labels
            known = Known(
                scores=scores,
                idf=self._idf(counts[i]),
                mean_mentions=(self.mentions[labels] + 1) / (self.papers_with[labels] + 1),
                similarity=similarity,
                place=self._places[labels],
                experience=self.experience.of(labels, None if answers is None else answers[i]),
            )
            yield features(counts[i], known)

    @cached_property
    def _places(self) -> Matrix:
        return places(self._labels, self._names_around)

    def _judged(self, papers: Sequence[Paper], counts: Sequence[Counts]) -> Iterator[tuple[Scores, Matrix]]:
        """Of the labels of each paper their scores, and what the PLM thinks of them (see `meaning.py`)."""
        done = 0
        for some in portions("Ranking", papers, PAPERS_AT_ONCE):
            yield from self._judge(some, counts[done : done + len(some)])
            done += len(some)

    def _judge(self, papers: Sequence[Paper], counts: Sequence[Counts]) -> list[tuple[Scores, Matrix]]:
        scores = [product(self._factors, own, self._among(own)) for own in counts]
        judged = [(score, np.zeros((len(score), ALL + 1))) for score in scores]
        if self.paragraph_plm is None or MEANING not in self._factors:
            return judged
        closely = [np.argsort(-score, kind="stable")[:READ_CLOSELY] for score in scores]
        wanted = [own.labels[best] for own, best in zip(counts, closely, strict=True)]
        found = similarities(self.paragraph_plm, self._labels, papers, wanted)
        for own, (score, similarity), best, known in zip(counts, judged, closely, found, strict=True):
            if len(best):
                similarity[:] = known.min(axis=0)  # of those that were not read closely
                similarity[best] = known
                _weigh(score, best, known, self._routine[own.labels])
        return judged

    def _among(self, counts: Counts) -> Among:
        """Rarity is 1 + idf, divided by 1 + ln(N + 1) for N papers: so it hardly hangs on the corpus if rare.

        Labels that are given by routine have a rarity of 1, and count as if no other name had theirs.
        """
        rarity: Scores = (1 + self._idf(counts)) / (1 + np.log(self._background.papers + self.papers + 1))
        routine = self._routine[counts.labels]
        return Among(np.where(routine, 1.0, rarity), np.where(routine, 0, self._names_around[counts.labels]))

    @cached_property
    def _names_around(self) -> NDArray[np.int64]:
        return names_around(self._labels)

    @cached_property
    def _routine(self) -> NDArray[np.bool_]:
        return np.array([ROUTINE in self._factors and is_routine(label) for label in self._labels.values()], bool)

    def _idf(self, counts: Counts) -> Scores:
        """Of each label that the paper names, over the corpus and papers at large; never below 0."""
        known = self._background
        papers_with = known.papers_with[counts.labels] + self.papers_with[counts.labels]
        idf: Scores = np.maximum(0, np.log((known.papers + self.papers + 1) / (papers_with + 0.5)))
        return idf

    @cached_property
    def _background(self) -> Background:
        return Background.of(self._labels)


def _weigh(scores: Scores, best: NDArray[np.intp], known: Array, routine: NDArray[np.bool_]) -> None:
    """Multiply by exp of the PLM's judgement, which is `known` of the best labels, against that of the first ones.

    A paper about the heart of mice is about the heart: of what is given by routine the PLM knows nothing. Such a label
    stays where it was among the others.
    """
    asked = ~routine[best]
    if not asked.any():
        return
    meaning = (known[:, ABSTRACT] + known[:, NEAREST])[asked]
    by_name = scores.copy()
    scores[best[asked]] *= np.exp(meaning - meaning[:TYPICAL].mean())
    scores[routine] = in_its_place(by_name[routine], by_name[~routine], scores[~routine])


def _are_counts(numbers: NDArray[Any]) -> bool:
    return numbers.dtype.kind in "iuf" and bool(np.all((numbers >= 0) & (numbers < TOO_MANY)))

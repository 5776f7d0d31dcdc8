"""Parabel trained on gold: the only method that sees true labels, to tell how many of them FuTex is worth (Fig. 5)."""

import random
from collections.abc import Collection, Mapping, Sequence

from futex.corpus.paper import Paper
from futex.corpus.spool import PaperSpool
from futex.errors import InputError
from futex.evaluation.gold import Gold
from futex.labels.label import LabelSpace
from futex.ranking import Candidates, Ranking
from futex.self_training.parabel import Parabel
from futex.self_training.relabelling import PREDICTED
from futex.self_training.tfidf import TfIdf, count_words


def training_papers(papers: Sequence[Paper], gold: Gold, count: int, seed: int = 0) -> PaperSpool:
    """So many papers with gold, drawn at random; whoever evaluates leaves them out."""
    known = [position for position, paper in enumerate(papers) if gold.get(paper.id)]
    if count >= len(known):
        raise InputError(f"cannot train on {count} papers: {len(known)} have gold, and some must be left to rank")
    return PaperSpool(papers[position] for position in random.Random(seed).sample(known, count))


class SupervisedParabel:
    """Ranks the whole label space by a classifier that was trained on full texts and their true labels."""

    def __init__(self, labels: LabelSpace, training: Sequence[Paper], gold: Gold, *, seed: int = 0) -> None:
        self._labels = labels
        self._vectorizer = TfIdf(min_papers=min(5, max(1, len(training) // 10)))
        self._classifier = Parabel(seed=seed)
        x = self._vectorizer.fit_transform(count_words(paper.full_text() for paper in training))
        self._classifier.fit(x, [self._positions(gold[paper.id]) for paper in training])

    def _positions(self, labels: Collection[str]) -> list[int]:
        position = self._labels.position
        return sorted(position[label] for label in labels if label in position)

    def rank(self, papers: Sequence[Paper], candidates: Candidates) -> Mapping[str, Ranking]:
        """Candidates are of no interest to a classifier of the whole label space."""
        x = self._vectorizer.transform(paper.full_text() for paper in papers)
        predicted = self._classifier.predict(x, PREDICTED)
        return {
            paper.id: Ranking.of({self._labels.ids[label]: score for label, score in scores})
            for paper, scores in zip(papers, predicted, strict=True)
        }

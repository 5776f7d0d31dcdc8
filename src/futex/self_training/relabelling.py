"""Self-training (§3.3): learn from the confident predictions, then complement them (Example 1)."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from futex.corpus.paper import Paper
from futex.errors import ModelError
from futex.files import write_text
from futex.json_files import read_object
from futex.labels.label import LabelSpace
from futex.progress import portions
from futex.ranking import Ranking
from futex.self_training.parabel import PAPERS_AT_ONCE, Parabel
from futex.self_training.tfidf import TfIdf, WordCounts

PREDICTED = 50
"""Labels asked of Parabel for each paper; more than anybody reads."""


def relabel(initial: Ranking, predicted: Ranking, n: int) -> Ranking:
    """The top N by MRR stay; the others follow by Pr(ŷ = 1 | x_d), then those that Parabel says nothing of."""
    return initial.top(n).then(predicted).then(initial)


class SelfTraining:
    """A full-text classifier trained on pseudo labels: y_{d,l} = 1 iff r_MRR(l|d) ≤ N (Eq. 11)."""

    def __init__(self, labels: LabelSpace, *, pseudo_labels: int, vectorizer: TfIdf, classifier: Parabel) -> None:
        self._labels = labels
        self._n = pseudo_labels
        self._vectorizer = vectorizer
        self._classifier = classifier

    def learn(self, words: Iterable[WordCounts], initial: Iterable[Ranking]) -> None:
        """Learn from the words of each paper and from the top N of its initial ranking."""
        x = self._vectorizer.fit_transform(words)
        position = self._labels.position
        self._classifier.fit(x, [sorted(position[label] for label in own.top(self._n).labels) for own in initial])

    def relabel(self, papers: Sequence[Paper], initial: Sequence[Ranking]) -> dict[str, Ranking]:
        """Complement the rankings of papers that need not be those it learnt from."""
        x = self._vectorizer.transform(paper.full_text() for paper in papers)
        final: dict[str, Ranking] = {}
        pairs = list(zip(papers, initial, strict=True))
        for rows in portions("Self-training", range(len(pairs)), PAPERS_AT_ONCE):
            predictions = self._classifier.predict(x[rows[0] : rows[-1] + 1], PREDICTED)
            for row, scores in zip(rows, predictions, strict=True):
                paper, own = pairs[row]
                predicted = Ranking.of({self._labels.ids[label]: score for label, score in scores})
                final[paper.id] = relabel(own, predicted, self._n)
        return final

    def telling_words(self, paper: Paper, labels: Sequence[str], most: int) -> list[list[tuple[str, float]]]:
        """For each label the paper's words that weighed most for it: x_{d,w} times the label's weight of w, as a share
        of all that the paper's words weighed; of equal ones the commoner word first."""
        if not labels:
            return []
        x = self._vectorizer.transform([paper.full_text()])
        weighed = self._classifier.weights(x.indices, [self._labels.position[label] for label in labels])
        of_labels = (weighed * x.data[:, None]).toarray().T
        return [self._heaviest(x.indices, weights, most) for weights in of_labels]

    def _heaviest(self, words: NDArray[np.int32], weights: NDArray[np.float64], most: int) -> list[tuple[str, float]]:
        total = np.abs(weights).sum()
        order = np.argsort(-weights, kind="stable")[:most]
        return [(self._vectorizer.words[words[i]], float(weights[i] / total)) for i in order if weights[i] > 0]

    def save(self, folder: Path) -> None:
        vocabulary = {"words": self._vectorizer.words, "idf": self._vectorizer.idf.tolist()}
        write_text(folder / "vocabulary.json", json.dumps(vocabulary))
        self._classifier.save(folder / "parabel.npz")

    def load(self, folder: Path) -> "SelfTraining":
        vocabulary = read_object(folder / "vocabulary.json")
        if not _is_vocabulary(vocabulary):
            raise ModelError(f"{folder / 'vocabulary.json'} does not list words with a number for each: fit it again")
        self._vectorizer.use(vocabulary["words"], vocabulary["idf"])
        self._classifier.load(folder / "parabel.npz", labels=len(self._labels), words=len(vocabulary["words"]))
        return self


def _is_vocabulary(found: Mapping[str, Any]) -> bool:
    words, idf = found.get("words"), found.get("idf")
    return (
        isinstance(words, list)
        and isinstance(idf, list)
        and len(words) == len(idf)
        and all(isinstance(word, str) for word in words)
        and all(isinstance(number, int | float) and math.isfinite(number) for number in idf)
    )

"""What self-training learns from, what it leaves as it is, and what it saw in a paper: worked out by hand."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array

from futex import progress
from futex.corpus.paper import Paper
from futex.labels.label import Label, LabelSpace
from futex.ranking import Ranking
from futex.self_training import relabelling
from futex.self_training.parabel import Parabel
from futex.self_training.relabelling import PREDICTED, SelfTraining
from futex.self_training.tfidf import TfIdf, count_words

WORDS = ("cell", "light", "ocean", "wave")
IDF = (1.0, 2.0, 1.0, 3.0)
WEIGHTS = {
    "sea": (0.5, -0.5, 2.0, 0.0),  # times x = (1, 2, 2, 0): 0.5, −1, 4, 0
    "optics": (0.0, 1.0, 1.0, 9.0),  # 0, 2, 2, 0: "wave" does not stand in the paper
    "rock": (-1.0, 0.0, -1.0, 0.0),
}


class Weights(Parabel):
    """A classifier that has learnt `WEIGHTS`."""

    def weights(self, words: NDArray[np.integer[Any]], labels: Sequence[int]) -> csr_array:
        return csr_array(np.array(list(WEIGHTS.values())).T[words][:, labels])


@pytest.fixture
def training() -> SelfTraining:
    vectorizer = TfIdf()
    vectorizer.use(WORDS, IDF)
    labels = LabelSpace([Label(name, name) for name in WEIGHTS])
    return SelfTraining(labels, pseudo_labels=5, vectorizer=vectorizer, classifier=Weights())


PAPER = Paper("p", "Ocean light", "A cell of the ocean.")


def test_words_that_weighed_most_come_first_as_shares_of_all_that_weighed(training):
    [words] = training.telling_words(PAPER, ["sea"], most=5)
    assert words == [("ocean", pytest.approx(4 / 5.5)), ("cell", pytest.approx(0.5 / 5.5))]


def test_each_label_has_its_own_words_and_no_more_than_wanted(training):
    found = training.telling_words(PAPER, ["optics", "rock", "sea"], most=1)
    assert found == [[("light", pytest.approx(0.5))], [], [("ocean", pytest.approx(4 / 5.5))]]


def test_a_paper_too_few_is_an_error_and_shifts_no_other(training):
    with pytest.raises(ValueError, match="argument"):
        training.relabel([PAPER, PAPER], [Ranking()])


def test_of_equal_words_the_commoner_one_comes_first():
    """Columns stand in the order of how common words are. Of forty, every other one weighs more: no chance for luck."""
    words = tuple(f"{first}{second}" for first in "abcdefgh" for second in "vwxyz")
    vectorizer = TfIdf()
    vectorizer.use(words, [1.0] * len(words))

    class Alike(Parabel):
        def weights(self, words: NDArray[np.integer[Any]], labels: Sequence[int]) -> csr_array:
            return csr_array(1.0 + np.outer(words % 2, np.ones(len(labels))))

    labels = LabelSpace([Label("sea", "sea")])
    training = SelfTraining(labels, pseudo_labels=5, vectorizer=vectorizer, classifier=Alike())
    [found] = training.telling_words(Paper("p", "", " ".join(reversed(words))), ["sea"], most=5)
    assert [word for word, _ in found] == list(words[1:10:2])


class Recorder(Parabel):
    """Learns nothing, but remembers what it was given and asked; it thinks every paper is about rocks, then optics."""

    def fit(self, x: csr_array, labels: Sequence[Sequence[int]]) -> "Recorder":
        self.learnt = [list(own) for own in labels]
        return self

    def predict(self, x: csr_array, top: int) -> list[list[tuple[int, float]]]:
        self.top = top
        return [[(2, 0.9), (1, 0.5)] for _ in range(x.shape[0])]


@pytest.fixture
def recording() -> tuple[SelfTraining, Recorder]:
    vectorizer, recorder = TfIdf(min_papers=1), Recorder()
    labels = LabelSpace([Label(name, name) for name in WEIGHTS])
    return SelfTraining(labels, pseudo_labels=1, vectorizer=vectorizer, classifier=recorder), recorder


SEA_FIRST = Ranking(("sea", "optics"), (2.0, 1.0))


def test_it_learns_from_the_best_n_labels_and_leaves_them_on_top(recording):
    """N = 1 (Eq. 11): "optics" is no pseudo label, and the classifier may put "rock" before it."""
    training, recorder = recording
    training.learn(count_words(["Ocean light", "A cell"]), [SEA_FIRST, Ranking()])
    assert recorder.learnt == [[0], []]
    assert training.relabel([PAPER], [SEA_FIRST])["p"].labels == ("sea", "rock", "optics")
    assert recorder.top == PREDICTED


def test_papers_are_relabelled_some_at_a_time_and_people_see_how_far_it_is(recording, monkeypatch):
    training, _ = recording
    monkeypatch.setattr(relabelling, "PAPERS_AT_ONCE", 2)
    steps: list[int] = []

    @contextmanager
    def display(title: str, total: int | None, done: int) -> Iterator[progress.Advance]:
        assert (title, total, done) == ("Self-training", 5, 0)
        yield lambda some=1, note="": steps.append(some)

    monkeypatch.setattr(progress, "_display", display)
    papers = [Paper(name, "Ocean light") for name in "abcde"]
    assert list(training.relabel(papers, [SEA_FIRST] * 5)) == list("abcde")
    assert steps == [2, 2, 1]


def test_an_answer_too_few_is_an_error_and_shifts_no_other(recording, monkeypatch):
    training, recorder = recording
    monkeypatch.setattr(recorder, "predict", lambda x, top: [[(2, 0.9)]] * (x.shape[0] - 1))
    with pytest.raises(ValueError, match="argument"):
        training.relabel([PAPER, PAPER], [SEA_FIRST] * 2)


def test_no_label_no_words(training):
    assert training.telling_words(PAPER, [], most=5) == []

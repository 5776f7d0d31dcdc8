"""What self-training saw in a paper: words by how much they weighed for a label, worked out by hand."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array

from futex.corpus.paper import Paper
from futex.labels.label import Label, LabelSpace
from futex.ranking import Ranking
from futex.self_training.parabel import Parabel
from futex.self_training.relabelling import SelfTraining
from futex.self_training.tfidf import TfIdf

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


def test_no_label_no_words(training):
    assert training.telling_words(PAPER, [], most=5) == []

"""Full texts as tf-idf vectors (§3.3, Eq. 10).

>>> vectorizer = TfIdf(min_papers=1).fit(["cats and dogs", "cats, 9 cats"])
>>> dict(zip(vectorizer.words, vectorizer.idf.round(3).tolist()))
{'and': 0.693, 'cats': 0.0, 'dogs': 0.693}
"""

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from futex.processes import on_all_cores

WORD = re.compile(r"[^\W\d_]+")
"""Letters only: numbers and symbols are not words."""

TEXTS_AT_ONCE = 32


class WordCounts(NamedTuple):
    """The words of a text in the order of their first use, and how often it has each."""

    words: Sequence[str]
    counts: NDArray[np.int32]


def count_words(texts: Iterable[str]) -> Iterator[WordCounts]:
    """For each text, in order, on all cores."""
    return on_all_cores(_count_all, texts, batch=TEXTS_AT_ONCE)


def _count_all(texts: list[str]) -> list[WordCounts]:
    counted = [Counter(WORD.findall(text.lower())) for text in texts]
    return [WordCounts(list(of_text), np.fromiter(of_text.values(), np.int32, len(of_text))) for of_text in counted]


class TfIdf:
    """x_{d,w} = tf(w, d) · log(|D| / |{d' : w ∈ d'}|) over the words that stand in at least `min_papers` papers."""

    def __init__(self, min_papers: int = 5) -> None:
        self.min_papers = min_papers
        self.use(())

    def use(self, words: Iterable[str], idf: Iterable[float] = ()) -> None:
        """Take over words and idf that were found before."""
        self.words = tuple(words)
        self.idf: NDArray[np.float64] = np.array(list(idf), dtype=np.float64)
        self._column = {word: i for i, word in enumerate(self.words)}

    def fit(self, texts: Iterable[str]) -> "TfIdf":
        self.fit_transform(texts)
        return self

    def fit_transform(self, texts: Iterable[str]) -> csr_array:
        """`fit` and `transform` in one pass over the texts, which need not fit into memory."""
        return self.fit_transform_counted(count_words(texts))

    def fit_transform_counted(self, counted: Iterable[WordCounts]) -> csr_array:
        """The same where the words of each text were counted before."""
        number: dict[str, int] = {}
        tf = _term_frequencies(counted, number, grow=True)
        papers_with = np.bincount(tf.indices, minlength=len(number))
        self.use(sorted(word for word, i in number.items() if papers_with[i] >= self.min_papers))
        kept = np.array([number[word] for word in self.words], dtype=np.int32)
        self.idf = np.log(tf.shape[0] / papers_with[kept])
        return self._weighted(tf[:, kept])

    def transform(self, texts: Iterable[str]) -> csr_array:
        """One row a text, columns as in `words`."""
        return self._weighted(_term_frequencies(count_words(texts), self._column, grow=False))

    def _weighted(self, tf: csr_array) -> csr_array:
        tf.sort_indices()
        weights = self.idf.astype(np.float32)[tf.indices]
        weights *= tf.data
        return csr_array((weights, tf.indices, tf.indptr), shape=tf.shape)


def _term_frequencies(counted: Iterable[WordCounts], number: dict[str, int], *, grow: bool) -> csr_array:
    """Counts of the numbered words in each text; with `grow`, words that are new get the next numbers."""
    columns, frequencies, ends = array("i"), array("i"), array("q", [0])
    for words, counts in counted:
        if grow:
            of_text = [number.setdefault(word, len(number)) for word in words]
        else:
            of_text = [number.get(word, -1) for word in words]
        known = np.array(of_text, dtype=np.int32)
        columns.frombytes(known[known >= 0].tobytes())
        frequencies.frombytes(counts[known >= 0].tobytes())
        ends.append(len(columns))
    matrix = (np.asarray(frequencies), np.asarray(columns), narrowed(np.asarray(ends)))
    return csr_array(matrix, shape=(len(ends) - 1, len(number)))


def narrowed(ends: NDArray[np.int64]) -> NDArray[np.int32] | NDArray[np.int64]:
    """Where the rows of a matrix end, in 32 bits if they suffice: scipy then keeps its columns so too."""
    return ends.astype(np.int32) if ends[-1] <= np.iinfo(np.int32).max else ends

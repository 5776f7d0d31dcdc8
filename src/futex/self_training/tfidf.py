"""Full texts as tf-idf vectors (§3.3, Eq. 10).

>>> vectorizer = TfIdf(min_papers=1)
>>> x = vectorizer.fit_transform(count_words(["cats and dogs", "cats, 9 cats"]))
>>> dict(zip(vectorizer.words, vectorizer.idf.round(3).tolist()))
{'cats': 0.0, 'and': 0.693, 'dogs': 0.693}
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from futex.processes import on_all_cores
from futex.self_training.rows import on_disk, portions

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
    """x_{d,w} = tf(w, d) · log(|D| / |{d' : w ∈ d'}|) over the words that stand in at least `min_papers` papers.

    The commonest come first: what a classifier reads most often then lies together in the cores' caches.
    """

    def __init__(self, min_papers: int = 5) -> None:
        self.min_papers = min_papers
        self.use((), ())

    def use(self, words: Iterable[str], idf: Iterable[float]) -> None:
        """Take over words and idf that were found before."""
        self.words = tuple(words)
        self.idf: NDArray[np.float64] = np.array(list(idf), dtype=np.float64)
        self._column = {word: i for i, word in enumerate(self.words)}

    def fit_transform(self, counted: Iterable[WordCounts]) -> csr_array:
        """Find words and idf, and give one row a text: one pass; neither texts nor matrix need fit into memory."""
        number: dict[str, int] = {}
        tf = on_disk(_term_frequencies(counted, number, grow=True))
        papers_with = np.zeros(len(number), np.int64)
        for rows in portions(tf.shape[0]):
            papers_with += np.bincount(tf[rows].indices, minlength=len(number))
        common = (word for word, i in number.items() if papers_with[i] >= self.min_papers)
        words = sorted(common, key=lambda word: (-papers_with[number[word]], word))
        kept = np.array([number[word] for word in words], dtype=np.int32)
        self.use(words, np.log(tf.shape[0] / papers_with[kept]))
        return on_disk(self._weighted(tf[rows][:, kept]) for rows in portions(tf.shape[0]))

    def transform(self, texts: Iterable[str]) -> csr_array:
        """One row a text, columns as in `words`."""
        parts = list(_term_frequencies(count_words(texts), self._column, grow=False))
        return self._weighted(vstack(parts, format="csr") if parts else csr_array((0, len(self.words)), dtype=np.int32))

    def _weighted(self, tf: csr_array) -> csr_array:
        tf.sort_indices()
        weights = self.idf.astype(np.float32)[tf.indices]
        weights *= tf.data
        return csr_array((weights, tf.indices, tf.indptr), shape=tf.shape)


def _term_frequencies(counted: Iterable[WordCounts], number: dict[str, int], *, grow: bool) -> Iterator[csr_array]:
    """Counts of the numbered words in each text, some texts at a time; with `grow`, new words get the next numbers."""
    remaining = iter(counted)
    while some := list(islice(remaining, TEXTS_AT_ONCE)):
        if grow:
            columns = [number.setdefault(word, len(number)) for words, _ in some for word in words]
        else:
            columns = [number.get(word, -1) for words, _ in some for word in words]
        ends = np.cumsum([0, *(len(words) for words, _ in some)])
        column = np.array(columns, np.int32)
        count = np.concatenate([counts for _, counts in some])
        known = column >= 0
        ends = np.concatenate([[0], np.cumsum(known)])[ends]
        yield csr_array((count[known], column[known], ends), shape=(len(some), len(number)))

"""Full texts as tf-idf vectors (§3.3, Eq. 10).

>>> vectorizer = TfIdf(min_papers=1).fit(["cats and dogs", "cats, 9 cats"])
>>> dict(zip(vectorizer.words, vectorizer.idf.round(3).tolist()))
{'and': 0.693, 'cats': 0.0, 'dogs': 0.693}
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

WORD = re.compile(r"[^\W\d_]+")
"""Letters only: numbers and symbols are not words."""


class TfIdf:
    """x_{d,w} = tf(w, d) · log(|D| / |{d' : w ∈ d'}|) over the words that stand in at least `min_papers` papers."""

    def __init__(self, min_papers: int = 5) -> None:
        self.min_papers = min_papers
        self.words: tuple[str, ...] = ()
        self.idf: NDArray[np.float64] = np.empty(0)

    def fit(self, texts: Iterable[str]) -> "TfIdf":
        papers_with: Counter[str] = Counter()
        count = 0
        for text in texts:
            papers_with.update(set(_words(text)))
            count += 1
        self.words = tuple(sorted(word for word, papers in papers_with.items() if papers >= self.min_papers))
        self.idf = np.log(count / np.array([papers_with[word] for word in self.words], dtype=np.float64))
        return self

    def transform(self, texts: Iterable[str]) -> csr_array:
        """One row a text, columns as in `words`."""
        column = {word: i for i, word in enumerate(self.words)}
        indices: list[NDArray[np.int32]] = []
        values: list[NDArray[np.float64]] = []
        ends = [0]
        for text in texts:
            counts = Counter(column[word] for word in _words(text) if word in column)
            known = np.array(sorted(counts), dtype=np.int32)
            indices.append(known)
            values.append(np.array([counts[i] for i in known.tolist()], dtype=np.float64) * self.idf[known])
            ends.append(ends[-1] + len(known))
        flat = (_joined(values, np.float64), _joined(indices, np.int32), np.array(ends, dtype=np.int64))
        return csr_array(flat, shape=(len(ends) - 1, len(self.words)))


def _words(text: str) -> Iterator[str]:
    return (match.group() for match in WORD.finditer(text.lower()))


def _joined(parts: Sequence[np.ndarray], dtype: type) -> np.ndarray:
    return np.concatenate(parts) if parts else np.empty(0, dtype)

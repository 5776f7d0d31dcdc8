"""Search-as-you-type over all names of all labels, and the way up and down the taxonomy.

>>> from futex.labels.label import Label
>>> taxonomy = Taxonomy(LabelSpace([Label("1", "Lung cancer"), Label("2", "Lungs"), Label("3", "Cancer")]))
>>> [found.label.id for found in taxonomy.search("canc", 10)]
['3', '1']
"""

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from futex.labels.label import Label, LabelSpace
from futex.labels.names import normal_form

LAST = chr(0x10FFFF)
EXACT, BEGINS, WHOLE_WORDS, BEGINNINGS = range(4)
"""How well a name fits what was typed, best first."""

LONGEST_NAME = 2**16 - 1
MORE_NAMES = 8
"""Several names of a label may fit; so many times the wanted number is looked at."""


class Found(NamedTuple):
    label: Label
    name: str
    """The name that fits, which need not be the label's first one."""


class Taxonomy:
    """An index in memory: names in alphabetical order, and for each word the names that have it."""

    def __init__(self, labels: LabelSpace) -> None:
        self.labels = labels
        self.narrower = _narrower(labels)
        self.roots = tuple(label.id for label in labels.values() if not any(b in labels for b in label.broader))
        entries = sorted(
            (normal_form(name), rank > 0, name, position)
            for position, label in enumerate(labels.values())
            for rank, name in enumerate(label.names)
        )
        self._forms = [form for form, _, _, _ in entries]
        self._names = [name for _, _, name, _ in entries]
        self._owners = [owner for _, _, _, owner in entries]
        lengths = np.array([min(len(form), LONGEST_NAME) for form in self._forms], dtype=np.int64)
        is_synonym = np.array([synonym for _, synonym, _, _ in entries], dtype=np.int64)
        self._order = ((is_synonym << 16) + lengths << 32) + np.arange(len(entries))
        self._words, self._starts, self._postings = _inverted(self._forms)

    def search(self, typed: str, limit: int) -> list[Found]:
        """Labels one of whose names has, for each word that was typed, a word that begins so.

        First come exact names, then names that begin with it, then whole words; first names before synonyms, short
        ones before long ones.
        """
        query = normal_form(typed)
        found = [Found(self.labels[typed], self.labels[typed].name)] if typed in self.labels else []
        seen = {match.label.id for match in found}
        for name in self._best_names(query, MORE_NAMES * limit) if query else ():
            label = self.labels[self.labels.ids[self._owners[name]]]
            if label.id not in seen:
                seen.add(label.id)
                found.append(Found(label, self._names[name]))
        return found[:limit]

    def _best_names(self, query: str, most: int) -> Sequence[int]:
        words = query.split()
        fits = self._with_words(words, beginnings=True)
        classes = np.full(len(self._forms), BEGINNINGS, dtype=np.int64)
        classes[self._with_words(words, beginnings=False)] = WHOLE_WORDS
        first, last = bisect_left(self._forms, query), bisect_left(self._forms, query + LAST)
        classes[first:last] = BEGINS
        classes[first : bisect_left(self._forms, query + "\0")] = EXACT
        candidates = np.flatnonzero(fits)
        keys = (classes[candidates] << 56) + self._order[candidates]
        if len(keys) > most:
            nearest = np.argpartition(keys, most)[:most]
            candidates, keys = candidates[nearest], keys[nearest]
        return candidates[np.argsort(keys)].tolist()  # type: ignore[no-any-return]

    def _with_words(self, words: Sequence[str], *, beginnings: bool) -> NDArray[np.bool_]:
        """Which names have all these words, or words that begin so."""
        fits = np.ones(len(self._forms), dtype=bool)
        for word in words:
            first = bisect_left(self._words, word)
            last = bisect_left(self._words, word + (LAST if beginnings else "\0"))
            has_word = np.zeros(len(self._forms), dtype=bool)
            has_word[self._postings[self._starts[first] : self._starts[last]]] = True
            fits &= has_word
        return fits


def _narrower(labels: LabelSpace) -> dict[str, list[str]]:
    below: dict[str, list[str]] = {}
    for label in labels.values():
        for broader in dict.fromkeys(label.broader):
            if broader in labels:
                below.setdefault(broader, []).append(label.id)
    return below


def _inverted(forms: Sequence[str]) -> tuple[list[str], list[int], NDArray[np.int64]]:
    """The words in alphabetical order, where the names of each begin in one long list, and that list."""
    having: dict[str, list[int]] = {}
    for name, form in enumerate(forms):
        for word in set(form.split()):
            having.setdefault(word, []).append(name)
    words = sorted(having)
    starts = np.cumsum([0, *(len(having[word]) for word in words)]).tolist()
    postings = np.fromiter((name for word in words for name in having[word]), np.int64, starts[-1])
    return words, starts, postings

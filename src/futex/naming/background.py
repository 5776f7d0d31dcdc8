"""In how many papers at large a name stands, which a small corpus cannot tell.

Of three papers one is about asthma and one about culture, or so it seems: it names it often, and the others do not. But
nearly a third of all papers in biology speak of cultures. So those whose words `experiments/common_words.py` counted
are counted with those of the corpus. In a large corpus they change little.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from futex.labels.label import Label, LabelSpace
from futex.labels.names import variants
from futex.naming.matcher import is_spelled_as
from futex.naming.plurals import singulars

COMMON_WORDS = "common_words.txt"


class Background(NamedTuple):
    papers: int
    papers_with: NDArray[np.int64]
    """df(l) among them, of labels that have a single common word as a name; 0 of all others."""

    @classmethod
    def of(cls, labels: LabelSpace) -> "Background":
        """
        >>> labels = LabelSpace([Label("1", "Cultures"), Label("2", "Asthma"), Label("3", "IMPACT")])
        >>> Background.of(labels)
        Background(papers=122, papers_with=array([35,  0,  0]))
        """
        papers, words = _common_words()
        return cls(papers, np.array([_papers_with(label, words) for label in labels.values()], np.int64))


def _papers_with(label: Label, words: Mapping[str, int]) -> int:
    """By the name that most have; an acronym is not the word that looks like it."""
    forms = (form for name in label.names for form in variants(name) if is_spelled_as(name, form))
    return max((words.get(singulars(form), 0) for form in forms), default=0)


@cache
def _common_words() -> tuple[int, dict[str, int]]:
    first, *lines = files("futex.naming").joinpath(COMMON_WORDS).read_text("utf-8").splitlines()
    return int(first.split()[1]), {word: int(times) for word, times in map(str.split, lines)}

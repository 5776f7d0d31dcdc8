"""How general a label is, as the names of its own taxonomy tell.

"Cells" stands in the names of 433 other labels of MeSH, "Stem Cells" in those of 29: whoever indexes a paper takes the
narrower one. A taxonomy need not say what is broader for that.
"""

from collections import Counter
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from futex.labels.label import LabelSpace
from futex.labels.names import variants
from futex.naming.plurals import singulars

LONGEST = 4
"""Words of a name that is looked for in others: longer ones are hardly ever part of one."""


def names_around(labels: LabelSpace) -> NDArray[np.int64]:
    """Of each label, how many others have its name as a part of theirs, in singular or plural.

    >>> from futex.labels.label import Label
    >>> labels = LabelSpace([Label("1", "Cell"), Label("2", "Stem Cells"), Label("3", "Stem Cell Niche")])
    >>> names_around(labels)
    array([2, 1, 0])
    """
    forms = [frozenset(map(singulars, variants(label.name))) for label in labels.values()]
    containing = Counter(part for own in forms for part in {part for form in own for part in _parts(form)} - own)
    return np.array([max((containing[form] for form in own), default=0) for own in forms], np.int64)


def _parts(form: str) -> Iterator[str]:
    words = form.split(" ")
    for length in range(1, min(LONGEST, len(words) - 1) + 1):
        for start in range(len(words) - length + 1):
            yield " ".join(words[start : start + length])

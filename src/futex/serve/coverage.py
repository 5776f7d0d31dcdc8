"""How a corpus covers a taxonomy: the papers of each label and of each branch. A branch is a label and all below it."""

import numpy as np
from numpy.typing import NDArray

from futex.labels.label import LabelSpace
from futex.serve.corpus import NOTHING, Corpus

LABELS_PER_PAPER = 5
"""The best so many labels count as those of a paper: what P@5 measures."""


class Coverage:
    """Counts by position of the label."""

    def __init__(self, corpus: Corpus) -> None:
        labels = corpus.labels[:, :LABELS_PER_PAPER]
        size = len(corpus.space)
        self.papers: NDArray[np.int64] = np.bincount(labels[labels != NOTHING], minlength=size)
        self.used = int((self.papers > 0).sum())
        self.most_frequent = np.lexsort((np.arange(size), -self.papers))[: self.used]
        self.branch_labels = np.zeros(size, dtype=np.int64)
        self.branch_used = np.zeros(size, dtype=np.int64)
        self.branch_papers = np.zeros(size, dtype=np.int64)
        above = [sorted(_above(corpus.space, label)) for label in corpus.space]
        for label, branches in enumerate(above):
            self.branch_labels[branches] += 1
            self.branch_used[branches] += int(self.papers[label] > 0)
        for own in labels:
            branches = sorted({branch for label in own[own != NOTHING] for branch in above[label]})
            self.branch_papers[branches] += 1


def _above(labels: LabelSpace, label: str) -> set[int]:
    """Positions of a label and of all that are broader, along all ways; circles are walked once."""
    seen, todo = {label}, [label]
    while todo:
        broader = {other for other in labels[todo.pop()].broader if other in labels} - seen
        seen |= broader
        todo += broader
    return {labels.position[found] for found in seen}

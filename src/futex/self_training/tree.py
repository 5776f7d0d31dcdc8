"""A tree of labels whose classifiers have learnt, and the way of papers down it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Tree:
    """Nodes 0..n−1, the root first. Node i owns the columns first[i]..first[i+1] of `weights`: one for each branch of
    an inner node or each label of a leaf, named by `target`. A row of `weights` is a word."""

    first: Ints
    is_leaf: NDArray[np.bool_]
    target: Ints
    weights: csr_array

    def check(self, labels: int, words: int) -> None:
        """Every column belongs to a node, every branch leads further down, and every weight is of a word."""
        kinds = [array.dtype.kind for array in (self.first, self.is_leaf, self.target, self.weights)]
        sizes = np.diff(self.first)
        start, end = self.first[[0, -1]]
        if kinds != ["i", "b", "i", "f"] or (sizes < 1).any() or (start, end) != (0, len(self.target)):
            raise ValueError("its nodes have no columns")
        owner = np.repeat(np.arange(len(sizes)), sizes)
        further = (self.target > owner) & (self.target < len(sizes))
        known = (self.target >= 0) & (self.target < labels)
        if not np.where(self.is_leaf[owner], known, further).all():
            raise ValueError("its branches lead nowhere")
        self.weights.check_format(full_check=True)
        if self.weights.shape != (words + 1, end) or not np.isfinite(self.weights.data).all():
            raise ValueError("its weights are not those of the words")

    def of_node(self, node: int) -> slice:
        """Its columns."""
        return slice(int(self.first[node]), int(self.first[node + 1]))

    def leaves(self) -> Ints:
        """The columns of all leaves."""
        return np.flatnonzero(np.repeat(self.is_leaf, np.diff(self.first)))

    def of_labels(self, labels: Sequence[int]) -> Ints:
        """The column of each label at its leaf; every label of the training data has one."""
        at_leaf = self.leaves()
        order = at_leaf[np.argsort(self.target[at_leaf])]
        return order[np.searchsorted(self.target[order], labels)]


def descend(tree: Tree, x: csr_array, beam: int) -> csr_array:
    """Pr(l | x) of one tree (papers × labels): beam search, all papers at a node together.

    Classifiers that nobody asks are computed too: one product costs less than to gather the weights of those asked.
    """
    losses = np.maximum(0, 1 - (x @ tree.weights).toarray()) ** 2
    papers: Ints = np.arange(x.shape[0])
    nodes: Ints = np.zeros_like(papers)
    log_p: Floats = np.zeros(len(papers), np.float32)
    found: list[tuple[Ints, Ints, Floats]] = []
    while len(papers):
        ahead: list[tuple[Ints, Ints, Floats]] = []
        for node in np.unique(nodes):
            here = nodes == node
            reached = _expand(tree, int(node), losses, papers[here], log_p[here])
            (found if tree.is_leaf[node] else ahead).append(reached)
        if not ahead:
            break
        papers, nodes, log_p = _beam(*_joined(ahead), beam)
    rows, labels, log_ps = _joined(found)
    shape = (x.shape[0], int(tree.target[tree.leaves()].max()) + 1)
    return coo_array((np.exp(log_ps), (rows, labels)), shape=shape).tocsr()


def _joined(parts: list[tuple[Ints, Ints, Floats]]) -> tuple[Ints, Ints, Floats]:
    first, second, third = zip(*parts, strict=True)
    return np.concatenate(first), np.concatenate(second), np.concatenate(third)


def _expand(tree: Tree, node: int, losses: Floats, papers: Ints, log_p: Floats) -> tuple[Ints, Ints, Floats]:
    """Every branch or label of the node for every paper in it: log Pr = log Pr(node) − max(0, 1 − w·x)²."""
    own = tree.of_node(node)
    targets = tree.target[own]
    log_ps = log_p[:, None] - losses[papers, own]
    return np.repeat(papers, len(targets)), np.tile(targets, len(papers)), log_ps.ravel()


def _beam(papers: Ints, nodes: Ints, log_p: Floats, beam: int) -> tuple[Ints, Ints, Floats]:
    order = np.lexsort((nodes, -log_p, papers))
    papers, nodes, log_p = papers[order], nodes[order], log_p[order]
    first = np.searchsorted(papers, papers)
    kept = np.arange(len(papers)) - first < beam
    return papers[kept], nodes[kept], log_p[kept]

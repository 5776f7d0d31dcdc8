"""Parabel, the extreme multi-label classifier of self-training (§3.3), written to be seeded, batched and explained.

Labels that occur in similar papers are put into one branch of a balanced binary tree, down to leaves of 100 labels. At
each node one linear classifier a branch, at each leaf one a label, tells how likely a paper that got so far goes on:
Pr = exp(−max(0, 1 − w·x)²). A paper follows its 10 likeliest nodes a level, and three trees vote.

omikuji, the usual implementation, cannot be seeded, so no two of its runs agree; it is the oracle of our tests.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.sparse import coo_array, csc_array, csr_array, hstack

from futex.arrays import read_npz
from futex.errors import ModelError
from futex.files import replacing
from futex.processes import on_all_cores
from futex.self_training.dual import gram_matrix
from futex.self_training.linear import train
from futex.self_training.rows import ROWS_AT_ONCE, on_disk, portions

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]

PRUNE_BELOW = 0.1
"""Smaller weights are dropped, as in Parabel's defaults: a tenth of the memory, the same predictions."""

CLUSTER_TOLERANCE = 1e-4

TOGETHER = 8
"""Inner nodes that are trained together, which takes hardly longer than one of them."""

NEARLY_ALL = 0.9
"""Of the papers: then nodes are trained on all, and those without their labels do not count."""

GRAM_PAPERS = 6000
"""Up to this many papers, x·xᵀ is computed once for all nodes of all trees and held in memory (144 MB)."""


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


class Parabel:
    """`fit` on tf-idf rows and lists of label numbers, then `predict` label numbers with probabilities."""

    def __init__(self, trees: int = 3, leaf_labels: int = 100, beam: int = 10, seed: int = 0) -> None:
        self.trees = trees
        self.leaf_labels = leaf_labels
        self.beam = beam
        self.seed = seed
        self.forest: tuple[Tree, ...] = ()

    def fit(self, x: csr_array, labels: Sequence[Sequence[int]]) -> "Parabel":
        """Papers without labels do not train (and a corpus without any label gives a forest that predicts nothing)."""
        labelled = np.flatnonzero([len(of_paper) for of_paper in labels])
        if not len(labelled) or x.shape[1] == 0:
            self.forest = ()
            return self
        features = on_disk(_with_bias(x[labelled[some]]) for some in portions(len(labelled)))
        indicator = _indicator([labels[i] for i in labelled.tolist()])
        rng, used = np.random.default_rng(self.seed), np.unique(indicator.indices).astype(np.int64)
        centres = _unit_rows((indicator.T @ features).tocsr())
        shapes = [_shape(centres, used, self.leaf_labels, rng) for _ in range(self.trees)]
        gram = gram_matrix(features) if len(labelled) <= GRAM_PAPERS else None
        train = partial(_trained, x=features, y=indicator.tocsc(), gram=gram)
        groups = [group for nodes in shapes for group in _groups(nodes)]
        trained: Iterator[list[csc_array]] = on_all_cores(train, groups, batch=1)
        weights = chain.from_iterable(trained)
        self.forest = tuple(_grown(nodes, islice(weights, len(nodes))) for nodes in shapes)
        return self

    def predict(self, x: csr_array, top: int) -> list[list[tuple[int, float]]]:
        """For each row the `top` likeliest labels with Pr(ŷ_{d,l} = 1 | x_d), best first; none for an empty row."""
        if not self.forest:
            return [[] for _ in range(x.shape[0])]
        features = _with_bias(x)
        votes = [_descend(tree, features, self.beam) for tree in self.forest]
        mean = sum(votes[1:], votes[0]).tocsr() / len(votes)
        empty = np.diff(x.indptr) == 0
        return [[] if empty[i] else _best(mean, i, top) for i in range(x.shape[0])]

    def weights(self, words: NDArray[np.integer[Any]], labels: Sequence[int]) -> csr_array:
        """Of words (its rows) for labels at their leaves, averaged over the trees: what they mean to the classifier."""
        per_tree = [tree.weights[words][:, tree.of_labels(labels)] for tree in self.forest]
        return sum(per_tree[1:], per_tree[0]) / len(per_tree)

    def save(self, path: Path) -> None:
        arrays: dict[str, np.ndarray] = {}
        for i, tree in enumerate(self.forest):
            w = tree.weights
            parts = {"first": tree.first, "is_leaf": tree.is_leaf, "target": tree.target, "data": w.data}
            parts |= {"indices": w.indices, "indptr": w.indptr, "shape": np.array(w.shape)}
            arrays |= {f"{i}.{name}": array for name, array in parts.items()}
        with replacing(path) as temporary, temporary.open("wb") as file:
            np.savez(file, allow_pickle=False, **arrays)

    def load(self, path: Path, *, labels: int, words: int) -> "Parabel":
        """Trees over so many labels and words; a stranger's might lead in circles, or out of memory."""
        arrays = read_npz(path)
        try:
            self.forest = tuple(_tree(arrays, i) for i in range(len(arrays) // len(PARTS)))
            for tree in self.forest:
                tree.check(labels, words)
            if len({tuple(np.unique(tree.target[tree.leaves()]).tolist()) for tree in self.forest}) > 1:
                raise ValueError("they differ in their labels")
        except (KeyError, ValueError, TypeError, IndexError) as error:
            raise ModelError(f"{path} does not hold trees over {labels} labels and {words} words: {error}") from error
        return self


PARTS = ("first", "is_leaf", "target", "data", "indices", "indptr", "shape")
"""Of a tree, in a file."""


def _tree(arrays: Mapping[str, NDArray[Any]], number: int) -> Tree:
    first, is_leaf, target, *csr, shape = (arrays[f"{number}.{name}"] for name in PARTS)
    return Tree(first, is_leaf, target, csr_array(tuple(csr), shape=tuple(shape.tolist())))


def _with_bias(x: csr_array) -> csr_array:
    """Rows of length one, and a constant feature behind them."""
    return hstack([_unit_rows(x), np.ones((x.shape[0], 1), np.float32)], format="csr")


def _unit_rows(x: csr_array) -> csr_array:
    """Divided by their lengths; empty ones stay."""
    squares = csr_array((x.data**2, x.indices, x.indptr), shape=x.shape).sum(axis=1)
    lengths: Floats = np.sqrt(np.where(squares > 0, squares, 1)).astype(np.float32)
    return csr_array((x.data / np.repeat(lengths, np.diff(x.indptr)), x.indices, x.indptr), shape=x.shape)


def _rows(x: csr_array, which: Ints) -> csr_array:
    """Some rows of a matrix, on disk if they are many."""
    if len(which) <= ROWS_AT_ONCE:
        return x[which]
    return on_disk(x[which[some]] for some in portions(len(which)))


def _indicator(labels: Sequence[Sequence[int]]) -> csr_array:
    ends = np.cumsum([0, *map(len, labels)])
    flat = np.fromiter((label for of_paper in labels for label in of_paper), np.int64)
    return csr_array((np.ones(len(flat), np.float32), flat, ends), shape=(len(labels), int(flat.max()) + 1))


class _Node(NamedTuple):
    """Of a tree whose classifiers are still to be trained."""

    labels: Ints
    halves: tuple[Ints, ...]
    """Which of them go to each branch, by position; a leaf has none."""
    target: Ints
    """The nodes of the branches, or the labels of a leaf."""


def _shape(centres: csr_array, used: Ints, leaf_labels: int, rng: Generator) -> list[_Node]:
    """The nodes of a tree, level by level: labels that occur in similar papers stay together."""
    nodes: list[_Node] = []
    waiting = deque([used])
    while waiting:
        labels = waiting.popleft()
        if len(labels) <= leaf_labels:
            nodes.append(_Node(labels, (), labels))
        else:
            halves, first = _split(centres[labels], rng), len(nodes) + len(waiting) + 1
            nodes.append(_Node(labels, halves, np.arange(first, first + 2)))
            waiting.extend(labels[half] for half in halves)
    return nodes


def _groups(nodes: list[_Node]) -> list[list[_Node]]:
    """Nodes that are trained together: leaves alone, inner nodes, which have two classifiers each, with others."""
    inner, leaves = [node for node in nodes if node.halves], [node for node in nodes if not node.halves]
    return [*(inner[i : i + TOGETHER] for i in range(0, len(inner), TOGETHER)), *([leaf] for leaf in leaves)]


def _trained(groups: list[list[_Node]], x: csr_array, y: csc_array, gram: Floats | None) -> list[list[csc_array]]:
    """The classifiers of each node, a column a target; `gram` is x·xᵀ, if it is small enough to be held."""
    return [_trained_together(nodes, x, y, gram) for nodes in groups]


def _trained_together(nodes: list[_Node], x: csr_array, y: csc_array, gram: Floats | None) -> list[csc_array]:
    """Papers that have no label of a node do not count for it."""
    of_nodes = [y[:, node.labels].tocsr() for node in nodes]
    papers_of = [np.flatnonzero(np.diff(own.indptr)) for own in of_nodes]
    papers = np.unique(np.concatenate(papers_of))
    if len(papers) > NEARLY_ALL * x.shape[0]:
        papers = np.arange(x.shape[0])
    ends = np.cumsum([len(node.target) for node in nodes])
    signs = np.zeros((len(papers), ends[-1]), np.float32)
    for node, own, its_papers, end in zip(nodes, of_nodes, papers_of, ends, strict=True):
        rows = np.searchsorted(papers, its_papers)
        signs[rows, end - len(node.target) : end] = np.where(_goes_on(node, own[its_papers]), 1, -1)
    of_papers = gram if gram is None or len(papers) == x.shape[0] else gram[np.ix_(papers, papers)]
    weights = train(x if len(papers) == x.shape[0] else _rows(x, papers), signs, of_papers)
    return [_pruned(own) for own in np.split(weights, ends[:-1], axis=1)]


def _goes_on(node: _Node, y: csr_array) -> NDArray[np.bool_]:
    """Which papers belong to each target of a node."""
    of_targets = [y[:, half].sum(axis=1) for half in node.halves]
    belongs: NDArray[np.bool_] = (np.column_stack(of_targets) if of_targets else y.toarray()) > 0
    return belongs


def _grown(nodes: list[_Node], weights: Iterable[csc_array]) -> Tree:
    """With the classifiers of inner nodes, then of leaves, as `_groups` has them."""
    trained = sorted(range(len(nodes)), key=lambda i: not nodes[i].halves)
    of_node = dict(zip(trained, weights, strict=True))
    first = np.cumsum([0, *(len(node.target) for node in nodes)])
    is_leaf = np.array([not node.halves for node in nodes])
    target = np.concatenate([node.target for node in nodes])
    return Tree(first, is_leaf, target, hstack([of_node[i] for i in range(len(nodes))], format="csc").tocsr())


def _pruned(weights: Floats) -> csc_array:
    return csc_array(np.where(np.abs(weights) >= PRUNE_BELOW, weights, np.float32(0)))


def _split(centres: csr_array, rng: Generator) -> tuple[Ints, Ints]:
    """Balanced 2-means on the sphere: each half takes the labels nearer to it, equally many."""
    size = centres.shape[0]
    seeds = rng.choice(size, 2, replace=False)
    difference = (centres[[seeds[0]]] - centres[[seeds[1]]]).toarray()[0]
    objective = -np.inf
    while True:
        closer = centres @ difference
        order = np.argsort(-closer, kind="stable")
        left, right = np.sort(order[: size // 2]), np.sort(order[size // 2 :])
        improved = (closer[left].sum() - closer[right].sum()) / size
        if improved - objective < CLUSTER_TOLERANCE:
            return left, right
        objective = improved
        difference = _direction(centres[left]) - _direction(centres[right])


def _direction(rows: csr_array) -> Floats:
    total: Floats = rows.sum(axis=0)
    length = float(np.linalg.norm(total))
    return total / np.float32(length if length > 0 else 1)


def _descend(tree: Tree, x: csr_array, beam: int) -> csr_array:
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
    shape = (x.shape[0], int(tree.target.max()) + 1)
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


def _best(scores: csr_array, row: int, top: int) -> list[tuple[int, float]]:
    labels = scores.indices[scores.indptr[row] : scores.indptr[row + 1]]
    values = scores.data[scores.indptr[row] : scores.indptr[row + 1]]
    order = np.lexsort((labels, -values))[:top]
    return [(int(labels[i]), float(values[i])) for i in order]

"""Parabel, the extreme multi-label classifier of self-training (§3.3), written to be seeded, batched and explained.

Labels that occur in similar papers are put into one branch of a balanced binary tree, down to leaves of 100 labels. At
each node one linear classifier a branch, at each leaf one a label, tells how likely a paper that got so far goes on:
Pr = exp(−max(0, 1 − w·x)²). A paper follows its 10 likeliest nodes a level, and three trees vote.

omikuji, the usual implementation, cannot be seeded, so no two of its runs agree; it is the oracle of our tests.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array, hstack

from futex.arrays import read_npz
from futex.errors import ModelError
from futex.files import replacing
from futex.processes import on_all_cores
from futex.self_training.dual import gram_matrix
from futex.self_training.growing import groups_of, grown, shape_of, trained
from futex.self_training.rows import on_disk, portions, squares
from futex.self_training.tree import Tree, descend

Floats = NDArray[np.float32]

GRAM_PAPERS = 6000
"""Up to this many papers, x·xᵀ is computed once for all nodes of all trees and held in memory (144 MB)."""

PAPERS_AT_ONCE = 256
"""They meet every classifier of a tree: papers times labels are numbers in memory."""


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
        centres = _unit_rows((indicator.T @ features).tocsr()[:, :-1])  # all papers have the bias: it tells nothing
        shapes = [shape_of(centres, used, self.leaf_labels, rng) for _ in range(self.trees)]
        gram = gram_matrix(features) if len(labelled) <= GRAM_PAPERS else None
        learn = partial(trained, x=features, y=indicator.tocsc(), gram=gram)
        groups = [group for nodes in shapes for group in groups_of(nodes)]
        of_groups: Iterator[list[csc_array]] = on_all_cores(learn, groups, batch=1)
        weights = chain.from_iterable(of_groups)
        self.forest = tuple(grown(nodes, islice(weights, len(nodes))) for nodes in shapes)
        return self

    def predict(self, x: csr_array, top: int) -> list[list[tuple[int, float]]]:
        """For each row the `top` likeliest labels with Pr(ŷ_{d,l} = 1 | x_d), best first; none for an empty row."""
        starts = range(0, x.shape[0], PAPERS_AT_ONCE)
        return [labels for i in starts for labels in self._predict(x[i : i + PAPERS_AT_ONCE], top)]

    def _predict(self, x: csr_array, top: int) -> list[list[tuple[int, float]]]:
        if not self.forest:
            return [[] for _ in range(x.shape[0])]
        features = _with_bias(x)
        votes = [descend(tree, features, self.beam) for tree in self.forest]
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
    sums = squares(x).sum(axis=1)
    lengths: Floats = np.sqrt(np.where(sums > 0, sums, 1)).astype(np.float32)
    return csr_array((x.data / np.repeat(lengths, np.diff(x.indptr)), x.indices, x.indptr), shape=x.shape)


def _indicator(labels: Sequence[Sequence[int]]) -> csr_array:
    ends = np.cumsum([0, *map(len, labels)])
    flat = np.fromiter((label for of_paper in labels for label in of_paper), np.int64)
    return csr_array((np.ones(len(flat), np.float32), flat, ends), shape=(len(labels), int(flat.max()) + 1))


def _best(scores: csr_array, row: int, top: int) -> list[tuple[int, float]]:
    labels = scores.indices[scores.indptr[row] : scores.indptr[row + 1]]
    values = scores.data[scores.indptr[row] : scores.indptr[row + 1]]
    order = np.lexsort((labels, -values))[:top]
    return [(int(labels[i]), float(values[i])) for i in order]

"""How a tree of Parabel grows: labels are split by the papers they occur in, then nodes learn to tell them apart."""

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array, hstack

from futex.self_training.linear import train
from futex.self_training.rows import some_rows
from futex.self_training.tree import Tree

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]

PRUNE_BELOW = 0.1
"""Smaller weights are dropped, as in Parabel's defaults: a tenth of the memory, the same predictions."""

CLUSTER_TOLERANCE = 1e-4

TOGETHER = 8
"""Inner nodes that are trained together, which takes hardly longer than one of them."""

NEARLY_ALL = 0.9
"""Of the papers: then nodes are trained on all, and those without their labels do not count."""


class Node(NamedTuple):
    """Of a tree whose classifiers are still to be trained."""

    labels: Ints
    halves: tuple[Ints, ...]
    """Which of them go to each branch, by position; a leaf has none."""
    target: Ints
    """The nodes of the branches, or the labels of a leaf."""


def shape_of(centres: csr_array, used: Ints, leaf_labels: int, rng: Generator) -> list[Node]:
    """The nodes of a tree, level by level: labels that occur in similar papers stay together."""
    nodes: list[Node] = []
    waiting = deque([used])
    while waiting:
        labels = waiting.popleft()
        if len(labels) <= leaf_labels:
            nodes.append(Node(labels, (), labels))
        else:
            halves, first = _split(centres[labels], rng), len(nodes) + len(waiting) + 1
            nodes.append(Node(labels, halves, np.arange(first, first + 2)))
            waiting.extend(labels[half] for half in halves)
    return nodes


def groups_of(nodes: list[Node]) -> list[list[Node]]:
    """Nodes that are trained together: leaves alone, inner nodes, which have two classifiers each, with others."""
    inner, leaves = [node for node in nodes if node.halves], [node for node in nodes if not node.halves]
    return [*(inner[i : i + TOGETHER] for i in range(0, len(inner), TOGETHER)), *([leaf] for leaf in leaves)]


def trained(groups: list[list[Node]], x: csr_array, y: csc_array, gram: Floats | None) -> list[list[csc_array]]:
    """The classifiers of each node, a column a target; `gram` is x·xᵀ, if it is small enough to be held."""
    return [_trained_together(nodes, x, y, gram) for nodes in groups]


def _trained_together(nodes: list[Node], x: csr_array, y: csc_array, gram: Floats | None) -> list[csc_array]:
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
    weights = train(x if len(papers) == x.shape[0] else some_rows(x, papers), signs, of_papers)
    return [_pruned(own) for own in np.split(weights, ends[:-1], axis=1)]


def _goes_on(node: Node, y: csr_array) -> NDArray[np.bool_]:
    """Which papers belong to each target of a node."""
    of_targets = [y[:, half].sum(axis=1) for half in node.halves]
    belongs: NDArray[np.bool_] = (np.column_stack(of_targets) if of_targets else y.toarray()) > 0
    return belongs


def grown(nodes: list[Node], weights: Iterable[csc_array]) -> Tree:
    """With the classifiers of inner nodes, then of leaves, as `groups_of` has them."""
    order = sorted(range(len(nodes)), key=lambda i: not nodes[i].halves)
    of_node = dict(zip(order, weights, strict=True))
    first = np.cumsum([0, *(len(node.target) for node in nodes)])
    is_leaf = np.array([not node.halves for node in nodes])
    target = np.concatenate([node.target for node in nodes])
    return Tree(first, is_leaf, target, hstack([of_node[i] for i in range(len(nodes))], format="csc").tocsr())


def _pruned(weights: Floats) -> csc_array:
    return csc_array(np.where(np.abs(weights) >= PRUNE_BELOW, weights, np.float32(0)))


def _split(centres: csr_array, rng: Generator) -> tuple[Ints, Ints]:
    """Balanced 2-means on the sphere: each half takes the labels nearer to it, equally many.

    It goes on as long as (1/n) Σ cos(c, m) grows, m being the direction of the half that c is in: Σ cos = ‖Σ c‖.
    """
    size = centres.shape[0]
    seeds = rng.choice(size, 2, replace=False)
    difference = (centres[[seeds[0]]] - centres[[seeds[1]]]).toarray()[0]
    objective = -np.inf
    while True:
        order = np.argsort(-(centres @ difference), kind="stable")
        left, right = np.sort(order[: size // 2]), np.sort(order[size // 2 :])
        sums: list[Floats] = [centres[half].sum(axis=0) for half in (left, right)]
        lengths = [float(np.linalg.norm(total)) for total in sums]
        improved = sum(lengths) / size
        if improved - objective < CLUSTER_TOLERANCE:
            return left, right
        objective = improved
        towards, away = (total / np.float32(length or 1) for total, length in zip(sums, lengths, strict=True))
        difference = towards - away

"""Decision trees beside the regression: they see what only counts together, such as "rare, but in the title"."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from futex.errors import ModelError
from futex.naming.features import FEATURES, Matrix
from futex.progress import portions

TREES = 100
SMALLEST_LEAF = 5
FEATURES_TRIED = len(FEATURES) // 3
"""At each node, drawn at random."""

BINS = 256
"""A feature is split at one of these quantiles."""

LEAF = -1

MAX_TREES = 10 * TREES
"""In a model from a stranger: each of them takes memory for each label."""


class Forest(NamedTuple):
    """A random forest (Breiman, 2001): all trees in one table, a row a node.

    A label goes to `left` where its feature is at most the threshold, else to the row behind that.
    """

    roots: NDArray[np.int32]
    feature: NDArray[np.int32]
    """LEAF where a tree ends."""
    threshold: Matrix
    left: NDArray[np.int32]
    rate: Matrix
    """Of the labels that came to a node, the share that applies."""

    def probabilities(self, x: Matrix) -> Matrix:
        """The mean rate of the leaves that a row of features comes to, one in each tree."""
        node = np.tile(self.roots, (len(x), 1))
        rows = np.arange(len(x))[:, None]
        while (is_inner := (feature := self.feature[node]) != LEAF).any():
            below = self.left[node] + (x[rows, feature] > self.threshold[node])
            node = np.where(is_inner, below, node)
        probabilities: Matrix = self.rate[node].mean(axis=1)
        return probabilities

    @classmethod
    def fit(cls, x: Matrix, applies: NDArray[np.bool_]) -> "Forest":
        """Each tree is grown on as many rows as there are, drawn with replacement, until leaves are small or pure."""
        random = np.random.default_rng(0)
        edges = [np.unique(np.quantile(column, np.arange(1, BINS) / BINS)) for column in x.T]
        bins = np.column_stack([np.searchsorted(edge, column) for edge, column in zip(edges, x.T, strict=True)])
        nodes = [_Node() for _ in range(TREES)]
        for (root,) in portions("Growing trees", range(TREES), 1):
            pending = [(root, random.integers(len(x), size=len(x)))]
            while pending:
                place, rows = pending.pop()
                tried = random.permutation(x.shape[1])[:FEATURES_TRIED]
                split = _best_split(bins[rows[:, None], tried], applies[rows])
                nodes[place] = _Node(rate=float(applies[rows].mean()))
                if split is not None:
                    feature, edge = int(tried[split.column]), split.edge
                    nodes[place] = _Node(feature, float(edges[feature][edge]), len(nodes))
                    is_left = bins[rows, feature] <= edge
                    pending += [(len(nodes), rows[is_left]), (len(nodes) + 1, rows[~is_left])]
                    nodes += [_Node(), _Node()]
        return cls(np.arange(TREES, dtype=np.int32), *_Node.columns(nodes))

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "Forest":
        """What `_asdict` gave, checked: every way down ends, at a share."""
        if set(arrays) == set(cls._fields):
            forest = cls(**arrays)
            if forest._is_sound():
                return forest
        raise ModelError("these are no trees over the features of a label: adapt the model again")

    def _is_sound(self) -> bool:
        columns = (self.feature, self.threshold, self.left, self.rate)
        kinds = "".join(column.dtype.kind for column in (self.roots, *columns))
        if kinds != "iifif" or {column.shape for column in columns} != {(self.rate.size,)}:
            return False
        places = np.arange(self.rate.size)
        goes_on = (self.feature < len(FEATURES)) & (self.left > places) & (self.left < len(places) - 1)
        is_leaf = (self.feature == LEAF) & (self.rate >= 0) & (self.rate <= 1)
        return (
            self.roots.ndim == 1
            and 0 < self.roots.size <= MAX_TREES
            and bool(np.isin(self.roots, places).all())
            and bool(np.all(is_leaf | (self.feature >= 0) & goes_on))
        )


class _Node(NamedTuple):
    feature: int = LEAF
    threshold: float = 0.0
    left: int = LEAF
    rate: float = 0.0

    @staticmethod
    def columns(nodes: list["_Node"]) -> Iterator[NDArray[Any]]:
        kinds = (np.int32, np.float64, np.int32, np.float64)
        return (np.array(column, kind) for column, kind in zip(zip(*nodes, strict=True), kinds, strict=True))


class _Split(NamedTuple):
    column: int
    edge: int
    """The last bin that goes to the left."""


def _best_split(bins: NDArray[np.int64], applies: NDArray[np.bool_]) -> _Split | None:
    """The one after which sides are purest (Gini), or None if they would be too small, or no purer than before.

    With p of n labels that apply, a side has the impurity n · 2 (p/n) (1 − p/n) = 2p − 2p²/n; the sum of 2p stays.
    """
    rows, columns = bins.shape
    if rows < 2 * SMALLEST_LEAF or applies.all() or not applies.any():
        return None
    cells = (bins + np.arange(columns) * BINS).ravel()
    n = np.bincount(cells, minlength=columns * BINS).reshape(columns, BINS).cumsum(axis=1)
    p = np.bincount(cells[np.repeat(applies, columns)], minlength=columns * BINS).reshape(columns, BINS).cumsum(axis=1)
    is_large = (n >= SMALLEST_LEAF) & (rows - n >= SMALLEST_LEAF)
    purity = np.where(is_large, p**2 / np.maximum(1, n) + (p[:, -1:] - p) ** 2 / np.maximum(1, rows - n), 0)
    column, edge = divmod(int(purity.argmax()), BINS)
    before = applies.sum() ** 2 / rows
    return _Split(column, edge) if purity[column, edge] > before * (1 + 1e-9) else None

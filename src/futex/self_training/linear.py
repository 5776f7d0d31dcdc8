"""Many linear classifiers at once: L2-regularised squared hinge, as Parabel's nodes need them.

For each column of labels y ∈ {−1, +1} over the same rows x,

    min_w  ½‖w‖² + C Σ_i max(0, 1 − y_i w·x_i)²,

solved in the dual (α ≥ 0, w = Σ α_i y_i x_i) by accelerated projected gradient steps. All columns share each product
with the Gram matrix, which is why this keeps up with one coordinate descent a label, and nothing in it is random.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

Floats = NDArray[np.float32]

GRAM_ROWS = 6000
"""Up to this many rows the Gram matrix is held in memory (144 MB); beyond, its products go through the rows."""

DENSE_WORDS = 2000

MAX_STEPS = 200


def train(
    x: csr_array,
    positive: NDArray[np.bool_],
    gram: Floats | None = None,
    *,
    c: float = 1.0,
    tolerance: float = 0.1,
) -> Floats:
    """Weights (features × columns) for each column of `positive` (rows × columns).

    `gram` is x·xᵀ, if it is known already. `tolerance` bounds the largest violation of the optimality conditions, as
    liblinear's eps does.
    """
    y = np.where(positive, np.float32(1), np.float32(-1))
    alpha = _dual(_gram_product(x, gram), y, 1 / (2 * c), tolerance)
    weights: Floats = np.asarray(x.T @ (y * alpha))
    return weights


def _dual(gram: Callable[[Floats], Floats], y: Floats, ridge: float, tolerance: float) -> Floats:
    step = np.float32(1 / (_largest_eigenvalue(gram, len(y)) + ridge))
    alpha = ahead = np.zeros_like(y)
    momentum = 1.0
    for _ in range(MAX_STEPS):
        gradient = y * gram(y * ahead) + np.float32(ridge) * ahead - 1
        if np.abs(np.where(ahead > 0, gradient, np.minimum(gradient, 0))).max() < tolerance:
            return np.maximum(ahead, 0)
        following = np.maximum(ahead - step * gradient, 0)
        after = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = following + np.float32((momentum - 1) / after) * (following - alpha)
        alpha, momentum = following, after
    return alpha


def _gram_product(x: csr_array, gram: Floats | None) -> Callable[[Floats], Floats]:
    if gram is None:
        gram = gram_matrix(x)
    if gram is not None:
        return lambda a: gram @ a
    transposed = x.T.tocsr()
    return lambda a: np.asarray(x @ (transposed @ a))


def gram_matrix(x: csr_array) -> Floats | None:
    """x·xᵀ, unless it is too large to hold.

    Words that most rows have make a dense product, which is fast as such; the many rare ones stay sparse.
    """
    if x.shape[0] > GRAM_ROWS:
        return None
    rows_with = np.bincount(x.indices, minlength=x.shape[1])
    frequent = np.argsort(-rows_with, kind="stable")[:DENSE_WORDS]
    dense: Floats = x[:, frequent].toarray()
    rare = x[:, np.setdiff1d(np.arange(x.shape[1]), frequent)]
    gram: Floats = (rare @ rare.T).toarray()
    gram += dense @ dense.T
    return gram


def _largest_eigenvalue(gram: Callable[[Floats], Floats], rows: int) -> float:
    """An upper bound that is nearly tight: for a non-negative matrix, max_i (Kv)_i / v_i bounds it for any v > 0."""
    v = np.ones((rows, 1), np.float32)
    bound = np.inf
    for _ in range(10):
        product = gram(v)
        bound = min(bound, float((product / v).max()))
        v = np.maximum(product / product.max(), np.float32(1e-3))
    return bound

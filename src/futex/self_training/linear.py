"""Many linear classifiers at once: L2-regularised squared hinge, as Parabel's nodes need them.

For each column of labels y ∈ {−1, 0, +1} over the same rows x, where 0 means that the row does not count,

    min_w  ½‖w‖² + C Σ_i max(0, |y_i| − y_i w·x_i)²,  C = 1.

All columns share each product with x, which costs little more for many of them than for one, and nothing is random.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from futex.self_training.dual import coefficients, gram_matrix
from futex.self_training.primal import minimum

Floats = NDArray[np.float32]

ROWS_A_COLUMN = 25
"""Up to this many rows for each column it pays to compute the Gram matrix."""

COLUMNS_AT_ONCE = 32
"""Weights of all words for so many classifiers fill 20 MB, and Newton's method has ten of that size."""


def train(x: csr_array, y: Floats, gram: Floats | None = None, *, tolerance: float = 0.1) -> Floats:
    """Weights (features × columns) for each column of `y` (rows × columns).

    `gram` is x·xᵀ, if it is known already. `tolerance` is that of liblinear for the same loss.
    """
    if gram is None and x.shape[0] <= ROWS_A_COLUMN * y.shape[1]:
        gram = gram_matrix(x)
    if gram is None:
        some = (y[:, i : i + COLUMNS_AT_ONCE] for i in range(0, y.shape[1], COLUMNS_AT_ONCE))
        return np.hstack([minimum(x, columns, tolerance / 10) for columns in some])
    weights: Floats = np.asarray(x.T @ coefficients(gram, y, tolerance))
    return weights

"""What both solvers of linear classifiers do with many columns at once."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

C = 1.0
"""What margins weigh against the lengths of weights: Parabel's default."""

MAX_HALVINGS = 10


def step_sizes(squared_length: Callable[[Floats], Floats], scores: Floats, change: Floats, y: Floats) -> Floats:
    """For each column the first of 1, ½, ¼, … that does not raise what is minimised (see `linear.py`).

    After a step of some size ‖w‖² is `squared_length(size)`, and w·x is `scores + size * change`.
    """

    def objective(size: Floats) -> Floats:
        slack = np.maximum(0, np.abs(y) - y * (scores + size * change))
        return squared_length(size) / 2 + np.float32(C) * dot(slack, slack)

    size = np.ones(y.shape[1], np.float32)
    start = objective(np.zeros_like(size)) * np.float32(1 + 1e-5)
    for _ in range(MAX_HALVINGS):
        higher = objective(size) > start
        if not higher.any():
            break
        size[higher] /= 2
    return size


def dot(a: Floats, b: Floats) -> Floats:
    """Column by column."""
    products: Floats = np.einsum("ij,ij->j", a, b)
    return products

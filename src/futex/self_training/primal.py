"""Linear classifiers over many rows (see `linear.py`): Newton's method with conjugate gradients, as liblinear has it.

Common words, which would make the systems ill-conditioned, are scaled down by the square root of the diagonal (all
of it serves rare labels badly), so that more rows take only slowly more passes through them.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from futex.self_training.columns import C, dot, step_sizes
from futex.self_training.rows import portions, squares

Floats = NDArray[np.float32]

MAX_ROUNDS, MAX_STEPS = 30, 20

ENOUGH = 0.5
"""By how much a round lowers the residual: the next one has another system, so more would be wasted."""

TINY = np.float32(1e-30)

TWICE_C = np.float32(2 * C)


def minimum(x: csr_array, y: Floats, tolerance: float) -> Floats:
    """w, a column for each of y, where the gradient is `tolerance` of what it is at w = 0."""
    rows = _Rows(x)
    scaling: Floats = np.reciprocal(np.sqrt(rows.diagonal(y != 0)))
    weights, scores = np.zeros((x.shape[1], y.shape[1]), np.float32), np.zeros_like(y)
    todo, start = np.arange(y.shape[1]), np.zeros(0, np.float32)
    for _ in range(MAX_ROUNDS):
        w, f, signs = weights[:, todo], scores[:, todo], y[:, todo]
        inside = (signs * f < 1) & (signs != 0)
        gradient = w + rows.back(np.where(inside, f - signs, np.float32(0)))
        length = np.sqrt(dot(gradient, gradient))
        start = start if len(start) else length
        going = length > tolerance * start
        if not going.any():
            break
        todo, start = todo[going], start[going]
        w, f, signs = w[:, going], f[:, going], signs[:, going]
        step, change = _solved(rows, inside[:, going], gradient[:, going], scaling[:, todo])
        size = _step_sizes(w, step, f, change, signs)
        weights[:, todo], scores[:, todo] = w + size * step, f + size * change
    return weights


class _Rows:
    """Products with x and 2C·xᵀ; a transposed copy of x would be slower than its rows."""

    def __init__(self, x: csr_array) -> None:
        self._x = x

    def scores(self, w: Floats) -> Floats:
        product: Floats = np.asarray(self._x @ w)
        return product

    def back(self, a: Floats) -> Floats:
        product: Floats = np.asarray(self._x.T @ (TWICE_C * a))
        return product

    def diagonal(self, counts: NDArray[np.bool_]) -> Floats:
        """Of I + 2C xᵀx over the rows that count."""
        diagonal: Floats = np.ones((self._x.shape[1], counts.shape[1]), np.float32)
        for rows in portions(len(counts)):
            diagonal += squares(self._x[rows]).T @ (TWICE_C * counts[rows])
        return diagonal


def _solved(rows: _Rows, inside: NDArray[np.bool_], gradient: Floats, scaling: Floats) -> tuple[Floats, Floats]:
    """A step s that roughly solves (I + 2C xᵀx) s = −gradient over the rows inside, and x·s."""
    step, change = np.zeros_like(gradient), np.zeros(inside.shape, np.float32)
    residual: Floats = -gradient
    direction: Floats = scaling * residual
    square = dot(residual, direction)
    enough = square * np.float32(ENOUGH**2)
    for _ in range(MAX_STEPS):
        along_rows = rows.scores(direction)
        bent = direction + rows.back(np.where(inside, along_rows, np.float32(0)))
        size = _ratio(square, dot(direction, bent))
        step, change, residual = step + size * direction, change + size * along_rows, residual - size * bent
        scaled: Floats = scaling * residual
        before, square = square, dot(residual, scaled)
        if (square <= enough).all():
            break
        direction = scaled + _ratio(square, before) * direction
    return step, change


def _step_sizes(w: Floats, step: Floats, scores: Floats, change: Floats, y: Floats) -> Floats:
    def squared_length(size: Floats) -> Floats:
        moved = w + size * step
        return dot(moved, moved)

    return step_sizes(squared_length, scores, change, y)


def _ratio(a: Floats, b: Floats) -> Floats:
    ratio: Floats = np.divide(a, np.maximum(b, TINY))
    return ratio

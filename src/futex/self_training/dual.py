"""Linear classifiers by the Gram matrix K = x·xᵀ of their rows, where that is small (see `linear.py`).

The solution is w = Σ β_i x_i with β = 0 outside the margin. Were it known which rows lie inside, β would solve one
linear system, (K + 1/2C) β = y over these rows. So they are guessed, the system is solved by conjugate gradients, and
the solution tells better which they are: Newton's method, which ends after a few rounds.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from futex.self_training.columns import C, dot, step_sizes

Floats = NDArray[np.float32]

DENSE_WORDS = 2000

MAX_ROUNDS, MAX_STEPS = 50, 100

TINY = np.float32(1e-30)

RIDGE = np.float32(1 / (2 * C))


def coefficients(gram: Floats, y: Floats, tolerance: float) -> Floats:
    """β, a column for each of y; `tolerance` bounds the largest violation of the optimality conditions."""
    beta, scores = np.zeros_like(y), np.zeros_like(y)
    todo = np.arange(y.shape[1])
    for _ in range(MAX_ROUNDS):
        b, f, signs = beta[:, todo], scores[:, todo], y[:, todo]
        step = _solved(gram, (signs * f < 1) & (signs != 0), signs, b, tolerance) - b
        change = gram @ step
        size = _step_sizes(b, step, f, change, signs)
        beta[:, todo] = b = b + size * step
        scores[:, todo] = f = f + size * change
        todo = todo[_violations(signs, b, f) >= tolerance]
        if not len(todo):
            break
    return beta


def _solved(gram: Floats, inside: NDArray[np.bool_], y: Floats, start: Floats, tolerance: float) -> Floats:
    """β with (K + 1/2C) β = y over the rows inside the margin and 0 elsewhere, by conjugate gradients.

    Columns that are solved well enough drop out, so that nothing more is computed for them.
    """
    solved = np.where(inside, start, np.float32(0))
    residual = np.where(inside, y - gram @ solved - RIDGE * solved, np.float32(0))
    todo, beta = np.arange(y.shape[1]), solved
    direction, square = residual, dot(residual, residual)
    for _ in range(MAX_STEPS):
        going = np.abs(residual).max(axis=0) > tolerance / 2
        if not going.all():
            solved[:, todo] = beta
            todo, square = todo[going], square[going]
            inside, beta, residual, direction = (each[:, going] for each in (inside, beta, residual, direction))
        if not len(todo):
            return solved
        bent = np.where(inside, gram @ direction + RIDGE * direction, np.float32(0))
        along = square / np.maximum(dot(direction, bent), TINY)
        beta, residual = beta + along * direction, residual - along * bent
        before, square = square, dot(residual, residual)
        direction = residual + square / np.maximum(before, TINY) * direction
    solved[:, todo] = beta
    return solved


def _step_sizes(beta: Floats, step: Floats, scores: Floats, change: Floats, y: Floats) -> Floats:
    """‖w‖² = βᵀ K β, and K β are the scores."""
    return step_sizes(lambda size: dot(beta + size * step, scores + size * change), scores, change, y)


def _violations(y: Floats, beta: Floats, scores: Floats) -> Floats:
    """How far α = y·β of each column is from what its margins ask for, 2C max(0, 1 − margin), counted in margins."""
    worst: Floats = np.abs(RIDGE * y * beta - np.maximum(0, np.abs(y) - y * scores)).max(axis=0)
    return worst


def gram_matrix(x: csr_array) -> Floats:
    """x·xᵀ. Words that most rows have make a dense product, which is fast as such; the many rare ones stay sparse."""
    rows_with = np.bincount(x.indices, minlength=x.shape[1])
    frequent = np.argsort(-rows_with, kind="stable")[:DENSE_WORDS]
    dense: Floats = x[:, frequent].toarray()
    rare = x[:, np.setdiff1d(np.arange(x.shape[1]), frequent)]
    gram: Floats = (rare @ rare.T).toarray()
    gram += dense @ dense.T
    return gram

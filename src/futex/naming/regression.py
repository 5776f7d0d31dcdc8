"""The features of a label as one number, by logistic regression, which a few reviewed papers are enough to fit."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from futex.errors import ModelError
from futex.naming.features import FEATURES, Matrix

PENALTY = 10.0

LARGEST = 1e100
"""In a model from a stranger: no sum of such weights is too large for a number."""


@dataclass(frozen=True, slots=True)
class Regression:
    """Pr(l applies to d) = σ(b + Σ w_i x_i)."""

    bias: float
    weights: tuple[float, ...]

    def log_odds(self, x: Matrix) -> Matrix:
        """A number a row: the argument of σ."""
        log_odds: Matrix = self.bias + x @ np.array(self.weights)
        return log_odds

    def probabilities(self, x: Matrix) -> Matrix:
        probabilities: Matrix = expit(self.log_odds(x))
        return probabilities

    def as_dict(self) -> dict[str, float]:
        return {"bias": self.bias, **dict(zip(FEATURES, self.weights, strict=True))}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Regression":
        if set(values) != {"bias", *FEATURES} or not all(
            isinstance(value, int | float) and abs(value) < LARGEST for value in values.values()
        ):
            raise ModelError(f"a regression has a number each for bias, {', '.join(FEATURES)}: adapt the model again")
        return cls(float(values["bias"]), tuple(float(values[name]) for name in FEATURES))

    @classmethod
    def fit(cls, x: Matrix, applies: NDArray[np.bool_]) -> "Regression":
        """Of the highest likelihood, with a penalty on the weights of standardised features."""
        from scipy.optimize import minimize  # takes half a second, which no other command should wait

        mean, spread = x.mean(axis=0), x.std(axis=0)
        spread[spread == 0] = 1
        z = np.column_stack([np.ones(len(x)), (x - mean) / spread])
        y = applies.astype(np.float64)

        def loss(w: Matrix) -> tuple[float, Matrix]:
            scores = z @ w
            slope = z.T @ (expit(scores) - y)
            slope[1:] += PENALTY * w[1:]
            penalty = PENALTY * float(w[1:] @ w[1:]) / 2
            return float(np.logaddexp(0, scores).sum() - y @ scores) + penalty, slope

        w = minimize(loss, np.zeros(z.shape[1]), jac=True, method="L-BFGS-B").x
        weights = w[1:] / spread
        return cls(float(w[0] - mean @ weights), tuple(map(float, weights)))

"""What a few reviewed papers teach: a regression and a forest, which err in different places, as one probability."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from futex.arrays import read_npz
from futex.files import write_text
from futex.json_files import read_object
from futex.naming.features import Matrix
from futex.naming.forest import Forest
from futex.naming.regression import Regression

REGRESSION = "fusion.json"
FOREST = "forest.npz"

SUREST = 0.999
"""No leaf has seen enough papers to be surer than that."""


@dataclass(frozen=True, slots=True)
class Fusion:
    """Pr(l applies to d): both at equal weight, as log odds."""

    regression: Regression
    forest: Forest

    @classmethod
    def fit(cls, x: Matrix, applies: NDArray[np.bool_]) -> "Fusion":
        return cls(Regression.fit(x, applies), Forest.fit(x, applies))

    def probabilities(self, x: Matrix) -> Matrix:
        of_forest = logit(np.clip(self.forest.probabilities(x), 1 - SUREST, SUREST))
        probabilities: Matrix = expit((self.regression.log_odds(x) + of_forest) / 2)
        return probabilities

    def save(self, folder: Path) -> None:
        write_text(folder / REGRESSION, json.dumps(self.regression.as_dict(), indent=2) + "\n")
        np.savez(folder / FOREST, **self.forest._asdict())

    @classmethod
    def load(cls, folder: Path) -> "Fusion":
        return cls(
            Regression.from_dict(read_object(folder / REGRESSION)), Forest.from_arrays(read_npz(folder / FOREST))
        )

    @staticmethod
    def is_in(folder: Path) -> bool:
        """Whether the model there was adapted."""
        return (folder / REGRESSION).exists()

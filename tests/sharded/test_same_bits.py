"""Papers are ranked to the same bits on any number of cores."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_info

from futex.sharded.engine import Task, attempt

PRODUCT = """
import numpy as np
rows = np.random.default_rng(0).standard_normal((2 * 150, 384), dtype=np.float32)
product = rows[:150] @ rows[150:].T
"""


class OneProduct:
    """A stage that multiplies two matrices, and keeps the product and how many threads BLAS had for it."""

    def __init__(self) -> None:
        self.product = np.zeros(0)
        self.threads: set[int] = set()

    def load(self):
        return self._work

    def _work(self, task: Task) -> None:
        made: dict[str, np.ndarray] = {}
        exec(PRODUCT, made)
        self.product = made["product"]
        self.threads = {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def test_a_stage_computes_as_on_one_core(tmp_path: Path) -> None:
    stage = OneProduct()
    outcome = attempt((stage, Task(0)))
    script = PRODUCT + f"np.save({str(tmp_path / 'product.npy')!r}, product)"
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    subprocess.run([sys.executable, "-c", script], check=True, env=environment)

    assert (outcome.bug, outcome.fault, outcome.death) == ("", "", "")
    assert stage.threads == {1}
    assert np.array_equal(stage.product, np.load(tmp_path / "product.npy"))

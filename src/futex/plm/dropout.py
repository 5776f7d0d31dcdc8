"""Dropout with random numbers of its own: seeded, fast, and the same whatever else runs in the process.

torch draws one number at a time from a generator that all threads share: a quarter of the time of fine-tuning went into
that, and portions of a batch could not run side by side with the same result every time.
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

STEPS = 1 << 16
"""Probabilities are rounded to this many steps, so that one draw of 64 bits decides four elements."""


def scale_of_kept(p: float) -> float:
    """1/(1−p), for p as it is rounded."""
    return STEPS / (STEPS - round(p * STEPS))


class Dropout:
    def __init__(self, *seed: int) -> None:
        self._draws = np.random.SFC64(seed)
        self._generator: torch.Generator | None = None

    def mask(self, shape: Sequence[int], p: float, like: Tensor) -> Tensor:
        """0 with probability p, else 1/(1−p), so that the expectation of a product with it stays the same."""
        return self.kept(shape, p, like).to(like.dtype).mul_(scale_of_kept(p))

    def kept(self, shape: Sequence[int], p: float, like: Tensor) -> Tensor:
        """False with probability p: a mask in a quarter of its memory."""
        if like.is_cuda:  # where torch's own are drawn in parallel
            kept = torch.empty(*shape, dtype=torch.bool, device=like.device)
            return kept.bernoulli_(1 - p, generator=self._on(like.device))
        size = int(np.prod(shape))
        drawn = self._draws.random_raw(size // 4 + 1).view(np.uint16)[:size]
        return torch.from_numpy(drawn >= round(p * STEPS)).view(*shape).to(like.device)

    def _on(self, device: torch.device) -> torch.Generator:
        if self._generator is None:
            self._generator = torch.Generator(device).manual_seed(self._seed())
        return self._generator

    def seed_torch(self) -> None:
        """For a model that draws in its own modules, from torch's shared generator."""
        torch.manual_seed(self._seed())

    def _seed(self) -> int:
        return int(self._draws.random_raw()) >> 1

    def __call__(self, x: Tensor, p: float) -> Tensor:
        return x * self.mask(x.shape, p, x) if p else x

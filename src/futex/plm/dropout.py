"""Dropout with random numbers of its own: seeded, fast, and the same whatever else runs in the process.

torch draws one number at a time from a generator that all threads share: a quarter of the time of fine-tuning went into
that, and portions of a batch could not run side by side with the same result every time.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

STEPS = 1 << 16
"""Probabilities are rounded to this many steps, so that one draw of 64 bits decides four elements."""


class Dropout:
    def __init__(self, *seed: int) -> None:
        self._draws = np.random.SFC64(seed)
        self._generator: torch.Generator | None = None

    def mask(self, shape: Sequence[int], p: float, like: Tensor) -> Tensor:
        """0 with probability p, else 1/(1−p), so that the expectation of a product with it stays the same."""
        if like.is_cuda:  # where torch's own are drawn in parallel
            kept = torch.empty(*shape, device=like.device).bernoulli_(1 - p, generator=self._on(like.device))
            return kept.div_(1 - p)
        dropped = round(p * STEPS)
        size = int(np.prod(shape))
        drawn = self._draws.random_raw(size // 4 + 1).view(np.uint16)[:size]
        mask = torch.from_numpy((drawn >= dropped).astype(np.float32)).view(*shape)
        return mask.mul_(STEPS / (STEPS - dropped)).to(like)

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


class DropoutAttention(torch.autograd.Function):
    """softmax(q kᵀ/√d + bias) with dropout on the weights, times v; keeps the weights and the mask, nothing else."""

    @staticmethod
    def forward(ctx: Any, q: Tensor, k: Tensor, v: Tensor, bias: Tensor | None, mask: Tensor) -> Tensor:
        scores = torch.matmul(q, k.transpose(-1, -2)).mul_(q.shape[-1] ** -0.5)
        weights = torch.softmax(scores if bias is None else scores.add_(bias), dim=-1)
        ctx.save_for_backward(q, k, v, weights, mask)
        ctx.has_bias = bias is not None
        return torch.matmul(weights * mask, v)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        q, k, v, weights, mask = ctx.saved_tensors
        (out,) = gradients
        dropped = torch.matmul(out, v.transpose(-1, -2)).mul_(mask)
        scores = torch._softmax_backward_data(dropped, weights, -1, weights.dtype)
        scale = q.shape[-1] ** -0.5
        to_q = torch.matmul(scores, k).mul_(scale)
        to_k = torch.matmul(scores.transpose(-1, -2), q).mul_(scale)
        to_v = torch.matmul((weights * mask).transpose(-1, -2), out)
        return to_q, to_k, to_v, scores if ctx.has_bias else None, None

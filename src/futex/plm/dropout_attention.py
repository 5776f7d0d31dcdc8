"""Attention with dropout on its weights, a head at a time.

The weights of all heads over a long text do not fit into a core's cache, and softmax, dropout and their gradients would
each fetch them from memory anew; those of one head do. What dropout kept is held as one byte a weight.
"""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from futex.plm.dropout import scale_of_kept

_softmax_gradient = torch.ops.aten._softmax_backward_data.out


class DropoutAttention(torch.autograd.Function):
    """softmax(q kᵀ/√d + bias) with dropout on the weights, times v; all are [heads, rows, columns]."""

    @staticmethod
    def forward(ctx: Any, q: Tensor, k: Tensor, v: Tensor, bias: Tensor | None, kept: Tensor, p: float) -> Tensor:
        weights = q.new_empty(kept.shape)
        out = torch.empty_like(q, memory_format=torch.contiguous_format)
        scaled_q, scaled_v = q * q.shape[-1] ** -0.5, v * scale_of_kept(p)
        for some, scores in _heads(kept, q):
            torch.bmm(scaled_q[some], k[some].mT, out=scores)
            if bias is not None:
                scores += bias[some]
            torch._softmax(scores, -1, False, out=weights[some])
            torch.bmm(scores.copy_(kept[some]).mul_(weights[some]), scaled_v[some], out=out[some])
        ctx.save_for_backward(q, k, v, weights, kept)
        ctx.has_bias, ctx.p = bias is not None, p
        return out

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        q, k, v, weights, kept = ctx.saved_tensors
        (out,) = gradients
        out = out * scale_of_kept(ctx.p)
        to_q, to_k, to_v = (torch.empty_like(x, memory_format=torch.contiguous_format) for x in (q, k, v))
        to_bias = torch.empty_like(weights) if ctx.has_bias else None
        for some, scores in _heads(kept, q):
            mask = kept[some].to(q.dtype)
            torch.bmm((mask * weights[some]).mT, out[some], out=to_v[some])
            torch.bmm(out[some], v[some].mT, out=scores)
            _softmax_gradient(scores.mul_(mask), weights[some], -1, q.dtype, grad_input=mask)
            torch.bmm(mask, k[some], out=to_q[some])
            torch.bmm(mask.mT, q[some], out=to_k[some])
            if to_bias is not None:
                to_bias[some] = mask
        scale = q.shape[-1] ** -0.5
        return to_q.mul_(scale), to_k.mul_(scale), to_v, to_bias, None, None


def _heads(kept: Tensor, like: Tensor) -> Iterator[tuple[slice, Tensor]]:
    """One after the other, or all at once on a GPU, with room for their scores."""
    count = len(kept)
    step = count if like.is_cuda else 1
    room = like.new_empty(step, *kept.shape[1:])
    for start in range(0, count, step):
        yield slice(start, start + step), room

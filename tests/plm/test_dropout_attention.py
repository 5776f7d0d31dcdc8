"""Attention a head at a time against the formula and its gradients by autograd."""

import pytest
import torch

from futex.plm.dropout import Dropout
from futex.plm.dropout_attention import DropoutAttention


@pytest.mark.parametrize("with_bias", [False, True])
@pytest.mark.parametrize("columns", [5, 6])
def test_attention_and_its_gradients_equal_autograd(with_bias, columns):
    torch.manual_seed(0)
    p = 0.4
    q, k, v = (torch.randn(2, rows, 3, dtype=torch.float64, requires_grad=True) for rows in (5, columns, columns))
    bias = torch.randn(2, 5, columns, dtype=torch.float64, requires_grad=True) if with_bias else None
    kept = Dropout(3).kept((2, 5, columns), p, q)
    mask = Dropout(3).mask((2, 5, columns), p, q)
    inputs = [x for x in (q, k, v, bias) if x is not None]

    def by_autograd():
        scores = q @ k.transpose(-1, -2) / 3**0.5 + (0 if bias is None else bias)
        return (scores.softmax(-1) * mask) @ v

    ours, expected = DropoutAttention.apply(q, k, v, bias, kept, p), by_autograd()
    torch.testing.assert_close(ours, expected)
    weight = torch.randn_like(expected)
    for own, other in zip(
        torch.autograd.grad(ours, inputs, weight), torch.autograd.grad(expected, inputs, weight), strict=True
    ):
        torch.testing.assert_close(own, other)

"""Matrix products in bfloat16, for processors that compute them faster than float32 (AVX512-BF16, AMX, GPUs).

Weights and everything between the products stay float32, so a model is saved and learns as before.
"""

import logging
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import linear

log = logging.getLogger(__name__)


class Bf16Linear(nn.Linear):
    def forward(self, x: Tensor) -> Tensor:
        bias = None if self.bias is None else self.bias.bfloat16()
        return linear(x.bfloat16(), self.weight.bfloat16(), bias).float()


def in_bf16(model: Any) -> Any:
    """The same model, whose linear layers compute in bfloat16 from now on."""
    if model.device.type == "cpu" and not _has_bf16():
        log.warning("this processor has no bfloat16 arithmetic: without bf16: it is faster, and exact")
    for module in model.modules():
        if type(module) is nn.Linear:
            module.__class__ = Bf16Linear  # with its parameters, their names and their values
    return model


def is_in_bf16(model: Any) -> bool:
    return any(isinstance(module, Bf16Linear) for module in model.modules())


def _has_bf16() -> bool:
    known = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
    return any(able for name, able in known.items() if name in ("avx512_bf16", "amx_bf16", "bf16"))

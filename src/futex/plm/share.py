"""Training on several devices: a process each, all with the same weights, that take turns at the portions of a batch.

Portions are numbered over the whole batch and dropout belongs to the number, so gradients and losses summed over all
processes are those of one process alone, up to the order of summation.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import torch
from torch import Tensor, distributed, nn


@dataclass(frozen=True, slots=True)
class Share:
    """The part of this process: every `count`-th portion, from `index` on. The first process writes files."""

    index: int = 0
    count: int = 1

    @classmethod
    def of_this_process(cls) -> "Share":
        """All of it, unless the process was started as one of several (`network.devices`)."""
        if not (distributed.is_available() and distributed.is_initialized()):
            return cls()
        return cls(distributed.get_rank(), distributed.get_world_size())

    @classmethod
    def join(cls) -> "Share":
        """Find the other processes, over NCCL or gloo, and take the GPU that is ours, if there are any."""
        from accelerate import PartialState

        PartialState(cpu=not torch.cuda.is_available())
        return cls.of_this_process()

    def numbers(self, portions: int) -> range:
        """Which of so many portions are ours."""
        return range(self.index, portions, self.count)

    def total(self, numbers: Tensor) -> Tensor:
        """Summed over all processes, which must all ask for it."""
        if self.count > 1:
            distributed.all_reduce(numbers)
        return numbers

    def sum_gradients(self, parameters: Iterable[nn.Parameter]) -> None:
        """In one message. A parameter that no portion used keeps no gradient, so that it is not decayed either."""
        if self.count == 1:
            return
        everything = list(parameters)
        uses = torch.tensor([float(p.grad is not None) for p in everything], device=everything[0].device)
        used = [p for p, times in zip(everything, self.total(uses).tolist(), strict=True) if times]
        gradients = [torch.zeros_like(p) if p.grad is None else p.grad for p in used]
        summed = self.total(torch.cat([gradient.flatten() for gradient in gradients]))
        ends = list(accumulate(p.numel() for p in used))
        for p, end in zip(used, ends, strict=True):
            p.grad = summed[end - p.numel() : end].view_as(p)


def leave() -> None:
    """The counterpart of `join`."""
    distributed.destroy_process_group()


def devices_for(plm: Any) -> int:
    """All GPUs that are visible, for a PLM that is on one of them."""
    model = getattr(plm, "model", None)
    return torch.cuda.device_count() if model is not None and model.device.type == "cuda" else 1

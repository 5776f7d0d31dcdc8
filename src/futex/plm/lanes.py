"""Training on several cores: each has a lane, with the same weights and gradients of its own.

The gradients are summed in a fixed order, so the same seed gives the same weights.
"""

import contextlib
import copy
import ctypes
from collections.abc import Iterator, Sequence
from typing import Any, Protocol, TypeVar

from torch import nn

from futex.plm import packed
from futex.plm.side_by_side import cores

Module = TypeVar("Module", bound=nn.Module)


class Lane(Protocol):
    def parameters(self) -> Iterator[nn.Parameter]: ...


def spare_lanes(model: Any) -> int:
    """Lanes beyond the first: none on a GPU, and none where dropout draws from torch's shared generator."""
    return cores() - 1 if model.device.type == "cpu" and packed.supports(model) else 0


def twin(module: Module) -> Module:
    """The weights are shared with the module, the gradients are not."""
    other = copy.deepcopy(module)
    for own, shared in zip(other.parameters(), module.parameters(), strict=True):
        own.data = shared.data
    return other


def gather_gradients(lanes: Sequence[Lane]) -> None:
    """Sum all gradients in the first lane."""
    first, *others = lanes
    for lane in others:
        for own, other in zip(first.parameters(), lane.parameters(), strict=True):
            if other.grad is not None:
                own.grad = other.grad if own.grad is None else own.grad.add_(other.grad)
                other.grad = None


STEPS_BETWEEN_TRIMS = 16
"""Memory that is given back must be cleared by the system when it is taken again: after every step costs a seventh."""


def give_memory_back(steps_done: int) -> None:
    """glibc keeps the freed activations of texts of all lengths in pieces; without this they add up to a gigabyte."""
    if steps_done % STEPS_BETWEEN_TRIMS:
        return
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)

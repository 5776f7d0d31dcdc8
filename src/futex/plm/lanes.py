"""Training on several cores: each has a lane, with the same weights and gradients of its own.

The gradients are summed in a fixed order, so the same seed gives the same weights.
"""

import copy
from collections.abc import Iterator, Mapping, Sequence
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


def fair_shares(sizes: Mapping[int, int], lanes: int) -> list[list[int]]:
    """Numbers of portions for each lane: the largest goes first, to the lane that has least to do so far.

    >>> fair_shares({0: 5, 1: 4, 2: 3, 3: 3, 4: 3}, lanes=2)
    [[0, 3], [1, 2, 4]]
    """
    shares: list[list[int]] = [[] for _ in range(lanes)]
    for number in sorted(sizes, key=lambda number: (-sizes[number], number)):
        min(shares, key=lambda share: sum(sizes[other] for other in share)).append(number)
    return shares


def gather_gradients(lanes: Sequence[Lane]) -> None:
    """Sum all gradients in the first lane."""
    first, *others = lanes
    for lane in others:
        for own, other in zip(first.parameters(), lane.parameters(), strict=True):
            if other.grad is not None:
                own.grad = other.grad if own.grad is None else own.grad.add_(other.grad)
                other.grad = None

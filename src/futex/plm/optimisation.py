"""AdamW with a linear warm-up and decay, as the paper sets it (§4.1), and its state as tensors that can be saved."""

from collections.abc import Iterable, Mapping

import torch
from torch import Tensor, nn

from futex.plm.protocol import Schedule


def adamw(named: Iterable[tuple[str, nn.Parameter]], schedule: Schedule) -> torch.optim.AdamW:
    """Biases and layer norms are not decayed."""
    free: list[nn.Parameter] = []
    decayed: list[nn.Parameter] = []
    for name, parameter in named:
        (free if name.endswith("bias") or "norm" in name.lower() else decayed).append(parameter)
    groups = [{"params": decayed, "weight_decay": schedule.weight_decay}, {"params": free, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=schedule.learning_rate, eps=schedule.epsilon, fused=True)


def take_step(optimizer: torch.optim.AdamW, schedule: Schedule, steps_done: int) -> None:
    """Clip the gradients, learn from them at the rate of this step, and forget them."""
    nn.utils.clip_grad_norm_([p for group in optimizer.param_groups for p in group["params"]], schedule.clip)
    for group in optimizer.param_groups:
        group["lr"] = schedule.learning_rate * learning_rate_factor(steps_done, schedule)
    optimizer.step()
    optimizer.zero_grad()


def learning_rate_factor(step: int, schedule: Schedule) -> float:
    """Rises linearly over the warm-up steps, then falls linearly, to be zero behind the last one (§4.1)."""
    if step < schedule.warmup:
        return (step + 1) / schedule.warmup
    return max(0.0, (schedule.steps - step) / max(1, schedule.steps - schedule.warmup))


def moments(optimizer: torch.optim.AdamW) -> dict[str, Tensor]:
    """All that the optimizer remembers, by the position of the parameter and a name."""
    states = optimizer.state_dict()["state"].items()
    return {f"{index}.{name}": value for index, state in states for name, value in state.items()}


def restore(optimizer: torch.optim.AdamW, saved: Mapping[str, Tensor]) -> None:
    """Go on with `moments` of before."""
    state: dict[int, dict[str, Tensor]] = {}
    for key, value in saved.items():
        index, name = key.split(".", 1)
        state.setdefault(int(index), {})[name] = value
    optimizer.load_state_dict({**optimizer.state_dict(), "state": state})

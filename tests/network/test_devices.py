"""Two processes fine-tune as one: the same triples in the same order, the same losses, the same weights.

Here two threads stand for the processes; `test_processes.py` has real ones.
"""

import threading
from collections.abc import Sequence

import numpy as np
import pytest
import torch
from network.linked_triples import DEV, TRIPLES

from futex.network import devices
from futex.network.devices import finetune_on_devices
from futex.plm import training
from futex.plm.checkpoints import load_folder
from futex.plm.protocol import Schedule, Triple
from futex.plm.share import Share


@pytest.fixture(params=["bert", "distilbert"])
def plm(request, tiny_checkpoint):
    """One that draws its own dropout, and one that leaves it to the modules of transformers."""
    return load_folder(tiny_checkpoint(request.param), max_length=64)


@pytest.fixture
def bert(tiny_checkpoint):
    return load_folder(tiny_checkpoint("bert"), max_length=64)


class Meeting:
    """Where two threads add their numbers up."""

    def __init__(self) -> None:
        self._all_here = threading.Barrier(2, timeout=120)
        self._brought: list[torch.Tensor] = []

    def total(self, numbers: torch.Tensor) -> torch.Tensor:
        self._brought.append(numbers.clone())
        self._all_here.wait()
        total = sum(self._brought[1:], self._brought[0])
        if self._all_here.wait() == 0:
            self._brought = []
        self._all_here.wait()
        return total


def share(index: int, meeting: Meeting) -> Share:
    class InThread(Share):
        def total(self, numbers):
            return meeting.total(numbers)

    return InThread(index, 2)


def trained(plm, own: Share, batches: Sequence[Sequence[Triple]]) -> tuple[list[float], dict[str, torch.Tensor]]:
    """The losses of every step and on the dev triples after it, and the weights in the end."""
    trainer = training.ContrastiveTrainer(plm, Schedule(steps=len(batches), warmup=2, learning_rate=1e-3), own)
    losses = [loss for batch in batches for loss in (trainer.step(batch), trainer.loss(DEV))]
    return losses, trainer._weights()


def in_two_threads(plm, batches) -> list[tuple[list[float], dict[str, torch.Tensor]]]:
    meeting, results = Meeting(), [None, None]

    def work(index: int) -> None:
        results[index] = trained(plm, share(index, meeting), batches)

    threads = [threading.Thread(target=work, args=(index,)) for index in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


BATCHES = [TRIPLES[:8], TRIPLES[8:16], TRIPLES[16:21], TRIPLES[21:22]]
"""Even ones, an odd one, and one that leaves nothing for the second process."""


def test_two_shares_learn_as_one(bert):
    (losses, weights), *others = [trained(bert, Share(), BATCHES), *in_two_threads(bert, BATCHES)]
    for shared_losses, shared_weights in others:
        np.testing.assert_allclose(shared_losses, losses, atol=1e-5)
        assert all(torch.allclose(shared_weights[name], weights[name], atol=1e-4) for name in weights)
    assert all(torch.equal(others[0][1][name], others[1][1][name]) for name in weights)


def test_dropout_belongs_to_the_portion_in_any_architecture(plm):
    """A triple's loss under dropout is the same whichever others were learnt before it."""
    schedule = Schedule(steps=4, warmup=1, learning_rate=0.0)
    whole = [loss_of_portion(plm, schedule, number, before=True) for number in range(3)]
    single = [loss_of_portion(plm, schedule, number, before=False) for number in range(3)]
    assert whole == single
    assert len(set(whole)) > 1


def loss_of_portion(plm, schedule: Schedule, number: int, before: bool) -> float:
    trainer = training.ContrastiveTrainer(plm, schedule, Share())
    for i in range(number + 1):
        if before or i == number:
            dropout = training.Dropout(0, 0, i)
            pairs = trainer._sequences([TRIPLES[0]])
            loss = float(training._portion_loss(trainer._lanes[0], pairs, dropout).detach())
    return loss


def test_every_triple_is_learnt_once(bert, monkeypatch):
    seen: dict[int, list[list[list[int]]]] = {}
    original = training._portion_loss

    def noting(lane, pairs, dropout):
        seen.setdefault(threading.get_ident(), []).append(pairs.ids)
        return original(lane, pairs, dropout)

    monkeypatch.setattr(training, "_portion_loss", noting)
    monkeypatch.setattr("futex.plm.lanes.cores", lambda: 1)
    in_two_threads(bert, BATCHES[:3])
    trainer = training.ContrastiveTrainer(bert, Schedule(steps=1, warmup=1))
    shares = [[trainer._sequences([t]).ids for batch in BATCHES[:3] for t in batch[index::2]] for index in range(2)]
    assert sorted(map(sorted, seen.values())) == sorted(map(sorted, shares))


def test_a_parameter_without_gradient_stays_without(bert):
    """The pooler is not used; with a gradient of zero it would be decayed."""
    pooler = "pooler.dense.weight"
    _, weights = in_two_threads(bert, BATCHES[:1])[1]
    assert torch.equal(weights[pooler], bert.model.state_dict()[pooler])


def test_one_device_needs_no_process(bert, monkeypatch):
    monkeypatch.setattr(devices.subprocess, "Popen", lambda *args, **kwargs: pytest.fail("a process was started"))
    assert finetune_on_devices(bert, TRIPLES[:8], DEV, seed=0).score([("a", "b")]).shape == (1,)


def test_without_accelerate_one_device_does_it(bert, monkeypatch, caplog):
    monkeypatch.setattr(devices, "_devices_for", lambda plm: 4)
    monkeypatch.setattr(devices, "find_spec", lambda name: None)
    assert finetune_on_devices(bert, TRIPLES[:8], DEV, seed=0)
    assert "one of 4 GPUs: for all, pip install 'futex[gpus]'" in caplog.text


@pytest.mark.parametrize(
    ("errors", "reason"),
    [
        (
            "[rank1]: torch.OutOfMemoryError: CUDA out of memory.\n  more\n",
            "torch.OutOfMemoryError: CUDA out of memory.",
        ),
        ("Root Cause:\n  rank : 1\n  exitcode  : -9 (pid: 77)\n", "one was ended by signal 9"),
        ("", "one died"),
    ],
)
def test_why_it_ended(errors, reason):
    assert devices._reason(errors) == reason

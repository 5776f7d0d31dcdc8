"""Two processes that find each other over gloo fine-tune as one, and take over from one, and one from them."""

import os
import signal
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
import torch
from network.linked_triples import DEV, TRIPLES

from futex.errors import ModelError
from futex.files import read_note
from futex.network import devices
from futex.network.devices import finetune_on_devices
from futex.network.finetune import finetune
from futex.plm import training
from futex.plm.checkpoints import load_folder

pytestmark = pytest.mark.slow


@pytest.fixture
def bert(tiny_checkpoint):
    return load_folder(tiny_checkpoint("bert"), max_length=64)


class Stop(Exception):
    pass


@pytest.fixture(scope="module")
def whole(tiny_checkpoint, tmp_path_factory):
    """One process that was not disturbed, and the dev loss of each of its looks."""
    plm, checkpoint = load_folder(tiny_checkpoint("bert"), max_length=64), tmp_path_factory.mktemp("whole")
    return finetune(plm, TRIPLES, DEV, seed=3, checkpoint=checkpoint), history(checkpoint)


def history(checkpoint: Path) -> list[float]:
    return read_note(checkpoint / "progress.json")["history"]


def assert_same(tuned, expected) -> None:
    found, wanted = tuned.model.state_dict(), expected.model.state_dict()
    assert all(torch.allclose(found[name], wanted[name], atol=1e-4) for name in wanted)
    assert torch.allclose(tuned.head, expected.head, atol=1e-4)


def test_two_processes_go_on_where_one_stopped(bert, whole, tmp_path, monkeypatch):
    steps = iter(range(9))
    original = training.ContrastiveTrainer.step

    def stopping(self, triples):
        if next(steps) == 8:
            raise Stop
        return original(self, triples)

    monkeypatch.setattr(training.ContrastiveTrainer, "step", stopping)
    with pytest.raises(Stop):
        finetune(bert, TRIPLES, DEV, seed=3, checkpoint=tmp_path)
    monkeypatch.undo()
    assert len(history(tmp_path)) == 4
    tuned = finetune_on_devices(bert, TRIPLES, DEV, seed=3, checkpoint=tmp_path, processes=2)
    expected, losses = whole
    assert_same(tuned, expected)
    np.testing.assert_allclose(history(tmp_path), losses, atol=1e-5)


def test_one_process_goes_on_where_one_of_two_died(bert, whole, tmp_path, monkeypatch):
    @contextmanager
    def deadly(title, total):
        done = 0

        def advance(steps=1, note=""):
            nonlocal done
            done += steps
            if done == 40:  # five steps, of which four were looked at
                os.kill(last_worker(os.getpid()), signal.SIGKILL)

        yield advance

    monkeypatch.setattr(devices, "task", deadly)
    with pytest.raises(ModelError, match=r"by 2 processes ended early \(one was ended by signal 9\)") as caught:
        finetune_on_devices(bert, TRIPLES, DEV, seed=3, checkpoint=tmp_path, processes=2)
    assert "\n" not in str(caught.value)
    assert 2 <= len(history(tmp_path)) < 10
    tuned = finetune_on_devices(bert, TRIPLES, DEV, seed=3, checkpoint=tmp_path)
    expected, losses = whole
    assert_same(tuned, expected)
    np.testing.assert_allclose(history(tmp_path), losses, atol=1e-5)


def last_worker(parent: int) -> int:
    """The second process that torchrun, our child, has started."""
    for child in children(parent):
        if "torch.distributed.run" in Path(f"/proc/{child}/cmdline").read_text().replace("\0", " "):
            return max(children(child))
    raise AssertionError("torchrun was not started")


def children(process: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]

"""The weights of the lowest dev loss are kept; what is learnt once is not learnt again, also not by two at a time."""

import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from futex.errors import InputError, ModelError
from futex.network.finetune import finetune
from futex.network.learning import BATCH, learn, learnt_once
from futex.plm.fake import FakePLM
from futex.plm.protocol import Triple

PATIENCE = 60


def save(weights: str, folder: Path) -> None:
    folder.mkdir()
    (folder / "weights").write_text(weights)


def load(folder: Path) -> str:
    return (folder / "weights").read_text()


def test_of_two_that_want_the_same_one_learns_and_the_other_waits_for_it(tmp_path, monkeypatch):
    begun, waits = Event(), Event()
    monkeypatch.setattr(logging.getLogger("futex.files"), "info", lambda words, *more: waits.set())

    def slowly(checkpoint: Path | None) -> str:
        begun.set()
        assert waits.wait(PATIENCE)
        return "learnt by the first"

    def never(checkpoint: Path | None) -> str:
        raise AssertionError("learnt twice")

    with ThreadPoolExecutor() as other:
        first = other.submit(learnt_once, tmp_path, "key", slowly, save, load)
        assert begun.wait(PATIENCE)
        assert learnt_once(tmp_path, "key", never, save, load) == "learnt by the first"
        assert first.result() == "learnt by the first"


def test_when_the_first_fails_the_next_one_learns(tmp_path):
    def fails(checkpoint: Path | None) -> str:
        raise OSError("No space left on device")

    with pytest.raises(OSError, match="No space left"):
        learnt_once(tmp_path, "key", fails, save, load)
    assert learnt_once(tmp_path, "key", lambda checkpoint: "learnt", save, load) == "learnt"


def test_what_was_learnt_is_found_in_a_cache_that_may_only_be_read(tmp_path, monkeypatch):
    def refuse(folder: Path) -> None:
        raise InputError(f"cannot write to {folder}")

    learnt_once(tmp_path, "key", lambda checkpoint: "learnt", save, load)
    monkeypatch.setattr("futex.network.learning.alone_in", refuse)
    assert learnt_once(tmp_path, "key", lambda checkpoint: "learnt again", save, load) == "learnt"
    with pytest.raises(InputError, match="cannot write"):
        learnt_once(tmp_path, "other key", lambda checkpoint: "learnt", save, load)


class Wavering:
    """Its dev loss falls, rises, and falls again, but not as low."""

    def __init__(self) -> None:
        self.steps = self.kept = 0

    def step(self, items):
        self.steps += 1
        return 0.0

    def loss(self, items):
        return (0.6, 0.4, 0.5, 0.45)[self.steps - 1]

    def keep(self):
        self.kept = self.steps


def test_the_weights_with_the_lowest_dev_loss_are_kept():
    learner = Wavering()
    assert learn(learner, range(4 * BATCH), [0], title="", looks=4) == [0.6, 0.4, 0.5, 0.45]
    assert learner.kept == 2


class Trainer:
    """Ends with the loss that it is given."""

    def __init__(self, loss: float) -> None:
        self._loss = loss

    def seconds_per_triple(self, triples):
        return 0.0

    def step(self, triples):
        return self._loss

    def loss(self, triples):
        return self._loss

    def keep(self):
        pass

    def best(self):
        return FakePLM()


@pytest.mark.parametrize(("loss", "warned"), [(0.5, False), (0.7, True)])
def test_a_cross_encoder_no_better_than_chance_is_named(monkeypatch, caplog, loss, warned):
    monkeypatch.setattr(FakePLM, "trainer", lambda plm, schedule: Trainer(loss))
    finetune(FakePLM(), [Triple("a", "b", "c")], [Triple("a", "b", "c")], seed=0)
    assert ("no better than chance (dev loss 0.700, chance is 0.693)" in caplog.text) == warned
    assert ("--method futex-no-network" in caplog.text) == warned


def test_a_loss_that_is_no_number_ends_it(monkeypatch):
    monkeypatch.setattr(FakePLM, "trainer", lambda plm, schedule: Trainer(float("nan")))
    with pytest.raises(ModelError, match="training went astray, its loss is nan"):
        finetune(FakePLM(), [Triple("a", "b", "c")], [Triple("a", "b", "c")], seed=0)

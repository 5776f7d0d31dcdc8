"""What is learnt once is not learnt again, also not by two at a time."""

import logging
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from futex.network.learning import learnt_once

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

"""Full disks, failing disks and rivals: one clear line, and a folder that the next run completes."""

import errno
import os
from pathlib import Path

import pytest
from filelock import FileLock
from sharded.runs_of import BEST, PAPER

from futex.errors import FutexError


class Faulty:
    """A call of the operating system that fails the n-th time (0: never)."""

    def __init__(self, call, error: int) -> None:
        self._call, self._error = call, error
        self._left = 0

    def fail_at(self, number: int) -> None:
        self._left = number

    def __call__(self, *arguments):
        self._left -= 1
        if self._left == 0:
            raise OSError(self._error, os.strerror(self._error))
        return self._call(*arguments)


def fault_of(desk, recipe, out: str) -> str:
    try:
        desk.run(recipe, out)
    except FutexError as fault:
        return str(fault)
    return ""


@pytest.mark.parametrize(
    ("call", "error", "recipe"),
    [("fsync", errno.ENOSPC, BEST), ("replace", errno.EIO, PAPER)],
    ids=["disk full", "EIO"],
)
def test_a_fault_at_any_write_leaves_a_folder_that_the_next_run_completes(desk, monkeypatch, call, error, recipe):
    expected = desk.run(recipe, "undisturbed")
    faulty = Faulty(os.fsync if call == "fsync" else Path.replace, error)
    monkeypatch.setattr("os.fsync" if call == "fsync" else "pathlib.Path.replace", lambda *given: faulty(*given))
    for number in range(1, 100):
        faulty.fail_at(number)
        out = f"out{number}"
        fault = fault_of(desk, recipe, out)
        if not fault:
            break
        assert os.strerror(error) in fault
        faulty.fail_at(0)
        assert desk.run(recipe, out) == expected
    assert number > 20


def test_a_cache_that_cannot_be_written_is_named(desk):
    (desk.folder / "cache").write_text("in the way")
    with pytest.raises(FutexError, match=r"cannot use the cache in .*cache.* choose another with --cache"):
        desk.run()


def test_two_runs_do_not_share_a_folder(desk):
    (desk.folder / "out").mkdir()
    with FileLock(desk.folder / "out/.lock"), pytest.raises(FutexError, match="another futex run is writing to"):
        desk.run()
    desk.run()

"""The harness of `make torture`, small: it disturbs runs, and finds what goes wrong with them."""

import errno
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

HARNESS = Path(__file__).parents[1] / "benchmarks" / "torture"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked")


def rows_of(table: str) -> dict[str, dict[str, int]]:
    header, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    return {row[0]: dict(zip(header[1:], map(int, row[1:]), strict=True)) for row in rows}


def test_disturbed_runs_end_with_the_bytes_of_an_undisturbed_one(tmp_path):
    kinds = ["killed", "ENOSPC at write", "EIO at rename", "flipped in the run", "two at once"]
    options = ["--runs", "5", "--papers", "24", "--trust-forks", "--folder", str(tmp_path / "torture")]
    command = [sys.executable, HARNESS, *options, "--settings", "paper, fake PLM", "--kinds", *kinds]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    rows = rows_of(done.stdout)
    assert list(rows) == [*kinds, "all"]
    for kind in kinds:
        assert rows[kind]["runs"] == 1
        assert rows[kind]["kills"] >= 1
        assert rows[kind]["resumes"] >= 1
    assert rows["flipped in the run"]["faults"] == 1
    assert rows["two at once"]["clear errors"] >= 1  # of the two on one folder, one is told to wait


@pytest.fixture
def faults(monkeypatch):
    """The module, in a process that forgets what is installed in it."""
    monkeypatch.syspath_prepend(str(HARNESS))
    for module, names in ((os, ("fsync", "rename", "replace")), (io, ("open",))):
        for name in names:
            monkeypatch.setattr(module, name, getattr(module, name))
    monkeypatch.setattr("builtins.open", open)
    return __import__("faults")


def test_a_full_disk_stays_full(faults, tmp_path):
    fault = faults.Fault(tmp_path, "write", errno.ENOSPC, nth=2, stays=True)
    fault.install()
    (tmp_path / "first").write_text("fits")
    for name in ("second", "third"):
        with pytest.raises(OSError, match="No space left"):
            (tmp_path / name).write_text("does not fit")
    assert (tmp_path / "first").read_text() == "fits"
    assert fault.happened


def test_the_call_that_fails_is_the_nth_though_another_process_counts_on(faults, tmp_path):
    class Counting:
        """Raised by one each time it is set, as by a fork."""

        seen = 0
        value = property(lambda self: self.seen, lambda self, value: setattr(self, "seen", value + 1))

    fault = faults.Fault(tmp_path, "fsync", nth=1, calls=Counting())
    with pytest.raises(OSError, match="Input/output error"):
        fault._strike()


@pytest.mark.parametrize("call", ["fsync", "rename"])
def test_an_error_comes_once_and_only_below_the_folder(faults, tmp_path, call):
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    fault = faults.Fault(inside, call, nth=1)
    fault.install()

    def turn_to_the_disk(folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        with (folder / "file").open("w") as file:
            os.fsync(file.fileno())
        (folder / "file").replace(folder / "renamed")

    turn_to_the_disk(outside)
    with pytest.raises(OSError, match="Input/output error"):
        turn_to_the_disk(inside)
    turn_to_the_disk(inside)
    assert fault.calls.value == 2


def test_calls_are_counted_where_they_reach_the_disk(faults, tmp_path):
    fault = faults.Fault(tmp_path, "write")
    fault.install()
    with (tmp_path / "file").open("wb") as file:
        file.write(b"a")
        file.write(b"b")
    assert fault.calls.value == 1
    assert not fault.happened

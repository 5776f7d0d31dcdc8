"""Output that cannot be written: its reader has stopped, as `head` does, the disk is full, a letter is not known."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs pipes and /dev/full")


def futex(*words: str, unbuffered: str = "", encoding: str = "", **streams: int) -> subprocess.CompletedProcess[bytes]:
    """In a process of its own; what is given no stream is kept."""
    return subprocess.run(
        [sys.executable, "-m", "futex", *words],
        env=os.environ | {"PYTHONUNBUFFERED": unbuffered, "PYTHONIOENCODING": encoding},
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams,
    )


@pytest.fixture
def closed_pipe():
    reader, writer = os.pipe()
    os.close(reader)
    yield writer
    os.close(writer)


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", ["methods", "--help", "--version"])
def test_a_command_whose_reader_has_stopped_ends_quietly(closed_pipe, command, unbuffered):
    done = futex(command, unbuffered=unbuffered, stdout=closed_pipe)
    assert (done.returncode, done.stderr) == (141, b"")


def test_the_same_holds_for_messages(closed_pipe):
    assert futex("inspect", "nowhere", stderr=closed_pipe).returncode == 141
    assert futex("inspect", "nowhere", stdout=closed_pipe).returncode == 1  # nothing was to be printed there
    assert futex("methods", stderr=closed_pipe).returncode == 0


@pytest.mark.parametrize("command", ["methods", "--help"])
def test_a_full_disk_is_one_line(command):
    with Path("/dev/full").open("wb") as full:
        done = futex(command, stdout=full.fileno())
    assert (done.returncode, done.stderr) == (1, b"futex: No space left on device\n")


def test_letters_that_the_locale_does_not_have_are_spelt_out(tmp_path):
    (tmp_path / "paper.jsonl").write_text('{"id": "d1", "abstract": "On mice."}')
    done = futex("inspect", str(tmp_path / "paper.jsonl"), encoding="latin-1")
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"P\u2192P\u2190P pairs" in done.stdout

"""Processes that read uploads: one that hangs, dies or is killed is replaced, and none is left behind."""

import os
import select
import signal
import socket
import threading
from multiprocessing.process import BaseProcess
from pathlib import Path
from unittest.mock import Mock

import pytest
from serve.running import PATIENCE

from futex.serve.parsing import Upload
from futex.serve.problems import Problem
from futex.serve.reading import Readers

TEXT = Upload(b"A mouse\n\none two three four five six seven eight nine ten eleven", ("text",), ".txt")


@pytest.fixture
def readers():
    readers = Readers(1, seconds=20, characters=1000)
    readers.start()
    yield readers
    readers.close()


def process(readers) -> int:
    return readers._readers[0]._process.pid


def test_a_reader_that_hangs_is_given_up(readers):
    readers._seconds = 0.2
    os.kill(process(readers), signal.SIGSTOP)
    with pytest.raises(Problem, match="could not be read within") as refused:
        readers.read(TEXT)
    assert refused.value.status_code == 422
    readers._seconds = 20
    assert readers.read(TEXT).title == "A mouse"


def test_a_reader_that_says_too_much_is_not_listened_to(readers):
    readers._readers[0]._longest_answer = 10
    with pytest.raises(Problem, match="makes its reader crash"):
        readers.read(TEXT)
    readers._readers[0]._longest_answer = 10_000
    assert readers.read(TEXT).title == "A mouse"


def test_a_reader_that_dies_is_replaced(readers):
    pid = process(readers)
    os.kill(pid, signal.SIGSTOP)
    outcome: list[object] = []

    def read() -> None:
        try:
            outcome.append(readers.read(TEXT))
        except Problem as problem:
            outcome.append(problem.status_code)

    reading = threading.Thread(target=read)
    reading.start()
    while readers._idle.queue:  # until it has been taken
        pass
    os.kill(pid, signal.SIGKILL)
    reading.join(PATIENCE)
    assert outcome == [422] or outcome[0].title == "A mouse"
    assert readers.read(TEXT).title == "A mouse"
    assert process(readers) != pid


def test_a_reader_killed_while_it_had_nothing_to_do(readers):
    reader = readers._readers[0]
    os.kill(reader._process.pid, signal.SIGKILL)
    reader._process.join(PATIENCE)
    assert readers.read(TEXT).title == "A mouse"


def test_a_reader_that_could_not_be_started_is_started_later(readers, monkeypatch):
    """As when there is no room for another process just now."""
    os.kill(process(readers), signal.SIGKILL)
    readers._readers[0]._process.join(PATIENCE)
    monkeypatch.setattr(BaseProcess, "start", Mock(side_effect=OSError))
    with pytest.raises(Problem):
        readers.read(TEXT)
    monkeypatch.undo()
    assert readers.read(TEXT).title == "A mouse"


def test_readers_hold_none_of_our_connections():
    """A forked process would keep clients' connections open after we have closed them."""
    with socket.create_server(("127.0.0.1", 0)) as ours:
        inode = Path(f"/proc/self/fd/{ours.fileno()}").readlink()
        readers = Readers(1, seconds=20, characters=1000)
        readers.start()
        readers.read(TEXT)  # by then it has settled
        theirs = {link.readlink() for link in Path(f"/proc/{process(readers)}/fd").iterdir()}
        readers.close()
    assert inode not in theirs


def test_closing_ends_one_that_is_reading(readers):
    """Otherwise it would be waited for at the end of the program, which it outlives."""
    os.kill(process(readers), signal.SIGSTOP)
    outcome: list[BaseException] = []

    def read() -> None:
        try:
            readers.read(TEXT)
        except Problem as problem:
            outcome.append(problem)

    reading = threading.Thread(target=read)
    reading.start()
    while readers._idle.queue:  # until it has been taken
        pass
    handle = os.pidfd_open(process(readers))
    readers.close()
    reading.join(PATIENCE)
    assert select.select([handle], [], [], 20)[0]
    assert len(outcome) == 1
    with pytest.raises(Problem) as refused:
        readers.read(TEXT)
    assert refused.value.status_code == 503

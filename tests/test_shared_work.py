"""Work in processes: the same results in the same order, whatever happens to a process."""

import multiprocessing
import os
import signal
import sys
import threading
from multiprocessing.connection import Connection

import pytest
from corpus.paper_files import article, ids, make, packed, record

from futex import processes
from futex.corpus import reading
from futex.corpus.document import Document
from futex.corpus.formats import jats
from futex.corpus.paper import Paper
from futex.errors import InputError
from futex.processes import Processes, default_workers

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked")


def work(task):
    """The larger the number, the longer it takes; negative numbers kill the process with that signal."""
    if task < 0:
        os.kill(os.getpid(), -task)
    sum(range(task * 20_000))
    return task


def lost(task, exit_code):
    return ("lost", task, exit_code)


def results(tasks, count):
    pool = Processes(work, count, lost)
    try:
        return [*(result for task in tasks for result in pool.submit(task)), *pool.drain()]
    finally:
        pool.close()


@pytest.mark.parametrize("count", [1, 2, 5])
def test_results_keep_the_order_of_the_tasks(count):
    tasks = [30, 0, 20, 1, 0, 10, 0]
    assert results(tasks, count) == tasks
    assert results([], count) == []


@pytest.mark.parametrize("count", [1, 3])
def test_only_the_task_of_a_dead_process_is_lost(count):
    tasks = [5, -signal.SIGKILL, 1, -signal.SIGTERM, -signal.SIGKILL, 2]
    assert results(tasks, count) == [("lost", task, task) if task < 0 else task for task in tasks]


def test_a_process_that_dies_idle_is_replaced():
    pool = Processes(work, 1, lost)
    assert [*pool.submit(1), *pool.drain()] == [1]
    (idle,) = pool._idle
    os.kill(idle._process.pid, signal.SIGKILL)
    idle._process.join()
    assert [*pool.submit(2), *pool.drain()] == [2]
    pool.close()


def test_no_more_results_wait_than_fit(monkeypatch):
    monkeypatch.setattr(processes, "MAX_WAITING", 3)
    pool = Processes(work, 2, lost)
    most = 0
    for task in [200, *[0] * 50]:
        for _ in pool.submit(task):
            pass
        most = max(most, len(pool._jobs))
    assert len(list(pool.drain())) <= most <= 3 + 2
    pool.close()


def test_a_process_ends_quietly_though_nobody_took_its_last_result(monkeypatch):
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    our_end, its_end = multiprocessing.Pipe()
    its_end.send("a result that is never read")
    processes._serve(work, its_end, our_end)  # our end closes, which resets the connection instead of ending it


def test_no_process_stays_behind():
    before = multiprocessing.active_children()
    results([1, 2, 3], 2)
    assert multiprocessing.active_children() == before


class PressedWhileStarting:
    """Work whose process gets Ctrl-C while it is still being sent there."""

    def __reduce__(self):
        return _pressed, ()


def _pressed():
    os.kill(os.getpid(), signal.SIGINT)
    return work


@pytest.mark.parametrize("spawned", [False, True])
def test_a_process_leaves_ctrl_c_to_its_parent_from_its_first_moment(monkeypatch, spawned):
    monkeypatch.setattr(processes, "_die_with_parent", lambda: os.kill(os.getpid(), signal.SIGINT))
    pool = Processes(PressedWhileStarting() if spawned else work, 1, lost, spawned=spawned)
    assert [*pool.submit(1), *pool.drain()] == [1]
    pool.close()
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_ctrl_c_that_another_thread_is_told_waits_too():
    """While a process is copied it would be lost, and the command go on for ever."""
    begin, reached = threading.Event(), []

    def pressed():
        begin.wait()
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)

    def start():
        with processes._ctrl_c_waiting(multiprocessing.get_context("fork")):
            begin.set()
            other.join()
            reached.append("the end")

    other = threading.Thread(target=pressed)
    other.start()
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)  # where tests run in the background, it is ignored
    try:
        with pytest.raises(KeyboardInterrupt):
            start()
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, usual)
    assert reached


@pytest.mark.parametrize("step", ["send", "_receive"])
def test_no_process_stays_behind_wherever_ctrl_c_strikes(monkeypatch, step):
    """Free ones are not ended with us: Python would wait for them."""

    def pressed(*_):
        raise KeyboardInterrupt

    pool = Processes(work, 1, lost, free=True)
    assert [*pool.submit(1), *pool.drain()] == [1]
    if step == "send":
        monkeypatch.setattr(processes._Worker, "send", pressed)
    else:
        monkeypatch.setattr(Connection, "recv_bytes", pressed)
    with pytest.raises(KeyboardInterrupt):
        _ = [*pool.submit(1), *pool.drain()]
    pool.close()
    assert not multiprocessing.active_children()


def test_processes_of_others_start_none():
    pool = Processes(lambda _: default_workers(), 2, lost)
    assert [*pool.submit(0), *pool.drain()] == [1]
    pool.close()
    assert default_workers() >= 1


# --- as the reader of papers uses them


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_documents_come_in_the_order_of_the_files(tmp_path, workers):
    for i in range(30):
        make(tmp_path, **{f"{i:02}_xml": article(f"{i:02}"), f"{i:02}a_jsonl": record(f"{i:02}a")})
    (tmp_path / "99.tar").write_bytes(packed([(f"{i}.xml", article(f"t{i}")) for i in range(30)]))
    expected = [name for i in range(30) for name in (f"{i:02}", f"{i:02}a")] + [f"t{i}" for i in range(30)]
    assert ids(tmp_path, workers=workers) == expected


def test_a_file_that_kills_its_parser_is_named_and_skipped(tmp_path, monkeypatch):
    def read(source):
        content = source.stream.read()
        if b"deadly" in content:
            os.kill(os.getpid(), signal.SIGKILL)
        yield Document(Paper(content.decode()[9:10], abstract="x"))

    monkeypatch.setattr(jats, "read", read)
    make(tmp_path, a_xml=b"<article>a", b_xml=b"<article>deadly", c_xml=b"<article>c")
    skipped = []
    assert ids(tmp_path, workers=2, on_skip=skipped.append) == ["a", "c"]
    assert skipped == [
        f"{tmp_path}/b.xml: the process that read it died (exit code -9); look into this file",
    ]
    with pytest.raises(InputError, match=r"b\.xml: the process that read it died"):
        ids(tmp_path, workers=2, strict=True)


def test_a_reader_that_is_left_early_leaves_no_process(tmp_path):
    for i in range(40):
        make(tmp_path, **{f"{i}_xml": article(i)})
    documents = reading.read_documents(str(tmp_path), workers=2)
    next(documents)
    assert multiprocessing.active_children()
    documents.close()
    assert not multiprocessing.active_children()

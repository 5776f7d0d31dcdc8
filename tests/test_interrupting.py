"""Ctrl-C: one line, exit code 130, and no process stays behind."""

import os
import signal
import socket
import subprocess
import sys

import pytest
from serve.processes import family_of, have_ended
from serve.running import PATIENCE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")


def test_a_command_that_reads_papers_ends_with_one_line(tmp_path):
    for name in ("a.pdf", "b.pdf"):
        (tmp_path / name).write_bytes(b"%PDF-1.4 not looked into")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(PATIENCE)
        grobid = f"http://127.0.0.1:{silent.getsockname()[1]}"
        command = [sys.executable, "-m", "futex", "convert", str(tmp_path), "--papers", "papers.jsonl", "-q"]
        reading = subprocess.Popen(
            [*command, "--grobid", grobid], cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        try:
            asked, _ = silent.accept()  # a reader waits for an answer that never comes
            family = family_of(reading.pid)
            os.killpg(reading.pid, signal.SIGINT)
            _, said = reading.communicate(timeout=PATIENCE)
        finally:
            reading.kill()
        asked.close()
    assert (reading.returncode, said) == (130, "futex: interrupted\n")
    assert have_ended(family)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.pdf", "b.pdf"]

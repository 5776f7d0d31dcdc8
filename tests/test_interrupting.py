"""Ctrl-C: one line, exit code 130, and no process stays behind."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from serve.processes import family_of, have_ended
from serve.running import PATIENCE

from futex.corpus.formats.pdf import pdfium

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")


STARTS = "import subprocess, sys; subprocess.run([sys.executable, '-I', *sys.argv[1:]])"
"""As a reader of PDFs starts PDFium: it waits for it, and can be killed meanwhile."""
WAITS = (
    "import sys; sys.path.insert(0, sys.argv[1]); import pdfium; pdfium._die_with_parent(); print(flush=True); input()"
)


def test_pdfium_ends_with_the_process_that_started_it():
    """Nobody else is left who knows how long it may take."""
    words = [sys.executable, "-c", STARTS, "-c", WAITS, str(Path(pdfium.__file__).parent)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        assert reader.stdout.readline()
        family = family_of(reader.pid)
        assert len(family) == 1
        reader.kill()
        assert have_ended(family)  # though its standard input is still open


def test_a_command_that_reads_papers_ends_with_one_line(tmp_path):
    for name in ("a.pdf", "b.pdf"):
        (tmp_path / name).write_bytes(b"%PDF-1.4 not looked into")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(PATIENCE)
        grobid = f"http://127.0.0.1:{silent.getsockname()[1]}"
        command = [sys.executable, "-m", "futex", "convert", str(tmp_path), "--papers", "papers.jsonl", "-q"]
        reading = subprocess.Popen(
            [*command, "--grobid", grobid],
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # where tests run in the background
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

"""`futex serve` as a process of its own, which no test can leave behind or wait for without end."""

import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from serve.running import PATIENCE, connected


class Served:
    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self.said = self.next_line()
        self.address = self.said.split()[-1].rstrip("/")

    def next_line(self) -> str:
        assert self._process.stderr is not None
        return self._process.stderr.readline()

    def tell(self, number: int) -> None:
        self._process.send_signal(number)

    def end(self) -> tuple[int, str]:
        """Its exit code, and what it still had to say."""
        _, said = self._process.communicate()
        return self._process.returncode, said

    def connect(self) -> socket.socket:
        return connected(self.address)

    def family(self) -> list[int]:
        return family_of(self._process.pid)


def family_of(pid: int) -> list[int]:
    """A handle on each process that this one started, or that those did."""
    return [os.pidfd_open(descendant) for descendant in _descendants(pid)]


def have_ended(family: list[int]) -> bool:
    """Whether all of them are gone, if need be after a while."""
    return all(select.select([handle], [], [], PATIENCE)[0] for handle in family)


def _descendants(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children")
    threads = children.parent.parent.iterdir()
    own = [int(child) for thread in threads for child in (thread / "children").read_text().split()]
    return own + [other for child in own for other in _descendants(child)]


@contextmanager
def serving(folder: Path, home: Path, **environment: str) -> Iterator[Served]:
    """On any free port, with its feedback and cache at home, from its first line on; in the end it is killed."""
    process = subprocess.Popen(
        [sys.executable, "-m", "futex", "serve", str(folder), "--port", "0", "--feedback", "f.sqlite"],
        stderr=subprocess.PIPE,
        text=True,
        cwd=home,
        env=os.environ | {"FUTEX_CACHE": str(home)} | environment,
        start_new_session=True,
    )

    def kill() -> None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)

    alarm = threading.Timer(PATIENCE, kill)
    alarm.start()
    try:
        yield Served(process)
    finally:
        alarm.cancel()
        kill()
        process.wait()
        assert process.stderr is not None
        process.stderr.close()

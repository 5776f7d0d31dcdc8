"""A warm `futex`: all is imported once, and each start is a fork of it with a process group of its own.

Importing torch takes longer than a small run; without this a thousand starts would take hours. What is forked must
have a single thread, so import this module before any other, and compute nothing with torch outside of a start.
"""

import os
import select
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import NamedTuple

# Before numpy, torch and tokenizers look: none of them shall have threads when we fork.
os.environ |= {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "HF_HUB_OFFLINE": "1",
}

PATIENCE = 300.0
"""Seconds after which a start has hung."""


MEMORY_THREAD = "jemalloc_bg_thd"
"""pyarrow's memory allocator has a thread that knows of forks."""


class End(Enum):
    DONE = "done"
    KILLED = "killed"
    CLEAR_LINE = "error with a clear line"
    TRACEBACK = "traceback"
    HUNG = "hung"


class Outcome(NamedTuple):
    end: End
    messages: str


def warm_up() -> None:
    """Import all that a start would import."""
    import transformers.models.bert.modeling_bert  # noqa: F401
    from transformers import AutoModel, AutoTokenizer  # noqa: F401

    import futex.cli
    import futex.plm.static
    import futex.plm.training
    import futex.runs.run
    import futex.terminal  # noqa: F401

    threads = [(task / "comm").read_text().strip() for task in Path("/proc/self/task").iterdir()]
    others = [name for name in threads[1:] if name != MEMORY_THREAD]
    if others:
        raise RuntimeError(f"threads are running, so a fork is not safe: {', '.join(others)}")


def in_a_fork(work: Callable[[], None]) -> None:
    """Work that may start threads."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    if os.waitpid(pid, 0)[1]:
        raise RuntimeError("what was done in a fork failed")


class Start:
    """`futex` with these arguments, running. `prepare` is called in the new process, before the command line is."""

    def __init__(self, arguments: list[str], prepare: Callable[[], None] = lambda: None) -> None:
        self._messages, its_end = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            _become_futex(arguments, its_end, prepare)
        os.close(its_end)
        os.set_blocking(self._messages, False)  # processes that outlive the main one may keep their end open
        _own_group(self.pid)
        self._ended = os.pidfd_open(self.pid)

    def ends_within(self, seconds: float) -> bool:
        return bool(select.select([self._ended], [], [], seconds)[0])

    def kill(self) -> None:
        """The whole process group at once, as a machine that loses power would."""
        os.killpg(self.pid, signal.SIGKILL)

    def processes(self) -> list[int]:
        """The main process and those that it started."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children")
        return [self.pid, *map(int, children.read_text().split())] if children.exists() else []

    def outcome(self, patience: float = PATIENCE) -> Outcome:
        """Wait for the end of it, and tell how it ended."""
        hung = not self.ends_within(patience)
        if hung:
            self.kill()
        _, status = os.waitpid(self.pid, 0)
        messages = self._read()
        os.close(self._messages)
        os.close(self._ended)
        return Outcome(End.HUNG if hung else _end(os.waitstatus_to_exitcode(status), messages), messages)

    def _read(self) -> str:
        parts = []
        with suppress(BlockingIOError):
            while part := os.read(self._messages, 1 << 16):
                parts.append(part)
        return b"".join(parts).decode(errors="replace")


def _end(exit_code: int, messages: str) -> End:
    """A clear line is one line that begins with "futex: ", and exit code 1; warnings may stand before it."""
    if exit_code == -signal.SIGKILL:
        return End.KILLED
    if exit_code not in (0, 1) or "Traceback" in messages:
        return End.TRACEBACK
    if exit_code == 0:
        return End.DONE
    lines = messages.splitlines()
    clear = sum(line.startswith("futex: ") for line in lines) == 1 and lines[-1].startswith("futex: ")
    return End.CLEAR_LINE if clear else End.TRACEBACK


def _own_group(pid: int) -> None:
    """Called on both sides of the fork, as either may be first."""
    with suppress(PermissionError, ProcessLookupError):
        os.setpgid(pid, pid)


def _let_workers_be_forks() -> None:
    """Where torch is imported an engine starts its workers anew, as torch may have threads. Here it has none yet."""
    from futex.sharded import local

    local._has_torch = lambda: False


def _become_futex(arguments: list[str], messages: int, prepare: Callable[[], None]) -> None:
    from futex.cli import main

    code: object = 0
    try:
        _own_group(os.getpid())
        os.dup2(messages, 1)
        os.dup2(messages, 2)
        sys.argv = ["futex", *arguments]
        _let_workers_be_forks()
        prepare()
        main()
    except SystemExit as exit:
        code = exit.code
    except BaseException:
        traceback.print_exc()
        code = 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else int(code is not None))

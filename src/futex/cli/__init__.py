"""The command line. Results go to stdout, messages to stderr.

Exit codes: 0 done, 1 wrong input, 2 wrong usage, 130 interrupted by Ctrl-C, 141 nobody reads what is printed.
"""

import os
import sys
from io import TextIOWrapper
from typing import NoReturn

from futex.cli import data, experiments, results, running, serving, status, version  # noqa: F401  (each registers commands)
from futex.cli.app import app
from futex.errors import FutexError, printable

INTERRUPTED = 128 + 2
CLOSED_PIPE = 128 + 13
"""As a shell shows an end by SIGPIPE, which we do not let happen: it would also end a run when a worker dies."""


def main() -> None:
    """Run the command line; if its reader stops early, as `head` does, it ends quietly."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # not every locale has an arrow; stderr is so anyway
    try:
        if _is_interrupted():
            print("futex: interrupted", file=sys.stderr)
            _end(INTERRUPTED)
    except (BrokenPipeError, SystemExit) as end:  # Typer and rich turn the one into the other
        if not any(isinstance(error, BrokenPipeError) for error in (end, end.__context__)):
            raise
        _end(CLOSED_PIPE)


def _is_interrupted() -> bool:
    """Runs it. Once we return, what it was doing is let go: its processes have ended, and its progress is shown."""
    try:
        _run()
    except KeyboardInterrupt:
        return True
    except SystemExit as end:  # Typer makes one of Ctrl-C
        if end.code != INTERRUPTED:
            raise
        return True
    return False


def _run() -> None:
    """A fault of the input is one clear line and exit code 1."""
    try:
        try:
            app()
        finally:
            print(end="", flush=True)  # what cannot be written is found out here, not after us
    except BrokenPipeError:
        raise
    except FutexError as error:
        _fail(str(error))
    except OSError as error:
        _fail(printable(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}"))
    except MemoryError:
        _fail("out of memory: use --limit, or a machine with more; what is finished is kept for the next run")


def _fail(message: str) -> NoReturn:
    print(f"futex: {message}", file=sys.stderr)
    _end(1)


def _end(code: int) -> NoReturn:
    """Let go of what cannot be written, or Python would try again and complain."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(code)

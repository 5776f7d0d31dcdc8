"""The command line. Results go to stdout, messages to stderr; exit codes: 0 done, 1 wrong input, 2 wrong usage."""

import sys

from futex.cli import data, experiments, results, running, serving, status, version  # noqa: F401  (each registers commands)
from futex.cli.app import app
from futex.errors import FutexError


def main() -> None:
    """Run the command line; a fault of the input is one clear line and exit code 1."""
    try:
        app()
    except FutexError as error:
        _fail(" ".join(str(error).split()))
    except OSError as error:
        _fail(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}")
    except MemoryError:
        _fail("out of memory: use --limit, or a machine with more; what is finished is kept for the next run")


def _fail(message: str) -> None:
    print(f"futex: {message}", file=sys.stderr)
    sys.exit(1)

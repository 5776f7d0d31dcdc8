"""What can go wrong, as the user sees it.

    FutexError                  every error we raise on purpose; one clear line, exit code 1
    ├── InputError              a file or an option the user gave is wrong: what, where, how to mend it
    │   └── DamagedPaper        one paper of many is unreadable: it is named, skipped and counted
    ├── ServiceError            a server that we were told to use does not answer; the next paper would fare no better
    └── ModelError              a checkpoint or a saved model is missing, altered or unknown

Anything else that escapes is a bug of ours and keeps its traceback.
"""


class FutexError(Exception):
    """Base of all errors that are the user's to mend: one line that a terminal can show, whatever it quotes."""

    def __init__(self, message: str) -> None:
        super().__init__(printable(" ".join(map(str.strip, message.splitlines()))))


def printable(text: str) -> str:
    """The text without control characters and bytes outside the encoding, so that it can be shown and stored."""
    return "".join(char if char.isprintable() else "\ufffd" for char in text)


class InputError(FutexError):
    """Something the user gave us cannot be used."""


class DamagedPaper(InputError):
    """One paper cannot be read; those around it can."""


class ServiceError(FutexError):
    """A server that we were told to use does not do its work."""


class ModelError(FutexError):
    """A checkpoint or a saved model cannot be used."""

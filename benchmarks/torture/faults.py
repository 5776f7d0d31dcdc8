"""A disk that fails: the n-th write, fsync or rename below some folder raises ENOSPC or EIO.

Calls are counted at the lowest layer that Python has, so buffered data fails where it is really written, at a flush or
a close. Libraries in C and Rust write past Python: for them there is a limit on the size of files (EFBIG).
"""

import builtins
import errno
import io
import mmap
import os
import resource
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CALLS = ("write", "fsync", "rename")


class SharedNumber:
    """A number that a process and its forks see alike."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, 8)

    @property
    def value(self) -> int:
        return int(struct.unpack("q", self._memory[:])[0])

    @value.setter
    def value(self, value: int) -> None:
        self._memory[:] = struct.pack("q", value)


@dataclass(frozen=True)
class Fault:
    """The n-th call below `folder` fails with this error, and so do all later ones if it `stays`, as a full disk does.

    With `nth` 0 no call fails, but all are counted.
    """

    folder: Path
    call: str
    error: int = errno.EIO
    nth: int = 0
    stays: bool = False
    calls: SharedNumber = field(default_factory=SharedNumber)

    def install(self) -> None:
        """In this process, from now on."""
        {"write": self._fail_writes, "fsync": self._fail_fsyncs, "rename": self._fail_renames}[self.call]()

    @property
    def happened(self) -> bool:
        return 0 < self.nth <= self.calls.value

    def _fail_writes(self) -> None:
        opened = io.open
        faulty = _faulty_file(self._strike)

        def open_(file: Any, mode: str = "r", buffering: int = -1, *text: Any, **more: Any) -> Any:
            if not set(mode) & set("wax+") or not self._is_below(file):
                return opened(file, mode, buffering, *text, **more)
            raw_only = {name: more.pop(name) for name in ("closefd", "opener") if name in more}
            raw = faulty(file, mode.replace("b", "").replace("t", ""), **raw_only)
            if buffering == 0:
                return raw
            buffered = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
            return buffered if "b" in mode else io.TextIOWrapper(buffered, *text, **more)

        io.open = builtins.open = open_

    def _fail_fsyncs(self) -> None:
        os.fsync = self._failing(os.fsync)

    def _fail_renames(self) -> None:
        os.rename, os.replace = self._failing(os.rename), self._failing(os.replace)

    def _failing(self, call: Callable[..., None]) -> Callable[..., None]:
        def instead(first: Any, *others: Any, **more: Any) -> None:
            if self._is_below(first):
                self._strike(*() if isinstance(first, int) else (os.fspath(first),))
            call(first, *others, **more)

        return instead

    def _strike(self, *filename: str) -> None:
        """Real errors name a file only where it was given by its name."""
        number = self.calls.value + 1  # read once: a fork may count on meanwhile
        self.calls.value = number
        if number == self.nth or (self.stays and 0 < self.nth < number):
            raise OSError(self.error, os.strerror(self.error), *filename)

    def _is_below(self, file: Any) -> bool:
        number = file.fileno() if hasattr(file, "fileno") else file
        where = Path(f"/proc/self/fd/{number}").readlink() if isinstance(number, int) else Path(file).absolute()
        return where.is_relative_to(self.folder)


def _faulty_file(strike: Callable[[], None]) -> type[io.FileIO]:
    class FaultyFile(io.FileIO):
        def write(self, data: Any) -> int:
            strike()
            return super().write(data)

    return FaultyFile


def limit_file_size(size: int) -> Callable[[], None]:
    """No file may grow beyond so many bytes; Python and we ignore the signal that would end the process."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

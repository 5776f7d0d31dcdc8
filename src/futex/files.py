"""Files that are whole or not there: written under another name, synced, then renamed."""

import hashlib
import json
import logging
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from filelock import FileLock, Timeout

from futex.errors import InputError

log = logging.getLogger(__name__)

DEVICES = Path("/dev")
"""/dev/stdout looks like a file where standard output goes to one."""


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside `path`; rename it into place only if the block ends well."""
    check_file(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
        with temporary.open("rb") as written:
            os.fsync(written.fileno())
        temporary.replace(path)
    except OSError as error:
        _blame(path, error)
        raise
    finally:
        with suppress(OSError):  # where nothing can be written, nothing can be taken away either
            temporary.unlink()


@contextmanager
def growing(path: Path) -> Iterator[Path]:
    """Yield `path` with ".part" behind it, a file that may be read while it grows; rename it if the block ends well.

    If not, the part stays, unless the user's input was wrong: whoever writes whole lines and flushes them loses none.
    """
    check_file(path)
    part = part_of(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield part
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.replace(path)
    except InputError:
        part.unlink(missing_ok=True)
        raise
    except OSError as error:
        _blame(path, error)
        raise


@contextmanager
def growing_folder(path: Path, suffix: str) -> Iterator[Path]:
    """The same for a folder of files with one suffix; a folder that holds other files is never replaced."""
    check_folder(path, suffix)
    part = part_of(path)
    try:
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        yield part
        if path.is_dir():
            shutil.rmtree(path)
        part.rename(path)
    except InputError:
        shutil.rmtree(part, ignore_errors=True)
        raise
    except OSError as error:
        _blame(path, error)
        raise


def check_file(path: Path) -> None:
    """Refuse a place that no file can be put in, before anything is computed for it.

    A file that was written elsewhere would take the place of a device, for the whole machine.
    """
    if path.is_dir():
        raise InputError(f"cannot write {path}: it is a folder; give the name of a file")
    if path.exists() and (not path.is_file() or path.parent == DEVICES):
        raise InputError(f"cannot write {path}: it is a device or a pipe; give the name of a file")


def check_folder(path: Path, suffix: str) -> None:
    """The same for a folder of files with one suffix."""
    if path.exists() and not path.is_dir():
        raise InputError(f"cannot write {path}: it is no folder; choose another place")
    for folder in (path, part_of(path)):
        if folder.is_dir() and any(file.suffix != suffix or file.is_dir() for file in folder.iterdir()):
            raise InputError(f"{folder} holds other files than {suffix} files: choose a folder of its own")


def part_of(path: Path) -> Path:
    """Where it grows until it is whole."""
    return path.with_name(f"{path.name}.part")


def _blame(path: Path, error: OSError) -> None:
    """Say that it cannot be written, unless the error names another file, which could not be read."""
    named = Path(os.fsdecode(error.filename)) if error.filename else path
    if path.name in named.name or named in path.parents:
        raise InputError(f"cannot write {path}: {error.strerror or error}; choose a place you may write to") from error


@contextmanager
def writing_temporarily() -> Iterator[None]:
    """Say where temporary files cannot be written: they have no names, and so the system's error has none either."""
    try:
        yield
    except OSError as error:
        if error.filename:
            raise
        raise InputError(
            f"cannot write to {gettempdir()}: {error.strerror or error}; make room there or set TMPDIR"
        ) from error


def write_text(path: Path, text: str) -> None:
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", errors="backslashreplace")  # a file name may be no UTF-8


def write_note(path: Path, note: Any) -> None:
    """JSON with a checksum of itself, for what decides later whether something is computed again."""
    write_text(path, json.dumps({"note": note, "sha256": _checksum(note)}, ensure_ascii=False, indent=2) + "\n")


def read_note(path: Path) -> Any:
    """None if there is none, or if it was altered."""
    try:
        sealed = json.loads(path.read_bytes())
        return sealed["note"] if sealed["sha256"] == _checksum(sealed["note"]) else None
    except (FileNotFoundError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _checksum(note: Any) -> str:
    return hashlib.sha256(json.dumps(note).encode()).hexdigest()


def checksums(folder: Path) -> dict[str, str]:
    """The SHA-256 of every file in a folder, by its path there."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): sha256(path) for path in files}


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Until the block ends no other process is in there; the system frees the lock of one that was killed."""
    lock = FileLock(folder / "lock")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire(blocking=False)
    except Timeout:
        log.info("another futex is making what goes into %s: waiting for it", folder)
        lock.acquire()
    except OSError as error:
        raise InputError(
            f"cannot write to {folder}: {error.strerror or error}; choose a place you may write to"
        ) from error
    try:
        yield
    finally:
        lock.release()

"""The folder that a run writes: held by one process at a time, with a record of what was done."""

import json
import logging
import platform
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from futex.errors import InputError
from futex.files import write_text
from futex.results.writing import FORMATS, format_named
from futex.runs.inputs import Hashes, Inputs
from futex.sharded import folder

log = logging.getLogger(__name__)

PREDICTIONS, CONFIG, LOCK = folder.PREDICTIONS, "config.json", ".lock"


def prediction_files(inputs: Inputs, out: Path) -> dict[str, Path]:
    """By format; all of them can be written. Those of an earlier run, that would be taken for this one's, are named."""
    formats = {name: format_named(name) for name in ("jsonl", *inputs.also)}
    paths = {name: out / f"predictions{format.suffix}" for name, format in formats.items()}
    for name, path in paths.items():
        formats[name].check(path)
    for path in _left_behind(out, paths):
        log.warning("%s is of an earlier run, and stays as it is: remove it, or ask for it again with --also", path)
    return paths


def _left_behind(out: Path, written: Collection[str]) -> Iterator[Path]:
    """Predictions in formats that this run does not write."""
    others = (out / f"predictions{format.suffix}" for name, format in FORMATS.items() if name not in written)
    return filter(Path.exists, others)


def check_apart(inputs: Inputs, out: Path) -> None:
    """What is written among the papers would be read as papers by the next run."""
    if Path(inputs.papers).is_dir() and out.resolve().is_relative_to(Path(inputs.papers).resolve()):
        raise InputError(f"{out} lies among the papers in {inputs.papers}: put --out elsewhere")


def is_held(out: Path) -> bool:
    """Whether a process is writing to this folder now."""
    if not (out / LOCK).exists():
        return False
    try:
        with FileLock(out / LOCK, blocking=False):
            return False
    except Timeout:
        return True
    except OSError:  # a folder that we may only read
        return False


@contextmanager
def held(out: Path) -> Iterator[None]:
    """The output folder, made and held by this process alone; if nothing comes of it, it goes again."""
    lock = FileLock(out / LOCK, blocking=False)
    is_new = not out.exists()
    try:
        out.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        raise InputError(f"another futex run is writing to {out}: wait for it or choose another folder") from None
    except OSError as error:
        raise InputError(f"cannot write to {out}: {error.strerror or error}; choose another folder") from error
    try:
        yield
    finally:
        if {path.name for path in out.iterdir()} <= {LOCK}:
            (out / LOCK).unlink(missing_ok=True)
            if is_new:
                out.rmdir()
        lock.release()


def write_config(out: Path, inputs: Inputs, hashes: Hashes, method: dict[str, Any]) -> None:
    """What was done with what, as it was when it was read, and by which versions."""
    config = {
        **method,
        "limit": inputs.limit,
        "language": inputs.language,
        "top": inputs.top,
        "inputs": {
            "papers": {"path": inputs.papers, "sha256": hashes["papers"]},
            "labels": {"path": inputs.labels, "sha256": hashes["labels"]},
        },
        "versions": versions(),
    }
    write_text(out / CONFIG, json.dumps(config, indent=2, ensure_ascii=False) + "\n")


def versions() -> dict[str, str]:
    """Of everything that can change a digit."""
    packages = ("futex", "numpy", "scipy", "torch", "transformers", "tokenizers", "ahocorasick_rs", "lxml")
    return {"python": platform.python_version()} | {name: version(name) for name in packages}

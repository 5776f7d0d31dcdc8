"""Label spaces in and out."""

from pathlib import Path

from futex.corpus.store import write_lines
from futex.corpus.streams import open_binary
from futex.errors import InputError
from futex.labels.formats import jsonl
from futex.labels.label import LabelSpace


def read_labels(path: str | Path) -> LabelSpace:
    """L, with every fault named by file and line."""
    path = Path(path)
    with open_binary(path) as stream:
        labels = list(jsonl.read(stream, str(path)))
    try:
        return LabelSpace(labels)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def write_labels(labels: LabelSpace, path: Path) -> None:
    write_lines((jsonl.as_record(label) for label in labels.values()), path)

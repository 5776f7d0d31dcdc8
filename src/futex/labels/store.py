"""Label spaces in and out: the format of a vocabulary is recognised by content.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder:
...     write_labels(LabelSpace([Label("M", "Mouse", synonyms=("mice",))]), Path(folder, "labels.jsonl"))
...     read_labels(Path(folder, "labels.jsonl"))["M"].names
('Mouse', 'mice')
"""

from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from futex.corpus.sources import Source, open_sources
from futex.corpus.store import write_lines
from futex.corpus.streams import STREAM_ERRORS, damaged
from futex.errors import InputError
from futex.labels.allowance import Allowance
from futex.labels.formats import annif, invenio, jsonl, mesh, obo, research, skos
from futex.labels.label import Label, LabelSpace

FORMATS: dict[str, ModuleType] = {module.NAME: module for module in (mesh, skos, obo, research, annif, invenio, jsonl)}
HEAD = 4096


def read_labels(path: str | Path, format: str | None = None, language: str = "en") -> LabelSpace:
    """L, out of a file, plain or compressed, or an archive with one vocabulary inside; "-" is standard input.

    Of a vocabulary in many languages the names in `language` are taken, or those without a language, or any.
    """
    if format is not None and format not in FORMATS:
        raise InputError(f"unknown format of labels {format!r}: choose one of {', '.join(sorted(FORMATS))}")
    labels: list[Label] = []
    read_from = ""
    for source, reader in _vocabularies(str(path), format):
        if read_from:
            raise InputError(f"{path} holds several vocabularies, {read_from} and {source.name}; give one of them")
        labels, read_from = list(_labels(source, reader, language)), source.name
    try:
        return LabelSpace(labels)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def _vocabularies(where: str, format: str | None) -> Iterator[tuple[Source, ModuleType]]:
    """The files in it that a reader knows; a single file must be one of them, unless it is empty."""
    option = f"--labels-format (futex labels: --format) {'|'.join(sorted(FORMATS))}"
    found, among_many = False, True
    for source in open_sources(where, _never_skip):
        head = _head(source)
        reader = next((module for module in FORMATS.values() if module.recognises(head, source.name)), None)
        if format is not None:
            reader = FORMATS[format] if reader is FORMATS[format] or not source.among_many else None
        among_many = source.among_many
        if reader is not None:
            found = True
            yield source, reader
        elif head.strip() and not among_many:
            raise InputError(f"{where}: not a vocabulary that we recognise; name its format with {option}")
    if among_many and not found:
        kind = f"{format} vocabulary" if format else "vocabulary"
        raise InputError(f"{where}: no {kind} that we recognise in it; give the file itself, with {option}")


def _never_skip(error: InputError) -> None:
    raise error


def _head(source: Source) -> bytes:
    """The first bytes of a file, from which the byte order mark is taken off for good."""
    stream: Any = source.stream
    try:
        if stream.peek(len(BOM_UTF8)).startswith(BOM_UTF8):
            stream.read(len(BOM_UTF8))
        return bytes(stream.peek(HEAD)[:HEAD])
    except STREAM_ERRORS as error:
        raise damaged(source.name, error) from error


def _labels(source: Source, reader: ModuleType, language: str) -> Iterator[Label]:
    allowance = Allowance(source.name)
    for label in reader.read(source.stream, source.name, language):
        allowance.take_label(label)
        yield label


def write_labels(labels: LabelSpace, path: str | Path) -> None:
    """One JSON object a line, compressed as the extension says."""
    write_lines((jsonl.as_record(label) for label in labels.values()), Path(path))

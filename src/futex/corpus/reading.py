"""Documents out of any file, folder or archive: the format is recognised by content."""

import logging
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import NamedTuple, Protocol, TypedDict, Unpack, cast

from futex.corpus.archives import archive_kind
from futex.corpus.content import MAX_BYTES
from futex.corpus.document import Document
from futex.corpus.formats import (
    annif,
    jats,
    jsonl,
    latex,
    markdown,
    parquet,
    pdf,
    pubmed,
    research,
    s2orc,
    tei,
    text,
    unarxive,
)
from futex.corpus.formats.pdf.grobid import GrobidPdf
from futex.corpus.sources import Skip, Source, is_pipe, open_sources
from futex.corpus.streams import STREAM_ERRORS, damaged, following, open_binary
from futex.corpus.text_files import fallback_id
from futex.errors import FutexError, InputError
from futex.processes import Processes, default_workers


class Reader(Protocol):
    """What reads a format: a module of `formats`, or an object that knows more, like the address of a server."""

    @property
    def NAME(self) -> str: ...  # noqa: N802

    def recognises(self, head: bytes, name: str = "") -> bool: ...

    def read(self, source: Source) -> Iterator[Document]: ...


FORMATS: dict[str, Reader] = {
    reader.NAME: reader
    for reader in (parquet, pdf, jats, tei, pubmed, latex, unarxive, s2orc, research, annif, jsonl, markdown, text)
}
"""By name, those first that know their kind by more than a brace at its beginning; anything could be text."""
ONE_PAPER_A_FILE = frozenset({jats.NAME, latex.NAME, markdown.NAME, pdf.NAME, tei.NAME, text.NAME})
"""Files of these formats are parsed in processes of their own; the others may hold many papers and are streamed."""
NAMED_AFTER_FILES = ONE_PAPER_A_FILE | {annif.NAME, pubmed.NAME}
"""The formats whose papers need no id of their own."""
WITH_UPDATES = frozenset({pubmed.NAME})
"""The formats whose files bring some papers again."""
HEAD = 4096

log = logging.getLogger(__name__)

OnSkip = Callable[[str], None]
"""Told, in a line, of what cannot be read and is passed over."""


class Reading(TypedDict, total=False):
    """How to read, passed on untouched by all who read papers; see `read_documents`."""

    format: str | None
    grobid: str | None
    strict: bool
    workers: int | None
    on_skip: OnSkip


class Found(NamedTuple):
    """A document, and where it was found (for messages, and as a path)."""

    document: Document
    name: str
    file: str
    named_after_file: bool
    """Its id is only the name of its file."""
    may_come_again: bool
    """Another of its id is the same paper."""


def read_documents(where: str, **how: Unpack[Reading]) -> Iterator[Document]:
    """As `find_documents`, but nothing else than the documents."""
    return (found.document for found in find_documents(where, **how))


def find_documents(
    where: str,
    *,
    format: str | None = None,
    grobid: str | None = None,
    strict: bool = False,
    workers: int | None = None,
    on_skip: OnSkip = log.warning,
) -> Iterator[Found]:
    """Every document in a file, folder, pattern ("papers/*.xml") or archive, or on standard input ("-").

    A single file that cannot be read is an error; in a folder or archive it is reported to `on_skip` and passed over
    (unless `strict`), and files of other kinds (pictures, programs, empty ones) are left alone. Files are parsed in
    `workers` processes, as many as there are cores if not given; documents come in the order of the files in any case.
    PDFs are read by the GROBID server at the address `grobid`, if one is given.
    """
    if format is not None and format not in FORMATS:
        raise InputError(f"unknown format {format!r}: choose one of {', '.join(sorted(FORMATS))}")
    readers = _readers(grobid)

    def skip(error: InputError) -> None:
        if strict:
            raise error
        on_skip(str(error))

    processes = Processes(_parse, 1 if is_pipe(where) else workers or default_workers(), _died)
    try:
        for source in open_sources(where, skip):
            try:
                reader = _reader_for(source, readers, format)
                if reader is not None:
                    yield from _read(source, reader, grobid, processes, skip)
            except InputError as error:
                if not source.among_many:
                    raise
                skip(error)
        yield from _parsed(processes.drain(), skip)
    finally:
        processes.close()


def documents_of(content: bytes, name: str, formats: Collection[str]) -> Iterator[Document]:
    """The documents of a file that is in memory, in one of these formats; `name` is for messages and its extension."""
    source = Source(name, following(content, BytesIO()))
    reader = _reader_for(source, {format: FORMATS[format] for format in FORMATS if format in formats}, None)
    if reader is not None:
        yield from (found.document for found in _documents(source, reader))


def _read(
    source: Source, reader: Reader, grobid: str | None, processes: Processes["_Task", "_Parsed"], skip: Skip
) -> Iterator[Found]:
    if source.among_many and reader.NAME in ONE_PAPER_A_FILE and processes.count > 1:
        yield from _parsed(processes.submit(_task(source, reader.NAME, grobid)), skip)
    else:
        yield from _parsed(processes.drain(), skip)
        yield from _documents(source, reader)


def _documents(source: Source, reader: Reader) -> Iterator[Found]:
    try:
        for document in reader.read(source):
            named_after_file = reader.NAME in NAMED_AFTER_FILES and _is_name_of(source, document.paper.id)
            yield Found(document, source.name, source.file, named_after_file, reader.NAME in WITH_UPDATES)
    except STREAM_ERRORS as error:
        raise damaged(source.name, error) from error


def _is_name_of(source: Source, paper_id: str) -> bool:
    """Whether a paper is called as its file is, perhaps without an inner extension and with the number of a line."""
    plain = re.sub(r"-\d+$", "", paper_id)
    name = fallback_id(source)
    return name in (paper_id, plain) or name.startswith((f"{paper_id}.", f"{plain}."))


# --- which format


def _readers(grobid: str | None) -> Mapping[str, Reader]:
    return FORMATS if grobid is None else {**FORMATS, pdf.NAME: GrobidPdf(grobid)}


def _reader_for(source: Source, readers: Mapping[str, Reader], format: str | None) -> Reader | None:
    """The reader for this file; none if it is one of many and not a paper."""
    if format is not None:
        return readers[format]
    try:
        head: bytes = source.stream.peek(HEAD)  # type: ignore[attr-defined]
    except STREAM_ERRORS as error:
        raise damaged(source.name, error) from error
    reader = recognised(head, source.name, readers.values())
    if reader is None and not source.among_many:
        raise InputError(f"{source.name} is empty") if not head.strip() else _unrecognised(source.name)
    if reader is None and archive_kind(head) == "tar":
        raise InputError(f"{source.name}: an archive inside an archive is not opened; unpack the outer one")
    return reader


def recognised(head: bytes, name: str, readers: Iterable[Reader]) -> Reader | None:
    """The first that knows a file by its name and its first bytes, before which a byte order mark may stand."""
    start = head[:HEAD].removeprefix(BOM_UTF8)
    return next((reader for reader in readers if reader.recognises(start, name)), None)


def _unrecognised(name: str) -> InputError:
    return InputError(f"{name}: format not recognised; name it with --format {'|'.join(sorted(FORMATS))}")


# --- in other processes


class _Task(NamedTuple):
    """A source as it is sent to a process: by its path, or with its content if it has none."""

    name: str
    file: str
    format: str
    grobid: str | None
    content: Path | bytes
    beside: Callable[[str], bytes | None]


class _Parsed(NamedTuple):
    documents: list[Found]
    warnings: list[str]
    error: FutexError | None = None


class _Warnings(logging.Handler):
    """Keeps them: a terminal that another thread was writing to when a process was forked is locked there for good."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


def _task(source: Source, format: str, grobid: str | None) -> _Task:
    try:
        content = source.path or source.stream.read(MAX_BYTES + 1)
        return _Task(source.name, source.file, format, grobid, content, source.beside)
    except STREAM_ERRORS as error:
        raise damaged(source.name, error) from error


def _parse(task: _Task) -> _Parsed:
    """Done in another process, which hands over what it would log."""
    documents: list[Found] = []
    warnings = _Warnings()
    ours = logging.getLogger("futex")
    ours.handlers, ours.propagate = [warnings], False
    try:
        path = task.content if isinstance(task.content, Path) else None
        with open_binary(path) if path else following(cast(bytes, task.content), BytesIO()) as stream:
            reader = _readers(task.grobid)[task.format]
            documents.extend(_documents(Source(task.name, stream, path, task.beside, file=task.file), reader))
    except FutexError as error:
        return _Parsed(documents, warnings.messages, error)
    return _Parsed(documents, warnings.messages)


def _died(task: _Task, exit_code: int | None) -> _Parsed:
    what = f"{task.name}: the process that read it died (exit code {exit_code}); look into this file"
    return _Parsed([], [], InputError(what))


def _parsed(results: Iterable[_Parsed], skip: Skip) -> Iterator[Found]:
    for result in results:
        for warning in result.warnings:
            log.warning("%s", warning)
        yield from result.documents
        if isinstance(result.error, InputError):
            skip(result.error)
        elif result.error is not None:
            raise result.error

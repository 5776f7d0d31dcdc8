"""Documents out of any file, folder or archive: the format is recognised by content."""

import logging
import zipfile
from collections.abc import Callable, Iterator
from types import ModuleType

from futex.corpus.document import Document
from futex.corpus.formats import annif, jats, jsonl, latex, markdown, parquet, research, text
from futex.corpus.sources import Source, is_collection, open_sources
from futex.corpus.streams import STREAM_ERRORS
from futex.errors import InputError

FORMATS: dict[str, ModuleType] = {
    module.NAME: module for module in (parquet, jats, latex, research, annif, jsonl, markdown, text)
}
"""By name, those first that know their kind by more than a brace at its beginning; anything could be text."""
HEAD = 4096

log = logging.getLogger(__name__)


def read_documents(
    where: str, *, format: str | None = None, on_skip: Callable[[str], None] = log.warning
) -> Iterator[Document]:
    """Every document in a file, folder or archive, or on standard input ("-").

    A single file that cannot be read is an error; in a folder or archive it is reported to `on_skip` and passed over,
    and files of other kinds (pictures, programs, empty ones) are left alone.
    """
    if format is not None and format not in FORMATS:
        raise InputError(f"unknown format {format!r}: choose one of {', '.join(sorted(FORMATS))}")
    forgiving = is_collection(where)
    for source in open_sources(where):
        try:
            reader = _reader_for(source, format, forgiving)
            if reader is not None:
                yield from _documents(source, reader)
            elif not forgiving:
                raise _unrecognised(source.name)
        except InputError as error:
            if not forgiving:
                raise
            on_skip(str(error))


def _documents(source: Source, reader: ModuleType) -> Iterator[Document]:
    try:
        yield from reader.read(source)
    except (*STREAM_ERRORS, zipfile.BadZipFile) as error:
        raise InputError(f"{source.name} is damaged: {error}; fetch or compress it again") from error


def _reader_for(source: Source, format: str | None, forgiving: bool) -> ModuleType | None:
    if format is not None:
        return FORMATS[format]
    try:
        head = source.stream.peek(HEAD)[:HEAD]  # type: ignore[attr-defined]
    except STREAM_ERRORS as error:
        raise InputError(f"{source.name} is damaged: {error}; fetch or compress it again") from error
    if not head.strip() and not forgiving:
        raise InputError(f"{source.name} is empty")
    return next((module for module in FORMATS.values() if module.recognises(head, source.name)), None)


def _unrecognised(name: str) -> InputError:
    return InputError(f"{name}: format not recognised; name it with --format {'|'.join(sorted(FORMATS))}")

"""Corpora in and out: papers with unique ids and something to read, and the store they are written to."""

import json
import logging
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

from futex.corpus.document import Document
from futex.corpus.formats import jsonl, parquet
from futex.corpus.paper import Paper
from futex.corpus.reading import read_documents
from futex.corpus.streams import compressing
from futex.errors import InputError
from futex.files import replacing

log = logging.getLogger(__name__)


def read_papers(
    where: str | Path,
    *,
    format: str | None = None,
    grobid: str | None = None,
    limit: int | None = None,
    strict: bool = False,
    workers: int | None = None,
    on_skip: Callable[[str], None] = log.warning,
) -> list[Paper]:
    """The corpus D: at most `limit` papers of `where`, in any known format (see `read_documents`)."""
    documents = usable_documents(
        str(where), format=format, grobid=grobid, strict=strict, workers=workers, on_skip=on_skip
    )
    return [document.paper for document in islice(documents, limit)]


def usable_documents(
    where: str,
    *,
    format: str | None,
    grobid: str | None = None,
    strict: bool = False,
    workers: int | None = None,
    on_skip: Callable[[str], None],
) -> Iterator[Document]:
    """Documents with unique ids, at least one; papers with neither abstract nor body are named and passed over."""
    seen: set[str] = set()
    found = False
    documents = read_documents(where, format=format, grobid=grobid, strict=strict, workers=workers, on_skip=on_skip)
    for document in documents:
        paper = document.paper
        if paper.id in seen:
            raise InputError(f"{where}: two papers share the id {paper.id!r}; make ids unique")
        seen.add(paper.id)
        if paper.is_empty:
            on_skip(f"paper {paper.id}: neither abstract nor body text")
        else:
            found = True
            yield document
    if not found:
        raise InputError(f"{where}: no paper found; known formats are JATS XML, FuTex JSONL and FuTex Parquet")


def write_papers(papers: Iterable[Paper], path: Path) -> None:
    """Parquet or JSONL (.jsonl, plain or with .gz, .xz, .zst), as the extension says."""
    if path.suffix == ".parquet":
        with replacing(path) as temporary:
            parquet.write(papers, temporary)
    elif ".jsonl" in path.suffixes:
        write_lines((jsonl.as_record(paper) for paper in papers), path)
    else:
        raise InputError(f"{path}: say by the extension what to write: .parquet or .jsonl (also .jsonl.gz, .xz, .zst)")


def write_lines(records: Iterable[object], path: Path) -> None:
    """One JSON object a line, compressed as the extension says."""
    with replacing(path) as temporary, temporary.open("wb") as file, compressing(path, file) as out:
        for record in records:
            out.write(json.dumps(record, ensure_ascii=False).encode("utf-8") + b"\n")

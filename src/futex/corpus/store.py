"""Corpora in and out: papers with unique ids and something to read, and the store they are written to.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder:
...     write_papers([Paper("d1", "On mice", "We study mice.")], Path(folder, "papers.parquet"))
...     [paper.title for paper in read_papers(folder)]
['On mice']
"""

import json
import logging
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Unpack

from futex.corpus.document import Document
from futex.corpus.formats import jsonl, parquet
from futex.corpus.paper import MAX_UNITS, Paper, units_below
from futex.corpus.reading import FORMATS, Reading, read_documents
from futex.corpus.spool import PaperSpool
from futex.corpus.streams import COMPRESSED, compressing
from futex.errors import InputError
from futex.files import replacing

log = logging.getLogger(__name__)


def read_papers(where: str | Path, *, limit: int | None = None, **how: Unpack[Reading]) -> list[Paper]:
    """The corpus D: at most `limit` papers of `where`, in any known format (see `read_documents`)."""
    return [document.paper for document in islice(usable_documents(str(where), **how), limit)]


def spool_papers(where: str, *, limit: int | None = None, **how: Unpack[Reading]) -> PaperSpool:
    """As `read_papers`, for corpora of any size."""
    return PaperSpool(document.paper for document in islice(usable_documents(where, **how), limit))


def usable_documents(where: str, **how: Unpack[Reading]) -> Iterator[Document]:
    """Documents with unique ids, at least one; papers with nothing or too much to read are named and passed over."""
    seen: set[str] = set()
    found = False
    on_skip = how.get("on_skip", log.warning)
    for document in read_documents(where, **how):
        paper = document.paper
        if paper.id in seen:
            raise InputError(f"{where}: two papers share the id {paper.id!r}; make ids unique")
        seen.add(paper.id)
        if paper.is_empty:
            on_skip(f"paper {paper.id}: neither abstract nor body text")
        elif units_below(paper.body) > MAX_UNITS:
            on_skip(f"paper {paper.id}: more than {MAX_UNITS:,} sections and paragraphs; split it")
        else:
            found = True
            yield document
    if not found:
        raise InputError(f"{where}: no paper found; known formats are {', '.join(FORMATS)}")


def write_papers(papers: Iterable[Paper], path: str | Path) -> None:
    """Parquet or JSONL (.jsonl, plain or with .gz, .bz2, .xz, .zst), as the extension says."""
    path = Path(path)
    if path.suffix == ".parquet":
        with replacing(path) as temporary:
            parquet.write(papers, temporary)
    elif path.suffix == ".jsonl" or (path.suffix in COMPRESSED and Path(path.stem).suffix == ".jsonl"):
        write_lines((jsonl.as_record(paper) for paper in papers), path)
    else:
        raise InputError(
            f"{path}: say by the extension what to write: .parquet or .jsonl (also {', '.join(COMPRESSED)})"
        )


def write_lines(records: Iterable[object], path: Path) -> None:
    """One JSON object a line, compressed as the extension says."""
    with replacing(path) as temporary, temporary.open("wb") as file, compressing(path, file) as out:
        for record in records:
            out.write(json.dumps(record, ensure_ascii=False).encode("utf-8") + b"\n")

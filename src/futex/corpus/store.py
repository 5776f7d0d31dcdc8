"""Corpora in and out: papers with unique ids and something to read, and the store they are written to.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder:
...     write_papers([Paper("d1", "On mice", "We study mice.")], Path(folder, "papers.parquet"))
...     [paper.title for paper in read_papers(folder)]
['On mice']
"""

import json
import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from typing import Unpack

from futex.corpus.document import Document
from futex.corpus.formats import jsonl, parquet
from futex.corpus.paper import MAX_UNITS, Paper, units_below
from futex.corpus.reading import FORMATS, Found, Reading, find_documents
from futex.corpus.spool import PaperSpool
from futex.corpus.streams import COMPRESSED, compressing
from futex.errors import InputError, printable
from futex.files import replacing

MAX_FOLDERS = 8
"""Of a file, before the id of a paper."""

log = logging.getLogger(__name__)


def read_papers(where: str | Path, *, limit: int | None = None, **how: Unpack[Reading]) -> list[Paper]:
    """The corpus D: at most `limit` papers of `where`, in any known format.

    `how` may give a `format`, the address of a `grobid` server, `strict`, a number of `workers`, and `on_skip`.
    """
    return [document.paper for document in islice(usable_documents(str(where), **how), limit)]


def spool_papers(where: str, *, limit: int | None = None, **how: Unpack[Reading]) -> PaperSpool:
    """As `read_papers`, for corpora of any size."""
    return PaperSpool(document.paper for document in islice(usable_documents(where, **how), limit))


def usable_documents(where: str, **how: Unpack[Reading]) -> Iterator[Document]:
    """Documents with unique ids, at least one; papers with nothing or too much to read are named and passed over."""
    holders: dict[str, str] = {}
    is_empty = True
    on_skip = how.get("on_skip", log.warning)
    for found in find_documents(where, **how):
        if _came_before(found, holders):
            on_skip(f"paper {found.document.paper.id}: again in {found.name}; the first one counts")
            continue
        document = _with_unique_id(found, holders, where)
        paper = document.paper
        holders[paper.id] = found.name
        if paper.is_empty:
            on_skip(f"paper {paper.id}: neither abstract nor body text")
        elif units_below(paper.body) > MAX_UNITS:
            on_skip(f"paper {paper.id}: more than {MAX_UNITS:,} sections and paragraphs; split it")
        else:
            is_empty = False
            yield document
    if is_empty:
        raise InputError(f"{where}: no paper found; known formats are {', '.join(FORMATS)}")


def _came_before(found: Found, holders: Mapping[str, str]) -> bool:
    return found.may_come_again and not found.named_after_file and found.document.paper.id in holders


def _with_unique_id(found: Found, holders: Mapping[str, str], where: str) -> Document:
    """Many files are called main.tex: papers that are named after such get ids like `folder/main`."""
    document = found.document
    paper_id = document.paper.id
    if paper_id not in holders:
        return document
    if not found.named_after_file:
        places = f"{holders[paper_id]} and {found.name}" if holders[paper_id] != found.name else f"both in {found.name}"
        raise InputError(f"{where}: two papers share the id {paper_id!r} ({places}); make ids unique")
    file = printable(found.file.removeprefix(str(Path(where))))
    unique = next(other for other in _other_ids(paper_id, file, len(holders) + 1) if other not in holders)
    return document._replace(paper=replace(document.paper, id=unique))


def _other_ids(paper_id: str, file: str, number: int) -> Iterator[str]:
    """With one folder before it, with two, …, and at last with its number in the corpus."""
    folders = [part for part in re.split(r"[/\\]", file)[:-1] if part not in ("", ".", "..")][-MAX_FOLDERS:]
    for outermost in reversed(range(len(folders))):
        yield "/".join([*folders[outermost:], paper_id])
    yield from (f"{paper_id}-{free}" for free in count(number))


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

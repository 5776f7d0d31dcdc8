"""Our columnar store: one row a paper, its tree as a flat list of units in reading order with their depths.

Readable by DuckDB, Polars and Spark; streamed row group by row group.
"""

import io
import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from futex.corpus.document import Document
from futex.corpus.paper import MAX_DEPTH, Paper, Unit
from futex.corpus.sources import Source
from futex.errors import InputError

NAME = "parquet"
ROWS_PER_GROUP = 256
ROWS_READ = 4
"""At once: a text that is stored once may stand in every row."""
MAX_BYTES = MAX_BYTES_READ = 256 * 2**20
MAX_UNITS = 1_000_000
"""Of a paper; a book has some ten thousand paragraphs."""

SCHEMA = pa.schema(
    [
        pa.field("id", pa.string(), nullable=False),
        pa.field("title", pa.string()),
        pa.field("abstract", pa.string()),
        pa.field(
            "units",
            pa.list_(pa.struct([("depth", pa.int16()), ("heading", pa.string()), ("text", pa.string())])),
        ),
        pa.field("references", pa.list_(pa.string())),
        pa.field("metadata", pa.string()),
    ]
)


def recognises(head: bytes, name: str = "") -> bool:
    return head.startswith(b"PAR1")


def read(source: Source) -> Iterator[Document]:
    name = source.name
    try:
        with pq.ParquetFile(source.path or _in_memory(source)) as file:
            if missing := {field.name for field in SCHEMA} - set(file.schema_arrow.names):
                raise InputError(f"{name}: not a FuTex store, columns are missing: {', '.join(sorted(missing))}")
            for batch in file.iter_batches(batch_size=ROWS_READ, columns=SCHEMA.names):
                if batch.nbytes > MAX_BYTES_READ or len(batch["units"].flatten()) > MAX_UNITS:
                    raise InputError(f"{name}: papers longer than any book, or millions of paragraphs; split them")
                for row in batch.cast(SCHEMA).to_pylist():
                    yield Document(_paper(row, name))
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(f"{name}: not a readable Parquet file ({error})") from error


def _in_memory(source: Source) -> io.BytesIO:
    """Parquet is read from its end, so what comes out of an archive or a pipe must be held."""
    content = source.stream.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise InputError(f"{source.name}: longer than {MAX_BYTES >> 20} MiB; unpack it and give the file itself")
    return io.BytesIO(content)


def write(papers: Iterable[Paper], path: Path) -> None:
    remaining = iter(papers)
    with pq.ParquetWriter(path, SCHEMA, compression="zstd") as writer:
        while rows := [_row(paper) for paper in islice(remaining, ROWS_PER_GROUP)]:
            writer.write_table(pa.Table.from_pylist(rows, schema=SCHEMA))


def _row(paper: Paper) -> dict[str, Any]:
    return {
        "id": paper.id,
        "title": paper.title,
        "abstract": paper.abstract,
        "units": list(_flat(paper.body.children, depth=1)),
        "references": list(paper.references),
        "metadata": json.dumps(dict(paper.metadata), ensure_ascii=False),
    }


def _flat(units: Iterable[Unit], depth: int) -> Iterator[dict[str, Any]]:
    for unit in units:
        yield {"depth": depth, "heading": unit.heading, "text": unit.text}
        yield from _flat(unit.children, depth + 1)


def _paper(row: Mapping[str, Any], name: str) -> Paper:
    if not row["id"]:
        raise InputError(f'{name}: a row has no "id"')
    return Paper(
        id=row["id"],
        title=row["title"] or "",
        abstract=row["abstract"] or "",
        body=_tree(row["units"] or [], f"{name}, paper {row['id']}"),
        references=tuple(row["references"] or ()),
        metadata=json.loads(row["metadata"] or "{}"),
    )


def _tree(units: list[dict[str, Any]], where: str) -> Unit:
    """Rebuild the tree from (depth, unit) pairs: a unit's children are the deeper ones that follow it."""
    open_units: list[tuple[dict[str, Any], list[Unit]]] = [({"heading": "", "text": ""}, [])]

    def close_down_to(depth: int) -> None:
        while len(open_units) > depth:
            unit, children = open_units.pop()
            open_units[-1][1].append(Unit(unit["heading"] or "", unit["text"] or "", tuple(children)))

    for unit in units:
        if not 1 <= (unit["depth"] or 0) <= min(len(open_units), MAX_DEPTH + 1):
            raise InputError(f"{where}: unit depths do not make a tree")
        close_down_to(unit["depth"])
        open_units.append((unit, []))
    close_down_to(1)
    return Unit(children=tuple(open_units[0][1]))

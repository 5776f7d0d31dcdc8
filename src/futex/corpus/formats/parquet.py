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
import pyarrow.compute as pc
import pyarrow.parquet as pq

from futex.corpus.document import Document
from futex.corpus.formats.jsonl import OWN_FIELDS
from futex.corpus.json_records import json_object
from futex.corpus.paper import MAX_DEPTH, MAX_UNITS, Paper, Unit
from futex.corpus.sources import Source
from futex.errors import InputError

NAME = "parquet"
ROWS_PER_GROUP = 256
ROWS_READ = 4
MAX_BYTES = MAX_BYTES_READ = 256 * 2**20

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
        place = source.path if _is_uncompressed(source) else _in_memory(source)
        with pq.ParquetFile(place) as file:
            _check_columns(file.schema_arrow, name)
            leaves = [file.schema.column(i) for i in range(len(file.schema))]
        texts = [leaf.path for leaf in leaves if leaf.physical_type == "BYTE_ARRAY"]
        with pq.ParquetFile(place, read_dictionary=texts) as file:
            for batch in file.iter_batches(batch_size=ROWS_READ, columns=SCHEMA.names):
                if sum(map(_size, batch.columns)) > MAX_BYTES_READ:
                    raise InputError(f"{name}: papers longer than any book; split them")
                for row in _rows(batch.cast(SCHEMA), name):
                    yield Document(_paper(row, name))
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(f"{name}: not a readable Parquet file ({error})") from error


def _is_uncompressed(source: Source) -> bool:
    if source.path is None:
        return False
    with source.path.open("rb") as file:
        return recognises(file.read(4))


def _check_columns(found: pa.Schema, name: str) -> None:
    if missing := set(SCHEMA.names) - set(found.names):
        raise InputError(f"{name}: not a FuTex store, columns are missing: {', '.join(sorted(missing))}")
    for field in SCHEMA:
        columns = found.get_all_field_indices(field.name)
        if len(columns) > 1 or not _is_like(found.field(columns[0]).type, field.type):
            raise InputError(f"{name}: not a FuTex store, its column {field.name} must be one of {field.type}")


def _is_like(found: pa.DataType, wanted: pa.DataType) -> bool:
    """Whether values can be cast: other programs write longer lists, texts and numbers, and may not know the type of
    what is always empty."""
    types = pa.types
    if types.is_null(found) or found == wanted:
        return True
    if types.is_list(wanted):
        return (types.is_list(found) or types.is_large_list(found)) and _is_like(found.value_type, wanted.value_type)
    if types.is_struct(wanted):
        fields = [wanted.field(i) for i in range(wanted.num_fields)]
        return (
            types.is_struct(found)
            and [found.field(i).name for i in range(found.num_fields)] == [field.name for field in fields]
            and all(_is_like(found.field(field.name).type, field.type) for field in fields)
        )
    if types.is_integer(wanted):
        return bool(types.is_integer(found))
    return any(is_text(found) for is_text in (types.is_large_string, types.is_string_view, types.is_dictionary))


def _size(values: pa.Array) -> int:
    """Bytes, once every text stands in each of its places: a list of a million may hold the same one."""
    types = pa.types
    if types.is_dictionary(values.type):
        return pc.sum(pc.binary_length(values.dictionary).take(values.indices)).as_py() or 0
    if types.is_struct(values.type):
        return sum(map(_size, values.flatten()))
    if types.is_list(values.type) or types.is_large_list(values.type):
        return _size(values.flatten())
    return int(values.nbytes)


def _rows(batch: pa.RecordBatch, name: str) -> Iterator[Mapping[str, Any]]:
    """One at a time: the values of a paper of a million units fill some hundred MiB."""
    for number, units in enumerate(pc.list_value_length(batch["units"]).to_pylist()):
        if units is not None and units > MAX_UNITS:
            raise InputError(
                f"{name}, paper {batch['id'][number]}: more than {MAX_UNITS:,} sections and paragraphs; split it"
            )
        yield from batch.slice(number, 1).to_pylist()


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
    where = f"{name}, paper {row['id']}"
    return Paper(
        id=row["id"],
        title=row["title"] or "",
        abstract=row["abstract"] or "",
        body=_tree(row["units"] or [], where),
        references=tuple(filter(None, row["references"] or ())),
        metadata=_metadata(row["metadata"] or "{}", where),
    )


def _metadata(written: str, where: str) -> dict[str, Any]:
    try:
        metadata = json_object(written.encode(), where)
    except InputError:
        raise InputError(f"{where}: its metadata is no JSON object; write the store again") from None
    return {key: value for key, value in metadata.items() if key not in OWN_FIELDS}


def _tree(units: list[dict[str, Any] | None], where: str) -> Unit:
    """Rebuild the tree from (depth, unit) pairs: a unit's children are the deeper ones that follow it."""
    open_units: list[tuple[dict[str, Any], list[Unit]]] = [({"heading": "", "text": ""}, [])]

    def close_down_to(depth: int) -> None:
        while len(open_units) > depth:
            unit, children = open_units.pop()
            open_units[-1][1].append(Unit(unit["heading"] or "", unit["text"] or "", tuple(children)))

    for unit in units:
        if unit is None or not 1 <= (unit["depth"] or 0) <= min(len(open_units), MAX_DEPTH + 1):
            raise InputError(f"{where}: unit depths do not make a tree")
        close_down_to(unit["depth"])
        open_units.append((unit, []))
    close_down_to(1)
    return Unit(children=tuple(open_units[0][1]))

"""The same table in Parquet. It is written in groups of rows, but can be read only when it is complete."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from futex.evaluation.predictions import Prediction
from futex.files import growing
from futex.results.lines import Write
from futex.results.rows import Row, rows

GROUP = 50_000

SCHEMA = pa.schema(
    [
        ("paper", pa.string()),
        ("rank", pa.int32()),
        ("label", pa.string()),
        ("name", pa.string()),
        ("score", pa.float64()),
        ("source", pa.string()),
        ("applies", pa.bool_()),
    ]
)


@contextmanager
def writing(path: Path) -> Iterator[Write]:
    with growing(path) as part, pq.ParquetWriter(part, SCHEMA, compression="zstd") as table:
        waiting: list[Row] = []

        def write(prediction: Prediction) -> None:
            waiting.extend(rows(prediction))
            if len(waiting) >= GROUP:
                write_group()

        def write_group() -> None:
            table.write_table(pa.Table.from_pylist([row._asdict() for row in waiting], SCHEMA))
            waiting.clear()

        yield write
        write_group()

"""What was found in the papers of a shard, as a Parquet table: a row a paper."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from futex.naming.counts import Counts
from futex.pipeline import Finding
from futex.ranking import Ranking
from futex.self_training.tfidf import WordCounts

_ID = pa.field("paper", pa.string(), nullable=False)

NAMES = pa.schema([_ID, *((column, pa.list_(pa.int32())) for column in Counts._fields)])
"""Of a recipe that scores names: labels by their position in the label space."""

CANDIDATES = pa.schema(
    [
        _ID,
        ("labels", pa.list_(pa.string())),
        ("scores", pa.list_(pa.float64())),
        ("words", pa.list_(pa.string())),
        ("counts", pa.list_(pa.int32())),
    ]
)
"""Of a recipe with modules: the initial ranking, and the words of the full text where self-training wants them."""


class Found(NamedTuple):
    paper: str
    finding: Finding
    words: WordCounts


NO_WORDS = WordCounts((), np.empty(0, np.int32))


def write_findings(found: Sequence[Found], path: Path) -> None:
    by_names = bool(found) and isinstance(found[0].finding, Counts)
    table = pa.Table.from_pylist([_row(*one) for one in found], NAMES if by_names else CANDIDATES)
    pq.write_table(table, path, compression="zstd")


def _row(paper: str, finding: Finding, words: WordCounts) -> dict[str, Any]:
    if isinstance(finding, Counts):
        return {"paper": paper, **finding._asdict()}
    own = {"labels": finding.labels, "scores": finding.scores}
    return {"paper": paper, **own, "words": words.words, "counts": words.counts}


def read_findings(content: bytes) -> Iterator[Found]:
    table = pq.read_table(pa.BufferReader(content))
    by_names = table.schema.names == NAMES.names
    for row in table.to_pylist():
        if by_names:
            yield Found(row["paper"], Counts.of(row[column] for column in Counts._fields), NO_WORDS)
        else:
            words = WordCounts(row["words"], np.array(row["counts"], np.int32))
            yield Found(row["paper"], Ranking(tuple(row["labels"]), tuple(row["scores"])), words)

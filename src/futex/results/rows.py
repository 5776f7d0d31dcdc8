"""Predictions as rows of a table, a row for each label of each paper."""

from collections.abc import Iterator
from typing import NamedTuple

from futex.evaluation.predictions import Prediction


class Row(NamedTuple):
    paper: str
    rank: int
    label: str
    name: str
    score: float
    source: str


def rows(prediction: Prediction) -> Iterator[Row]:
    for rank, label in enumerate(prediction["labels"], start=1):
        yield Row(prediction["paper"], rank, label["id"], label["name"], label["score"], label["source"])

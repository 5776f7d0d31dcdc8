"""Predictions as rows of a table, a row for each label of each paper."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from futex.evaluation.predictions import Prediction


class Row(NamedTuple):
    paper: str
    rank: int
    label: str
    name: str
    score: float
    source: str
    applies: bool | None
    """None where nobody can say."""


def rows(prediction: Prediction) -> Iterator[Row]:
    for rank, label in enumerate(prediction["labels"], start=1):
        row = Row(prediction["paper"], rank, label["id"], label["name"], label["score"], label["source"], None)
        yield row._replace(applies=label["applies"]) if isinstance(label.get("applies"), bool) else row


def chosen(prediction: Prediction) -> list[dict[str, Any]]:
    """The labels for a format that cannot say whether they apply: all but those that do not."""
    return [label for label in prediction["labels"] if label.get("applies") is not False]

"""Predictions of a run read back."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from futex.corpus.json_records import json_lines, text_field
from futex.corpus.streams import open_binary
from futex.errors import InputError
from futex.ranking import Ranking

Prediction = dict[str, Any]
"""{"paper": id, "labels": [{"id", "name", "score", "applies", "source", "evidence"}, …]}, best first."""

LARGEST = 1e300


def predictions_in(path: Path) -> Iterator[Prediction]:
    """One at a time, each with a paper and with labels that have an id and a score."""
    seen: set[str] = set()
    with open_binary(path) as stream:
        for number, record in json_lines(stream, str(path)):
            prediction = _checked(record, f"{path}, line {number}")
            if prediction["paper"] in seen:
                raise InputError(f"{path}, line {number}: paper {prediction['paper']!r} stands here twice")
            seen.add(prediction["paper"])
            yield prediction
    if not seen:
        raise InputError(f"{path}: no predictions in it")


def read_predictions(path: Path) -> dict[str, Ranking]:
    """The ranking of each paper id."""
    return read_rankings_and_applying(path)[0]


def read_rankings_and_applying(path: Path) -> tuple[dict[str, Ranking], dict[str, list[str]] | None]:
    """Also the labels of each paper that are said to apply; None if the run says nothing about it."""
    rankings: dict[str, Ranking] = {}
    applying: dict[str, list[str]] = {}
    for prediction in predictions_in(path):
        paper, labels = prediction["paper"], prediction["labels"]
        rankings[paper] = Ranking(tuple(label["id"] for label in labels), tuple(label["score"] for label in labels))
        applying[paper] = [label["id"] for label in labels if label.get("applies") is True]
    return rankings, applying if any(applying.values()) else None


def _checked(record: dict[str, Any], where: str) -> Prediction:
    paper, labels = text_field(record, "paper", where), record.get("labels")
    if not paper or not isinstance(labels, list) or not all(isinstance(label, dict) for label in labels):
        raise InputError(f'{where}: not a prediction; it needs "paper" and "labels": [{{"id", "score"}}, …]')
    return {"paper": paper, "labels": [_checked_label(label, where) for label in labels]}


def _checked_label(label: dict[str, Any], where: str) -> dict[str, Any]:
    score = label.get("score", 0.0)
    if not isinstance(score, int | float) or not -LARGEST < score < LARGEST:
        raise InputError(f"{where}: a score must be a number, not {str(score)[:40]!r}")
    texts = {key: text_field(label, key, where) for key in ("id", "name", "source")}
    if not texts["id"]:
        raise InputError(f'{where}: a label without an "id"')
    return {**label, **texts, "score": float(score)}

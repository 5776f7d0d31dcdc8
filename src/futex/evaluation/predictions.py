"""Predictions of a run read back for evaluation."""

from pathlib import Path

from futex.corpus.formats.jsonl import json_lines, text_field
from futex.corpus.streams import open_binary
from futex.errors import InputError
from futex.ranking import Ranking


def read_predictions(path: Path) -> dict[str, Ranking]:
    """Paper id → ranking, from lines {"paper": id, "labels": [{"id", "score", ...}, ...]}, best first."""
    rankings: dict[str, Ranking] = {}
    with open_binary(path) as stream:
        for number, record in json_lines(stream, str(path)):
            where = f"{path}, line {number}"
            paper = text_field(record, "paper", where)
            labels = record.get("labels")
            if not paper or not isinstance(labels, list) or not all(isinstance(label, dict) for label in labels):
                raise InputError(f'{where}: not a prediction; it needs "paper" and "labels": [{{"id", "score"}}, …]')
            if paper in rankings:
                raise InputError(f"{where}: paper {paper!r} stands here twice")
            scores = [label.get("score", 0.0) for label in labels]
            rankings[paper] = Ranking(tuple(text_field(label, "id", where) for label in labels), tuple(scores))
    if not rankings:
        raise InputError(f"{path}: no predictions in it")
    return rankings

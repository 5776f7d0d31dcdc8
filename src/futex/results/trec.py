"""TREC run and qrels files, as trec_eval and ir_measures read them: papers are the queries, labels the documents."""

from contextlib import AbstractContextManager
from pathlib import Path

import numpy as np

from futex.evaluation.gold import Gold
from futex.evaluation.predictions import Prediction
from futex.files import replacing
from futex.results.lines import Write, unbroken, writing_lines

TAG = "futex"


def writing(path: Path) -> AbstractContextManager[Write]:
    return writing_lines(path, run_lines)


def run_lines(prediction: Prediction) -> str:
    """Lines "paper Q0 label rank score tag".

    The evaluators go by the score alone, in single precision, and order ties as they like. With us the order is
    primary, so each score is put below the one before it, by as little as that takes.
    """
    lines = []
    below = np.float32(np.inf)
    for rank, label in enumerate(prediction["labels"], start=1):
        with np.errstate(over="ignore"):
            below = min(np.float32(label["score"]), np.nextafter(below, np.float32(-np.inf)))
        lines.append(f"{unbroken(prediction['paper'])} Q0 {unbroken(label['id'])} {rank} {below} {TAG}\n")
    return "".join(lines)


def write_qrels(gold: Gold, path: Path) -> None:
    """Lines "paper 0 label 1"."""
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as out:
        for paper, labels in gold.items():
            out.writelines(f"{unbroken(paper)} 0 {unbroken(label)} 1\n" for label in sorted(labels))

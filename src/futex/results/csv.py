"""A comma-separated table with a header."""

import csv
import io
from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path

from futex.evaluation.predictions import Prediction
from futex.results.lines import Write, writing_lines
from futex.results.rows import Row, rows


def writing(path: Path) -> AbstractContextManager[Write]:
    return writing_lines(path, csv_lines, header=_written([Row._fields]))


def csv_lines(prediction: Prediction) -> str:
    return _written(rows(prediction))


def _written(lines: Iterable[Iterable[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()

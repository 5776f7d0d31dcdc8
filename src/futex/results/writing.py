"""Predictions written in several formats at once, each paper as soon as its labels are known.

A file has ".part" behind its name until it is complete. What is in the part may be read and followed (`tail -f`), and
stays if the run is killed; a file without ".part" is whole. (A Parquet part is not readable before its end.)
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from pathlib import Path
from typing import NamedTuple

from futex.errors import InputError
from futex.evaluation.predictions import Prediction
from futex.files import check_file, check_folder
from futex.results import annif, csv, jsonl, parquet, rdf, trec
from futex.results.lines import Write


class Format(NamedTuple):
    suffix: str
    writing: Callable[[Path], AbstractContextManager[Write]]
    check: Callable[[Path], None] = check_file
    """Refuses a place that cannot be written to."""


FORMATS = {
    "jsonl": Format(".jsonl", jsonl.writing),
    "trec": Format(".trec", trec.writing),
    "csv": Format(".csv", csv.writing),
    "parquet": Format(".parquet", parquet.writing),
    "rdf": Format(".nt", rdf.writing),
    "annif": Format(
        ".annif", partial(annif.writing, suffix=".tsv", as_text=annif.tsv_lines), partial(check_folder, suffix=".tsv")
    ),
    "annif-key": Format(
        ".annif-key",
        partial(annif.writing, suffix=".key", as_text=annif.key_lines),
        partial(check_folder, suffix=".key"),
    ),
}


def format_named(name: str) -> Format:
    if name not in FORMATS:
        known = ", ".join(FORMATS)
        raise InputError(f"cannot write predictions as {name!r}: choose one of {known} (futex export: or qrels)")
    return FORMATS[name]


def write_predictions(predictions: Iterable[Prediction], paths: Mapping[str, Path]) -> None:
    """Each prediction to the path of each format; the first of them is complete last."""
    with ExitStack() as files:
        # "." has no name that a part could be called after
        writers = [files.enter_context(format_named(name).writing(path.absolute())) for name, path in paths.items()]
        for prediction in predictions:
            for write in writers:
                write(prediction)

"""futex eval and futex export"""

import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from futex.cli.app import app
from futex.cli.options import ONLY_APPLYING, RESULT_FORMATS
from futex.errors import InputError, ModelError
from futex.evaluation.gold import Gold
from futex.evaluation.metrics import evaluate
from futex.evaluation.predictions import predictions_in, read_rankings_and_applying
from futex.json_files import read_object
from futex.labels.store import read_labels


@app.command("eval")
def evaluate_command(
    predictions: Annotated[
        Path, typer.Argument(metavar="DIR_OR_PREDICTIONS", help="The folder of a run, or a predictions.jsonl.")
    ],
    gold: Annotated[Path, typer.Option("--gold", help='JSONL with lines {"id": paper, "labels": [label ids]}.')],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object with all metrics.")] = False,
    ignore_unknown: Annotated[
        bool,
        typer.Option(
            "--ignore-unknown",
            help="Gold may name papers that have no prediction and labels that are not in the label space.",
        ),
    ] = False,
) -> None:
    """Measure predictions against gold labels: P@k, NDCG@k, R@k, PSP@k, PSN@k with 95 % bootstrap intervals.

    Where the run says which labels apply, also precision, recall and F1 of these, each the mean over papers.

    Papers without any predicted label count 0. PSP and PSN are normalised by the best attainable value, as the paper's
    numbers are; rawPSP and rawPSN are its formulas as printed.
    """
    from futex import terminal
    from futex.evaluation.bootstrap import confidence
    from futex.evaluation.cut_off import evaluate_cut_off
    from futex.runs.output import CONFIG
    from futex.sharded.folder import MODEL

    folder = predictions if predictions.is_dir() else predictions.parent
    rankings, applying = read_rankings_and_applying(_file_of(predictions))
    truth = Gold.read(gold)
    if not ignore_unknown:
        space = folder / MODEL / "labels.jsonl"
        truth.check(
            papers=None if _limit(folder / CONFIG) else rankings.keys(),
            labels=read_labels(space, "jsonl").keys() if space.exists() else None,
        )
    evaluation = evaluate(rankings, truth)
    intervals = confidence(evaluation)
    cut_off = evaluate_cut_off(applying, truth) if applying else None
    if as_json:
        of_cut_off = {"cut-off": cut_off._asdict()} if cut_off else {}
        print(json.dumps({**evaluation.as_dict(), **of_cut_off, "intervals": intervals}))
    else:
        terminal.show_evaluation(evaluation, intervals, cut_off)


def _file_of(predictions: Path) -> Path:
    """Those of a run that was killed are not there yet."""
    from futex.sharded.folder import MANIFEST, PREDICTIONS

    if not predictions.is_dir():
        return predictions
    file = predictions / PREDICTIONS
    if not file.exists() and (predictions / MANIFEST).exists():
        raise InputError(f"the run in {predictions} is not finished: start it again with the same words")
    return file


def _limit(config: Path) -> object:
    """Of the run beside the predictions; a config.json that is none of ours says nothing."""
    try:
        return read_object(config).get("limit")
    except ModelError:
        return None


@app.command()
def export(
    source: Annotated[
        Path, typer.Argument(metavar="SOURCE", help="The folder of a run, or a predictions.jsonl; for qrels, gold.")
    ],
    out: Annotated[
        Path, typer.Option("--out", help="Where to write; `-` is stdout. For annif and annif-key a folder.")
    ],
    format: Annotated[str, typer.Option("--as", help=f"{RESULT_FORMATS}, jsonl, or qrels (of gold).{ONLY_APPLYING}")],
) -> None:
    """Write the predictions of a run, or gold, in a format that other tools read."""
    from futex.results.trec import write_qrels
    from futex.results.writing import write_predictions

    with _place(out) as place:
        if format == "qrels":
            write_qrels(Gold.read(source), place)
        else:
            write_predictions(predictions_in(_file_of(source)), {format: place})


@contextmanager
def _place(out: Path) -> Iterator[Path]:
    """Where to write; what is for standard output goes there once it is whole."""
    if out != Path("-"):
        yield out
        return
    with TemporaryDirectory(prefix="futex-") as folder:
        place = Path(folder, "stdout")
        yield place
        if place.is_dir():
            raise InputError("this format is a folder of files: give its name with --out")
        with place.open("rb") as written:
            shutil.copyfileobj(written, sys.stdout.buffer)

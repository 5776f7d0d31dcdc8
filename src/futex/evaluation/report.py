"""An evaluation as people read it."""

from collections.abc import Mapping

from rich import box
from rich.table import Table

from futex.evaluation.bootstrap import LEVEL
from futex.evaluation.cut_off import CutOff
from futex.evaluation.metrics import Evaluation


def table(evaluation: Evaluation, intervals: Mapping[str, tuple[float, float]]) -> Table:
    """One line a metric: its mean and its interval."""
    lines = Table(title=f"{evaluation.papers:,} papers", title_justify="left", box=box.SIMPLE_HEAD)
    lines.add_column("metric")
    lines.add_column("mean", justify="right")
    lines.add_column(f"{LEVEL:.0%} interval", justify="right")
    for metric in evaluation.metrics:
        low, high = intervals[metric]
        lines.add_row(metric, f"{evaluation.mean(metric):.4f}", f"{low:.4f} – {high:.4f}")
    return lines


def line(cut_off: CutOff) -> str:
    """What the labels above the cut-off of each paper are worth."""
    low, high = cut_off.f1_interval
    return (
        f"Labels that apply: {cut_off.labels:.1f} a paper, precision {cut_off.precision:.4f}, "
        f"recall {cut_off.recall:.4f}, F1 {cut_off.f1:.4f} ({low:.4f} – {high:.4f})"
    )

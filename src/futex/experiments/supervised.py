"""Figure 5: how many gold training papers FuTex is worth."""

import logging
from collections.abc import Mapping, Sequence

from futex.experiments.jobs import PARABEL, held_out, training_ids
from futex.experiments.lab import Lab
from futex.experiments.panels import series_of
from futex.experiments.plans import Plan
from futex.experiments.results import Cell, Group, Panel, Result, Row, Table
from futex.experiments.scores import Scores
from futex.experiments.units import NotRun

log = logging.getLogger(__name__)


def grow(plan: Plan, lab: Lab) -> Result:
    """Parabel on growing training sets, and FuTex without one, on papers that no training set touches."""
    metrics: list[str] = plan["metrics"]
    test = held_out(lab.corpus, plan["test_share"])
    points: dict[int, Scores] = {}
    rows, notes = [], [f"{len(test):,} papers are ranked; none of them is ever trained on."]
    for size in _sizes(plan["sizes"], training_ids(lab.corpus, test)):
        log.info("%s: Parabel on %d papers", plan.name, size)
        try:
            points[size] = lab.scores(PARABEL, training=size, test_share=plan["test_share"])
        except NotRun as reason:
            rows.append(Row(f"Parabel, {size:,} papers", tuple(Cell() for _ in metrics), missing=f"not run: {reason}"))
            continue
        rows.append(_row(f"Parabel, {size:,} papers", points[size], metrics))
    seconds = sum(scores.seconds for scores in points.values())
    ours: Scores | None = None
    try:
        ours = lab.scores("futex", papers=test)
        rows.append(_row("FuTex, no gold", ours, metrics))
        seconds += ours.seconds
        notes += [crossing(metric, _means(points, metric), ours.mean(metric)) for metric in metrics]
    except NotRun as reason:
        rows.append(Row("FuTex, no gold", tuple(Cell() for _ in metrics), missing=f"not run: {reason}"))
    table = Table("method", tuple(metrics), (Group(lab.corpus.name, len(metrics)),), tuple(rows))
    panels = tuple(_panel(metric, points, ours) for metric in plan["plotted"])
    return Result(plan.name, plan.title, plan.caption, table, panels, (*notes, plan["published"]), seconds)


def crossing(metric: str, supervised: Mapping[int, float], ours: float) -> str:
    """Where the line of the supervised method passes ours."""
    sizes = sorted(supervised)
    above = next((size for size in sizes if supervised[size] >= ours), None)
    if not sizes:
        return f"{metric}: Parabel was not run."
    if above is None:
        return f"{metric}: up to {sizes[-1]:,} training papers Parabel stays below FuTex."
    if above == sizes[0]:
        return f"{metric}: Parabel is above FuTex from {above:,} training papers on, the fewest that were tried."
    below = sizes[sizes.index(above) - 1]
    return f"{metric}: FuTex is worth between {below:,} and {above:,} gold training papers of Parabel."


def _sizes(wanted: Sequence[int], available: Sequence[str]) -> list[int]:
    """Those there are enough papers for, and all of them."""
    return sorted({size for size in wanted if size < len(available)} | {min(len(available), max(wanted))})


def _means(points: Mapping[int, Scores], metric: str) -> dict[int, float]:
    return {size: scores.mean(metric) for size, scores in points.items()}


def _row(head: str, scores: Scores, metrics: Sequence[str]) -> Row:
    return Row(head, tuple(scores.cell(metric) for metric in metrics), remark=scores.remark)


def _panel(metric: str, points: Mapping[int, Scores], ours: Scores | None) -> Panel:
    sizes = tuple(float(size) for size in points)
    cells = [scores.cell(metric) for scores in points.values()]
    series = [series_of("Parabel, supervised", sizes, cells)]
    if ours is not None and sizes:
        ends = (min(sizes), max(sizes))
        series.append(series_of("FuTex, no gold", ends, [ours.cell(metric)] * 2))
    return Panel("lines", "gold training papers", metric, tuple(series), log_x=True)

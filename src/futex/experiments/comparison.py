"""Tables 2, 3, 5 and 6, figures 1 and 7: systems side by side, with significance and the paper's own values."""

import logging
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from futex.experiments.lab import Lab
from futex.experiments.panels import dots, lines
from futex.experiments.plans import Plan, System, systems
from futex.experiments.results import Cell, Group, Result, Row, Table
from futex.experiments.scores import Scores, mark
from futex.experiments.units import NotRun
from futex.ranking import Ranking

log = logging.getLogger(__name__)

MARKS = (
    "*, **: FuTex is significantly better than this method (p < 0.05, p < 0.01). †, ‡: it is significantly worse. "
    "Two-tailed t-test over seeds if the method has randomness, two-tailed Z-test if not; no test with one seed. "
    "The tests weigh the luck of seeds, the intervals (95 %, bootstrap over papers) the choice of papers."
)


SAME_SCORE = 1e-9
"""Within which two scores are one, summed in another order."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A row as far as it came: scores, or why there are none."""

    system: System
    scores: Scores | None = None
    reason: str = ""


def compare(plan: Plan, lab: Lab) -> Result:
    metrics: list[str] = plan["metrics"]
    measured = list(_measure(plan, lab))
    against, than = plan.wants.get("against"), plan.wants.get("better_than")
    ours = next((one.scores for one in measured if one.system.method == against), None)
    published = list(dict.fromkeys(name for one in measured for name in one.system.published))
    rows = [_row(one, ours, metrics, published) for one in measured]
    groups = tuple(Group(title, len(metrics)) for title in (lab.corpus.name, *map(_in_the_paper, published)))
    apart = [number for number, one in enumerate(measured) if one.scores and one.scores.only_on]
    table = Table(plan["head"], tuple(metrics) * len(groups), groups, with_best(rows, apart, len(metrics)))
    if than:
        table = with_differences(table, measured, than, plan["differences"])
    draw = lines if plan["plot"] == "lines" else dots
    return Result(
        plan.name,
        plan.title,
        plan.caption,
        table,
        tuple(draw(table, plan["plotted"])),
        (f"{len(lab.corpus.papers):,} papers.", *([MARKS] if against else [])),
        sum(one.scores.seconds for one in measured if one.scores),
    )


def _in_the_paper(corpus: str) -> str:
    return f"{corpus} (paper)"


def _measure(plan: Plan, lab: Lab) -> Iterator[Measured]:
    shown: list[tuple[System, Mapping[str, Ranking]]] = []
    wanted = list(systems(plan))
    for number, system in enumerate(wanted, start=1):
        log.info("%s: row %d of %d, %s", plan.name, number, len(wanted), system.title)
        try:
            scores = lab.scores(system.method, **system.settings)
        except NotRun as reason:
            yield Measured(system, reason=f"not run: {reason}")
            continue
        rankings = {} if scores.is_random else lab.outcome(system.method, **system.settings).rankings
        same = next((other.title for other, found in shown if found and found == rankings), None)
        shown.append((system, rankings))
        if same is None:
            yield Measured(system, scores)
        else:
            yield Measured(system, reason=f"with this PLM it is the same as {same}")


def _row(one: Measured, ours: Scores | None, metrics: Sequence[str], published: Sequence[str]) -> Row:
    system, scores = one.system, one.scores
    if scores is None:
        cells = [Cell() for _ in metrics]
    elif ours is None or scores is ours:
        cells = [scores.cell(metric) for metric in metrics]
    else:
        cells = [scores.cell(metric, mark(ours, scores, metric)) for metric in metrics]
    for name in published:
        cells += map(published_cell, system.published.get(name, [""] * len(metrics)))
    remarks = (scores.remark, system.adapted) if scores else ()
    return Row(system.title, tuple(cells), system.block, "; ".join(filter(None, remarks)), one.reason)


def published_cell(text: str) -> Cell:
    """As the paper prints it: "0.6825**", "96,718"."""
    number = re.match(r"\d[\d,]*(?:\.\d+)?", text)
    if number is None:
        return Cell()
    digits = len(number[0].partition(".")[2])
    return Cell(float(number[0].replace(",", "")), mark=text[number.end() :], digits=digits)


def with_best(rows: Sequence[Row], apart: Collection[int] = (), own: int = 0) -> tuple[Row, ...]:
    """The highest value of each column is marked as the best.

    In the first `own` columns, rows `apart`, which are on other papers, take no part.
    """

    def takes_part(row: int, column: int) -> bool:
        return rows[row].cells[column].value is not None and (column >= own or row not in apart)

    def best(column: int) -> float:
        numbers = (row.cells[column].number for i, row in enumerate(rows) if takes_part(i, column))
        return max(numbers, default=math.inf) - SAME_SCORE

    bounds = [best(column) for column in range(len(rows[0].cells))]
    return tuple(
        replace(
            row,
            cells=tuple(
                replace(cell, best=takes_part(i, column) and cell.number >= bounds[column])
                for column, cell in enumerate(row.cells)
            ),
        )
        for i, row in enumerate(rows)
    )


def with_differences(table: Table, measured: Sequence[Measured], than: str, metrics: Sequence[str]) -> Table:
    """With columns of how much better each row is than the one of that title, paired by paper."""
    base = next((one.scores for one in measured if one.system.title == than), None)
    rows = tuple(
        replace(row, cells=row.cells + tuple(_difference(one.scores, base, metric) for metric in metrics))
        for row, one in zip(table.rows, measured, strict=True)
    )
    columns = tuple(f"Δ {metric}" for metric in metrics)
    group = Group(f"against {than}", len(metrics))
    return Table(table.head, table.columns + columns, (*table.groups, group), rows)


def _difference(scores: Scores | None, base: Scores | None, metric: str) -> Cell:
    if scores is None or base is None or scores is base or not scores.is_over(base):
        return Cell()
    return scores.difference(base, metric)

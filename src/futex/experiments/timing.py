"""Figure 6: how long training and inference take, each method with an empty cache."""

import logging

from futex.experiments.lab import Lab
from futex.experiments.plans import Plan, systems
from futex.experiments.results import Cell, Group, Panel, Result, Row, Series, Table
from futex.experiments.units import NotRun

log = logging.getLogger(__name__)

COLUMNS = ("training, s", "inference, ms/paper")


def measure(plan: Plan, lab: Lab) -> Result:
    """One seed of each; a method that learns nothing has no training time."""
    lab = lab.for_plan(plan)
    papers = len(lab.corpus.papers)
    rows, seconds = [], 0.0
    for system in systems(plan):
        log.info("%s: %s", plan.name, system.title)
        try:
            outcome = lab.outcome(system.method, fresh=True, **system.settings)
        except NotRun as reason:
            rows.append(Row(system.title, (Cell(), Cell()), missing=f"not run: {reason}"))
            continue
        training = Cell(outcome.training_seconds, digits=1) if system.method in plan["training"] else Cell()
        rows.append(Row(system.title, (training, Cell(1000 * outcome.ranking_seconds / papers, digits=1))))
        seconds += outcome.seconds
    table = Table("method", COLUMNS, (Group(lab.corpus.name, len(COLUMNS)),), tuple(rows))
    triples = {lab.profile.triples_for(method) for method in plan["training"]}
    notes = (
        f"{papers:,} papers, one seed, wall clock, nothing in the cache. Fine-tuning on "
        + " or ".join("as many triples as the method chooses" if n is None else f"{n:,} triples" for n in triples)
        + ". Inference includes finding the candidates, for FuTex also self-training.",
    )
    panels = tuple(_panel(table, number) for number in range(len(COLUMNS)))
    return Result(plan.name, plan.title, plan.caption, table, panels, notes, seconds)


def _panel(table: Table, column: int) -> Panel:
    shown = [(row.head, row.cells[column].number) for row in table.rows if row.cells[column].value is not None]
    heads = tuple(head for head, _ in shown)
    return Panel("bars", COLUMNS[column], "", (Series("", heads, tuple(value for _, value in shown)),), heads)

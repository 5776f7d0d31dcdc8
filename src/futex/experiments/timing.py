"""Figure 6: how long training and inference take, each method with an empty cache."""

import logging
from collections.abc import Sequence

from futex.experiments.lab import Lab
from futex.experiments.plans import Plan, Profile, systems
from futex.experiments.results import Cell, Group, Panel, Result, Row, Series, Table
from futex.experiments.units import NotRun

log = logging.getLogger(__name__)

COLUMNS = ("training, s", "inference, ms/paper")


def measure(plan: Plan, lab: Lab) -> Result:
    """One seed of each; a method that learns nothing has no training time."""
    papers = len(lab.corpus.papers)
    triples = _triples(plan["training"], lab.profile)
    rows, seconds = [], 0.0
    for system in systems(plan):
        log.info("%s: %s", plan.name, system.title)
        try:
            outcome = lab.outcome(system.method, fresh=True, triples=triples, **system.settings)
        except NotRun as reason:
            rows.append(Row(system.title, (Cell(), Cell()), missing=f"not run: {reason}"))
            continue
        training = Cell(outcome.training_seconds, digits=1) if system.method in plan["training"] else Cell()
        ranked = len(outcome.rankings)
        remark = f"on {ranked:,} papers only" if ranked != papers else ""
        cells = training, Cell(1000 * outcome.ranking_seconds / ranked, digits=1)
        rows.append(Row(system.title, cells, remark=remark))
        seconds += outcome.seconds
    table = Table("method", COLUMNS, (Group(lab.corpus.name, len(COLUMNS)),), tuple(rows))
    learnt_from = "as many triples as each method chooses" if triples is None else f"{triples:,} triples each"
    notes = (
        f"{papers:,} papers are ranked. One seed, wall clock, nothing in the cache; training on {learnt_from}. "
        "Inference includes finding the candidates, for FuTex also self-training.",
    )
    panels = tuple(_panel(table, number) for number in range(len(COLUMNS)))
    return Result(plan.name, plan.title, plan.caption, table, panels, notes, seconds)


def _triples(methods: Sequence[str], profile: Profile) -> int | None:
    """The same for all, so that the times can be compared."""
    return min((count for method in methods if (count := profile.triples_for(method))), default=None)


def _panel(table: Table, column: int) -> Panel:
    shown = [(row.head, row.cells[column].number) for row in table.rows if row.cells[column].value is not None]
    heads = tuple(head for head, _ in shown)
    return Panel("bars", COLUMNS[column], "", (Series("", heads, tuple(value for _, value in shown)),), heads)

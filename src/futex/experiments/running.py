"""Do experiments one after the other; what each gives goes to the report folder as soon as it is there.

OUT/CORPUS/table2.{md,csv,tex,svg,png,json}   one experiment on one corpus
OUT/CORPUS/units/                             rankings, so that a run that was killed goes on
OUT/index.html                                everything in OUT, of all corpora
"""

import datetime
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from futex.errors import InputError
from futex.experiments import cases, comparison, curve, sizes, supervised, timing
from futex.experiments.corpus import Corpus
from futex.experiments.lab import Lab
from futex.experiments.machine import machine
from futex.experiments.plans import Plan, Profile
from futex.experiments.results import Result
from futex.experiments.units import Units
from futex.experiments.writing.files import read_results, write_page, write_result
from futex.runs.inputs import hash_of
from futex.runs.output import versions

log = logging.getLogger(__name__)

KINDS: Mapping[str, Callable[[Plan, Lab], Result]] = {
    "sizes": sizes.count,
    "comparison": comparison.compare,
    "cases": cases.study,
    "supervised": supervised.grow,
    "timing": timing.measure,
    "curve": curve.trace,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What the user wants done."""

    papers: str
    labels: str
    gold: Path
    out: Path
    cache: Path
    profile: Profile
    plm: str | None = None
    limit: int | None = None
    name: str | None = None
    without: Path | None = None
    shuffled: bool = False
    command: str = ""
    """As it was typed, for the report."""


def run_experiments(plans: Sequence[Plan], order: Order) -> None:
    """Each plan on the corpus, then the page of everything that lies in the folder."""
    if order.out.exists() and not order.out.is_dir():
        raise InputError(f"cannot write to {order.out}: it is no folder; choose another --out")
    read_results(order.out)  # or says now what should not lie there
    corpus = Corpus.read(
        order.papers,
        order.labels,
        order.gold,
        name=order.name,
        limit=order.limit,
        without=order.without,
        shuffled=order.shuffled,
    )
    folder = order.out / corpus.name
    lab = Lab(corpus, Units(folder / "units", order.cache), order.plm, order.profile)
    provenance = _provenance(order, corpus)
    for number, plan in enumerate(plans, start=1):
        log.info("%s on %s (%d of %d)", plan.title, corpus.name, number, len(plans))
        result = KINDS[plan.kind](plan, lab.for_plan(plan, with_links=plan.kind == "timing"))
        caption = f"{result.caption} {_same_plm(order.plm)}" if order.plm and plan.names_systems else result.caption
        cost = f"The rankings took {result.seconds:,.0f} s when they were computed; experiments share them."
        notes = (*result.notes, cost) if result.seconds else result.notes
        write_result(replace(result, caption=caption, provenance=provenance, notes=notes), folder)
        write_page(order.out)


def _same_plm(plm: str) -> str:
    return f"All methods have the PLM {plm!r} here, not the checkpoint that they are named after or published with."


def _provenance(order: Order, corpus: Corpus) -> dict[str, Any]:
    """Everything somebody needs to get the same numbers."""
    return {
        "corpus": corpus.name,
        "command": order.command,
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "papers": len(corpus.papers),
        "limit": order.limit,
        "shuffled": order.shuffled,
        "PLM": order.plm or "published checkpoints",
        "profile": asdict(order.profile),
        "inputs": {
            name: hash_of(str(where))
            for name, where in (("papers", order.papers), ("labels", order.labels), ("gold", order.gold))
        },
        "sha256 of the papers that were ranked": corpus.papers_hash,
        "machine": machine(),
        "versions": versions(),
    }

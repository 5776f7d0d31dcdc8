"""Table 4: papers in which only the full text names a label that FuTex finds.

The papers are not chosen by hand: first come those with the most such labels among FuTex's top 5, then those with the
most true labels there, then the order of ids decides.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from futex.candidates import Matcher, Mention, mentions
from futex.experiments.lab import Lab
from futex.experiments.plans import Plan, systems
from futex.experiments.results import Cell, Group, Panel, Result, Row, Series, Table
from futex.experiments.units import NotRun

TOP = 5
IN_ABSTRACT, IN_TEXT, NOWHERE = "●", "○", "–"
MEANINGS = {IN_ABSTRACT: "named in title or abstract", IN_TEXT: "only in the full text", NOWHERE: "named nowhere"}
TRUE = "✓"

Tops = Mapping[str, Sequence[str]]
"""Paper id → the labels a method ranks highest."""


@dataclass(frozen=True, slots=True)
class Case:
    """A paper, its true labels, and where it first names each label; one that is not in there is named nowhere."""

    paper: str
    title: str
    gold: frozenset[str]
    mentions: Mapping[str, Mention]

    def place(self, label: str) -> str:
        if label not in self.mentions:
            return NOWHERE
        return IN_ABSTRACT if self.mentions[label].paragraph is None else IN_TEXT

    def worth(self, top: Sequence[str]) -> tuple[int, int, str]:
        """The smaller, the earlier it is shown."""
        hits = self.gold.intersection(top)
        return -sum(self.place(label) == IN_TEXT for label in hits), -len(hits), self.paper


def study(plan: Plan, lab: Lab) -> Result:
    """The first system of the plan chooses the papers, of those that all have ranked; the others stand beside it."""
    tops: dict[str, Tops] = {}
    notes, seconds = [], 0.0
    for system in systems(plan):
        try:
            outcome = lab.outcome(system.method, **system.settings)
        except NotRun as reason:
            notes.append(f"{system.title}: not run: {reason}")
            continue
        tops[system.title] = {paper: ranking.labels[:TOP] for paper, ranking in outcome.rankings.items()}
        seconds += outcome.seconds
    cases = [case for case in _cases(lab) if all(case.paper in top for top in tops.values())]
    if any(len(top) < len(lab.corpus.papers) for top in tops.values()):
        notes.append(f"These are of the {len(cases):,} papers with gold that all methods have ranked.")
    first: Tops = next(iter(tops.values()), {})
    chosen = sorted(cases, key=lambda case: case.worth(first.get(case.paper, ())))[: plan["cases"]]
    columns = ("true labels", *(f"{title}, top {TOP}" for title in tops), "where the full text names them")
    rows = [_row(case, [top[case.paper] for top in tops.values()], lab) for case in chosen]
    table = Table("paper", columns, (Group("", len(columns)),), tuple(rows))
    notes.insert(0, "; ".join(f"{sign} {meaning}" for sign, meaning in (MEANINGS | {TRUE: "true label"}).items()) + ".")
    return Result(plan.name, plan.title, plan.caption, table, (_panel(cases, tops),), tuple(notes), seconds)


def _cases(lab: Lab) -> Iterator[Case]:
    matcher = Matcher(lab.corpus.labels)
    for paper in lab.corpus.papers:
        if gold := lab.corpus.gold.get(paper.id):
            found = mentions(paper, matcher, "full")  # in reading order, title and abstract first
            yield Case(paper.id, paper.title or paper.id, gold, {label: places[0] for label, places in found.items()})


def _row(case: Case, tops: Sequence[Sequence[str]], lab: Lab) -> Row:
    labels = lab.corpus.labels

    def shown(label: str) -> str:
        name = labels[label].name if label in labels else label
        return f"{case.place(label)} {name}"

    gold = "; ".join(sorted(map(shown, case.gold)))
    lists = ["; ".join(shown(label) + (f" {TRUE}" if label in case.gold else "") for label in top) for top in tops]
    hidden = [label for label in (tops[0] if tops else ()) if label in case.gold and case.place(label) == IN_TEXT]
    places = "; ".join(_place(case.mentions[label]) for label in hidden)
    return Row(case.title, tuple(Cell(text) for text in (gold, *lists, places)))


def _place(mention: Mention) -> str:
    return f"“{mention.name}” in {' › '.join(mention.where) or 'the text'}"


def _panel(cases: Sequence[Case], tops: Mapping[str, Tops]) -> Panel:
    """True labels a paper has, and those that each method finds, by where the paper names them."""
    sets = {"all true labels": [case.gold for case in cases]} | {
        f"{title}, top {TOP}": [case.gold.intersection(top[case.paper]) for case in cases]
        for title, top in tops.items()
    }
    series = []
    for sign, meaning in MEANINGS.items():
        means = [
            sum(case.place(label) == sign for case, labels in zip(cases, found, strict=True) for label in labels)
            / max(1, len(cases))
            for found in sets.values()
        ]
        series.append(Series(meaning, tuple(sets), tuple(means)))
    return Panel("bars", "true labels a paper", "", tuple(series), tuple(sets))

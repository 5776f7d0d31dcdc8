"""Table 1: how large the corpus is, beside the paper's two."""

from collections import Counter

from futex.corpus.statistics import statistics
from futex.experiments.comparison import published_cell
from futex.experiments.lab import Lab
from futex.experiments.plans import Plan
from futex.experiments.results import Cell, Group, Panel, Result, Row, Series, Table


def count(plan: Plan, lab: Lab) -> Result:
    corpus = lab.corpus
    found = statistics(corpus.papers, label_count=len(corpus.labels), gold=corpus.gold)
    counts = (found.papers, found.labels, found.words_per_paper, found.paragraphs_per_paper, found.labels_per_paper)
    ours = tuple(Cell(float(n or 0), digits=0 if isinstance(n, int) else 2) for n in counts)
    rows = [Row(corpus.name, ours)]
    for name, values in plan["published"].items():
        rows.append(Row(f"{name} (paper)", tuple(map(published_cell, values))))
    columns = ("papers", "labels", "words/paper", "paragraphs/paper", "labels/paper")
    table = Table("corpus", columns, (Group("", len(columns)),), tuple(rows))
    linked = (
        f"{found.labels_used:,} of the labels are used by the gold of these papers. {found.linked_papers:,} papers "
        f"share a reference with another (P→P←P), in {found.linked_pairs:,} pairs; {found.references_per_paper:.0f} "
        f"references a paper; sections up to {found.depth} deep."
    )
    return Result(plan.name, plan.title, plan.caption, table, (_tail(lab),), (linked,))


def _tail(lab: Lab) -> Panel:
    """How many papers each label has, the most frequent first: the long tail of the label space."""
    papers = [paper.id for paper in lab.corpus.papers]
    frequency = Counter(label for paper in papers for label in lab.corpus.gold.get(paper, ()))
    falling = sorted(frequency.values(), reverse=True)
    series = Series(
        lab.corpus.name, tuple(float(rank) for rank in range(1, len(falling) + 1)), tuple(map(float, falling))
    )
    return Panel("lines", "label, the most frequent first", "papers", (series,), log_x=True, log_y=True)

"""How good the labels are that a run says apply, whatever their order.

>>> from futex.evaluation.gold import Gold
>>> measured = evaluate_cut_off({"d1": ["A", "B"], "d2": ["C"]}, Gold({"d1": ["A"], "d2": ["C", "D"]}))
>>> measured.labels, measured.precision, measured.recall, round(measured.f1, 3)
(1.5, 0.75, 0.75, 0.667)
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy as np

from futex.evaluation.bootstrap import interval_of_mean
from futex.evaluation.gold import Gold


class CutOff(NamedTuple):
    """Means over papers that have a gold label."""

    labels: float
    """That apply to a paper."""
    precision: float
    recall: float
    f1: float
    f1_interval: tuple[float, float]


def evaluate_cut_off(applying: Mapping[str, Collection[str]], gold: Gold) -> CutOff | None:
    """None if no paper has gold. A paper of which nothing applies counts 0."""
    papers = sorted(paper for paper in applying if gold.get(paper))
    if not papers:
        return None
    chosen = np.array([len(applying[paper]) for paper in papers])
    true = np.array([len(gold[paper]) for paper in papers])
    both = np.array([len(gold[paper].intersection(applying[paper])) for paper in papers])
    f1 = 2 * both / (chosen + true)
    return CutOff(
        labels=float(chosen.mean()),
        precision=float((both / np.maximum(chosen, 1)).mean()),
        recall=float((both / true).mean()),
        f1=float(f1.mean()),
        f1_interval=interval_of_mean(f1),
    )

"""Ensemble ranking by mean reciprocal rank (§3.2, Eq. 9)."""

from collections.abc import Sequence

from futex.ranking import Ranking


def mrr(rankings: Sequence[Ranking]) -> Ranking:
    """MRR(l|d) = Σ_i 1 / r_i(l|d), over any number of rankings; ties go to the better rank in the first one.

    >>> mrr([Ranking(("A", "B", "C"), (3, 2, 1)), Ranking(("A", "C", "B"), (3, 2, 1))])
    Ranking(labels=('A', 'B', 'C'), scores=(2.0, 0.8333333333333333, 0.8333333333333333))
    """
    scores: dict[str, float] = {}
    for ranking in rankings:
        for position, label in enumerate(ranking.labels, start=1):
            scores[label] = scores.get(label, 0.0) + 1.0 / position
    return Ranking.of(scores)

"""What every stage and every baseline speaks: rankings of labels.

>>> mrr = Ranking.of({"A": 2.0, "B": 1.0, "C": 0.67})
>>> parabel = Ranking.of({"A": 0.80, "B": 0.85, "C": 0.30, "D": 0.60, "E": 0.90})
>>> mrr.top(2).then(parabel).labels
('A', 'B', 'E', 'D', 'C')
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from futex.corpus.paper import Paper

Candidates = Mapping[str, Collection[str]]
"""C(d) for each paper id: the ids of its candidate labels."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Labels, best first. The order is primary; the scores never rise along it."""

    labels: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()

    @classmethod
    def of(cls, scores: Mapping[str, float]) -> "Ranking":
        """Sort by score, best first; ties keep the mapping's order."""
        ranked = sorted(scores.items(), key=lambda item: -item[1])
        return cls(tuple(label for label, _ in ranked), tuple(float(score) for _, score in ranked))

    def top(self, n: int) -> "Ranking":
        """The best `n` labels."""
        return Ranking(self.labels[:n], self.scores[:n])

    def then(self, other: "Ranking") -> "Ranking":
        """These labels stay on top; the other ranking's remaining labels follow (Example 1).

        The two may score on different scales, so the followers' scores are scaled down to fit below ours.
        """
        if not self.labels:
            return other
        seen = frozenset(self.labels)
        rest = [(label, score) for label, score in other if label not in seen]
        if not rest:
            return self
        floor, best = self.scores[-1], rest[0][1]
        scale = floor / best if 0 < floor < best else 1.0
        return Ranking(
            self.labels + tuple(label for label, _ in rest),
            self.scores + tuple(min(floor, score * scale) for _, score in rest),
        )

    def __iter__(self) -> Iterator[tuple[str, float]]:
        return iter(zip(self.labels, self.scores, strict=True))

    def __len__(self) -> int:
        return len(self.labels)


class Ranker(Protocol):
    """score_X, score_B, their fusion and every baseline: each ranks the candidates of each paper."""

    def rank(self, papers: Sequence[Paper], candidates: Candidates) -> Mapping[str, Ranking]:
        """The candidates of each paper, best first, by paper id."""
        ...

"""score_X: a Cross-Encoder reads the abstract and the label together (Eqs. 4 and 8)."""

from collections.abc import Iterator, Mapping, Sequence

from futex.corpus.paper import Paper
from futex.labels.label import LabelSpace
from futex.plm.protocol import PLM
from futex.progress import portions
from futex.ranking import Candidates, Ranking

PAPERS_AT_ONCE = 16
"""Scored together: enough pairs to keep all cores busy."""


class CrossEncoder:
    """Ranks C(d) by score_X(d, l) = wᵀ PLM([CLS] a_d [SEP] t_l [SEP])."""

    def __init__(self, plm: PLM, labels: LabelSpace) -> None:
        self._plm = plm
        self._labels = labels

    def rank(self, papers: Sequence[Paper], candidates: Candidates) -> Mapping[str, Ranking]:
        rankings: dict[str, Ranking] = {}
        for some in portions("Scoring abstract-label pairs", papers, PAPERS_AT_ONCE):
            rankings.update(self._ranked(some, candidates))
        return rankings

    def _ranked(self, papers: Sequence[Paper], candidates: Candidates) -> Iterator[tuple[str, Ranking]]:
        pairs = [(paper, label) for paper in papers for label in candidates[paper.id]]
        scores = iter(self._plm.score([(paper.title_and_abstract, self._labels[label].text) for paper, label in pairs]))
        for paper in papers:
            yield paper.id, Ranking.of({label: float(next(scores)) for label in candidates[paper.id]})

"""score_X: a Cross-Encoder reads the abstract and the label together (Eqs. 4 and 7)."""

from collections.abc import Mapping, Sequence

from futex.corpus.paper import Paper
from futex.labels.label import LabelSpace
from futex.plm.protocol import PLM
from futex.progress import task
from futex.ranking import Candidates, Ranking


class CrossEncoder:
    """Ranks C(d) by score_X(d, l) = wᵀ PLM([CLS] a_d [SEP] t_l [SEP])."""

    def __init__(self, plm: PLM, labels: LabelSpace) -> None:
        self._plm = plm
        self._labels = labels

    def rank(self, papers: Sequence[Paper], candidates: Candidates) -> Mapping[str, Ranking]:
        rankings = {}
        with task("Scoring abstract-label pairs", total=sum(len(candidates[paper.id]) for paper in papers)) as advance:
            for paper in papers:
                rankings[paper.id] = self._rank_one(paper, list(candidates[paper.id]))
                advance(len(candidates[paper.id]))
        return rankings

    def _rank_one(self, paper: Paper, labels: list[str]) -> Ranking:
        scores = self._plm.score([(paper.title_and_abstract, self._labels[label].text) for label in labels])
        return Ranking.of(dict(zip(labels, scores.tolist(), strict=True)))

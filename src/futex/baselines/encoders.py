"""SciBERT, LinkBERT, BioLinkBERT, SPECTER and any encoder like them: cosine of text and label (§4.1)."""

from collections.abc import Mapping, Sequence

from futex.baselines.setting import Setting
from futex.corpus.paper import Paper
from futex.hierarchy.bi_encoder import BiEncoder
from futex.hierarchy.fusion import mrr
from futex.labels.label import LabelSpace
from futex.ranking import Candidates, Ranker, Ranking


def cosine_ranker(papers: Sequence[Paper], labels: LabelSpace, setting: Setting) -> Ranker:
    """cos(h_d, h_l) of the abstract, or of the whole paper fused with it."""
    plm = setting.cached_plm()
    abstract = BiEncoder(plm, labels, "abstract")
    return abstract if setting.text == "abstract" else Fused([abstract, BiEncoder(plm, labels, "full")])


class Fused:
    """Several rankers as one, by mean reciprocal rank (Eq. 9)."""

    def __init__(self, rankers: Sequence[Ranker]) -> None:
        self._rankers = rankers

    def rank(self, papers: Sequence[Paper], candidates: Candidates) -> Mapping[str, Ranking]:
        rankings = [ranker.rank(papers, candidates) for ranker in self._rankers]
        return {paper.id: mrr([ranking[paper.id] for ranking in rankings]) for paper in papers}

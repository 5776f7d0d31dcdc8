"""score_B: paragraphs and labels are encoded apart and meet as vectors (Eqs. 5, 6 and 8)."""

from collections.abc import Mapping, Sequence
from typing import Literal

from futex.corpus.paper import Paper
from futex.hierarchy.aggregation import aggregate, cosine
from futex.labels.label import LabelSpace
from futex.plm.protocol import PLM, Array
from futex.progress import task
from futex.ranking import Candidates, Ranking


class BiEncoder:
    """Ranks C(d) by score_B(d, l) = cos(h_d, h_l), h_d from the whole tree or from title and abstract alone."""

    def __init__(self, plm: PLM, labels: LabelSpace, text: Literal["full", "abstract"] = "full") -> None:
        self._plm = plm
        self._labels = labels
        self._text = text

    def rank(self, papers: Sequence[Paper], candidates: Candidates) -> Mapping[str, Ranking]:
        rankings = {}
        with task(f"Encoding {self._text} texts", total=len(papers)) as advance:
            for paper in papers:
                rankings[paper.id] = self._rank_one(paper, list(candidates[paper.id]))
                advance(1)
        return rankings

    def _rank_one(self, paper: Paper, labels: list[str]) -> Ranking:
        """A paper without candidates is encoded all the same: its paragraphs support what self-training adds."""
        h_d = self.embed(paper)
        scores = cosine(h_d, self._plm.embed([self._labels[label].text for label in labels]))
        return Ranking.of(dict(zip(labels, scores.tolist(), strict=True)))

    def embed(self, paper: Paper) -> Array:
        """h_d."""
        if self._text == "abstract":
            vector: Array = self._plm.embed([paper.title_and_abstract])[0]
            return vector
        return aggregate(paper.tree, iter(self._plm.embed([leaf.text for leaf in paper.tree.leaves()])))

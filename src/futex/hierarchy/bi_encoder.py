"""score_B: paragraphs and labels are encoded apart and meet as vectors (Eqs. 5, 6 and 8)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import numpy as np

from futex.corpus.paper import Paper, Unit
from futex.hierarchy.aggregation import aggregate, cosine
from futex.labels.label import LabelSpace
from futex.plm.protocol import PLM, Array
from futex.progress import portions
from futex.ranking import Candidates, Ranking

PAPERS_AT_ONCE = 16
"""Encoded together: enough paragraphs to keep all cores busy."""


class BiEncoder:
    """Ranks C(d) by score_B(d, l) = cos(h_d, h_l), h_d from the whole tree or from title and abstract alone."""

    def __init__(self, plm: PLM, labels: LabelSpace, text: Literal["full", "abstract"] = "full") -> None:
        self._plm = plm
        self._labels = labels
        self._text = text

    def rank(self, papers: Sequence[Paper], candidates: Candidates) -> Mapping[str, Ranking]:
        rankings: dict[str, Ranking] = {}
        for some in portions(f"Encoding {self._text} texts", papers, PAPERS_AT_ONCE):
            rankings.update(self._ranked(some, candidates))
        return rankings

    def _ranked(self, papers: Sequence[Paper], candidates: Candidates) -> Iterator[tuple[str, Ranking]]:
        """A paper without candidates is encoded all the same: its paragraphs support what self-training adds."""
        labels = list(dict.fromkeys(label for paper in papers for label in candidates[paper.id]))
        h_l = dict(zip(labels, self._plm.embed([self._labels[label].text for label in labels]), strict=True))
        for paper, h_d in zip(papers, self.embed(papers), strict=True):
            own = list(candidates[paper.id])
            scores = cosine(h_d, np.array([h_l[label] for label in own])).tolist() if own else []
            yield paper.id, Ranking.of(dict(zip(own, scores, strict=True)))

    def embed(self, papers: Sequence[Paper]) -> list[Array]:
        """h_d of each paper, all their paragraphs encoded together."""
        trees = [paper.tree if self._text == "full" else Unit(text=paper.title_and_abstract) for paper in papers]
        h_p = iter(self._plm.embed([leaf.text for tree in trees for leaf in tree.leaves()]))
        return [aggregate(tree, h_p) for tree in trees]

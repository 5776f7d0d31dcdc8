"""score_B: paragraphs and labels are encoded apart and meet as vectors (Eqs. 5, 6 and 7)."""

from collections.abc import Callable, Mapping, Sequence
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
        title = f"Encoding {self._text} texts"
        return rank_by_cosine(papers, candidates, self._labels, self.embed, self._plm.embed, title)

    def embed(self, papers: Sequence[Paper]) -> list[Array]:
        """h_d of each paper, all their paragraphs encoded together."""
        trees = [paper.tree if self._text == "full" else Unit(text=paper.title_and_abstract) for paper in papers]
        h_p = iter(self._plm.embed([leaf.text for tree in trees for leaf in tree.leaves()]))
        return [aggregate(tree, h_p) for tree in trees]


def rank_by_cosine(
    papers: Sequence[Paper],
    candidates: Candidates,
    labels: LabelSpace,
    embed_papers: Callable[[Sequence[Paper]], list[Array]],
    embed_texts: Callable[[Sequence[str]], Array],
    title: str,
) -> Mapping[str, Ranking]:
    """C(d) by cos(h_d, h_l), however papers and the texts of labels become vectors."""
    rankings: dict[str, Ranking] = {}
    for some in portions(title, papers, PAPERS_AT_ONCE):
        wanted = list(dict.fromkeys(label for paper in some for label in candidates[paper.id]))
        h_l = dict(zip(wanted, embed_texts([labels[label].text for label in wanted]), strict=True))
        # A paper without candidates is encoded all the same: its paragraphs support what self-training adds.
        for paper, h_d in zip(some, embed_papers(some), strict=True):
            rankings[paper.id] = _ranking(h_d, {label: h_l[label] for label in candidates[paper.id]})
    return rankings


def _ranking(h_d: Array, h_l: Mapping[str, Array]) -> Ranking:
    scores = cosine(h_d, np.array(list(h_l.values()))).tolist() if h_l else []
    return Ranking.of(dict(zip(h_l, scores, strict=True)))

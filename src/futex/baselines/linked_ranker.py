"""Ranks with paragraphs that were read together with their neighbourhood: PLM+GAT and GraphFormers (§4.1)."""

from collections.abc import Callable, Mapping, Sequence

from futex.baselines.links import Network, Node
from futex.corpus.paper import Paper
from futex.hierarchy.aggregation import aggregate
from futex.hierarchy.bi_encoder import rank_by_cosine
from futex.labels.label import LabelSpace
from futex.plm.protocol import Array
from futex.ranking import Candidates, Ranking


class LinkedRanker:
    """cos(h_d, h_l), h_d from the whole tree (Eq. 6), its leaves encoded as nodes. A label has no neighbours."""

    def __init__(self, network: Network, labels: LabelSpace, embed: Callable[[Sequence[Node]], Array]) -> None:
        self._network = network
        self._labels = labels
        self._embed = embed

    def rank(self, papers: Sequence[Paper], candidates: Candidates) -> Mapping[str, Ranking]:
        title = "Encoding linked paragraphs"
        return rank_by_cosine(papers, candidates, self._labels, self._embed_papers, self._embed_texts, title)

    def _embed_papers(self, papers: Sequence[Paper]) -> list[Array]:
        """All paragraphs of a paper have the same neighbourhood, and the same few of it are read with each."""
        nodes = []
        for paper in papers:
            neighbours = self._network.neighbours_of(paper.id)
            nodes += [Node(leaf.text, neighbours) for leaf in paper.tree.leaves()]
        h_p = iter(self._embed(nodes))
        return [aggregate(paper.tree, h_p) for paper in papers]

    def _embed_texts(self, texts: Sequence[str]) -> Array:
        return self._embed([Node(text) for text in texts])

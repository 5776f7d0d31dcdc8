"""A paper is ranked by its paragraphs, each read with the neighbourhood of the paper."""

import numpy as np
import pytest

from futex.baselines.linked_ranker import LinkedRanker
from futex.baselines.links import Network, Node
from futex.corpus.paper import Paper, section
from futex.labels.label import Label, LabelSpace

LABELS = LabelSpace([Label("L", "lung"), Label("B", "brain")])
PAPERS = [
    Paper("both", abstract="lung brain", references=("a",), body=section("", ["lung brain " * 10])),
    Paper("lungs", abstract="lung", references=("a",)),
    Paper("alone", abstract="lung brain", references=("z",)),
]


def embed(nodes: list[Node]) -> np.ndarray:
    """How often lung and brain are named, by the text itself and by its neighbours."""
    texts = [" ".join((node.text, *node.neighbours)) for node in nodes]
    return np.array([[text.count("lung"), text.count("brain")] for text in texts], np.float32)


def test_every_paragraph_is_read_with_the_neighbours_of_its_paper_and_a_label_with_none():
    network, read = Network(PAPERS, "P->P<-P", seed=0), []
    ranker = LinkedRanker(network, LABELS, lambda nodes: read.extend(nodes) or embed(nodes))
    ranker.rank(PAPERS, {paper.id: ["L", "B"] for paper in PAPERS})
    assert network.neighbours_of("both") == ("lung",)
    leaves = [Node(leaf.text, network.neighbours_of(paper.id)) for paper in PAPERS for leaf in paper.tree.leaves()]
    assert read == [Node("lung"), Node("brain"), *leaves]


def test_the_neighbourhood_decides_by_hand():
    """Leaves of `both`: (1, 1) + (1, 0) and (10, 10) + (1, 0), on average (6.5, 5.5), whose length is 8.515."""
    ranker = LinkedRanker(Network(PAPERS, "P->P<-P", seed=0), LABELS, embed)
    found = ranker.rank(PAPERS, {paper.id: ["L", "B"] for paper in PAPERS})
    assert found["both"].labels == ("L", "B")
    assert found["both"].scores == pytest.approx([6.5 / 8.515, 5.5 / 8.515], abs=1e-4)
    assert found["alone"].scores == pytest.approx([2**-0.5] * 2)

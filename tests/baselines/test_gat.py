"""PLM+GAT attends to neighbours, and to nobody else."""

import sys

import numpy as np
import pytest
import torch

from futex.baselines.gat import GatEncoder
from futex.baselines.links import Node
from futex.baselines.node_encoder import Graph, embed_nodes
from futex.errors import InputError


@pytest.fixture
def plm(lively_plm):
    return lively_plm()


def embedded(plm, *nodes):
    return embed_nodes(GatEncoder(plm, seed=0), nodes, plm.tokens)


def test_a_vector_changes_with_a_neighbour_and_not_with_a_stranger(plm):
    node = Node("lung cancer", ("mouse brain", "gene"))
    vector = embedded(plm, node, Node("deep graph", ("learning",)))[0]
    other_stranger = embedded(plm, node, Node("deep graph", ("cells of mice",)))[0]
    other_neighbour = embedded(plm, Node("lung cancer", ("deep learning", "gene")), Node("deep graph", ("learning",)))[
        0
    ]
    np.testing.assert_allclose(vector, other_stranger, atol=1e-6)
    assert np.abs(vector - other_neighbour).max() > 1e-3


def test_the_layer_by_hand(plm):
    """α = softmax of LeakyReLU(a_s·Θh_j + a_t·Θh_i) over the node and its neighbours, h' = Σ α Θ h_j + b."""
    encoder, texts = GatEncoder(plm, seed=3), ("lung cancer", "mouse brain", "gene")
    theta, source, target = encoder.gat.lin.weight, encoder.gat.att_src.flatten(), encoder.gat.att_dst.flatten()
    projected = torch.from_numpy(plm.embed(texts)) @ theta.T
    alpha = torch.softmax(torch.nn.functional.leaky_relu(projected @ source + projected[0] @ target, 0.2), dim=0)
    expected = alpha @ projected + encoder.gat.bias
    found = embed_nodes(encoder, [Node(texts[0], texts[1:])], plm.tokens)[0]
    np.testing.assert_allclose(found, expected.detach(), atol=1e-5)


def test_attention_weights_of_a_node_sum_to_one(plm):
    encoder = GatEncoder(plm, seed=0)
    graph = Graph.of([Node("lung", ("mouse", "gene")), Node("brain", ("gene",)), Node("cell")], plm.tokens)
    h = encoder.states(graph.texts, None)
    around = encoder.states(graph.neighbours, None)
    _, (edges, weights) = encoder.gat(
        torch.cat([h, around]), encoder._directed(3, graph.edges), return_attention_weights=True
    )
    sums = torch.zeros(5).index_add(0, edges[1], weights[:, 0])
    torch.testing.assert_close(sums, torch.ones(5))
    assert sorted(edges.T.tolist()) == [[0, 0], [1, 1], [2, 2], [3, 0], [3, 3], [4, 0], [4, 1], [4, 4]]


def test_a_label_has_itself_alone(plm):
    """With nothing but its own loop the weight is 1: h' = Θ h + b."""
    encoder = GatEncoder(plm, seed=0)
    expected = torch.from_numpy(plm.embed(["lung cancer"])) @ encoder.gat.lin.weight.T + encoder.gat.bias
    np.testing.assert_allclose(embedded(plm, Node("lung cancer")), expected.detach(), atol=1e-5)


def test_the_missing_package_is_named(plm, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch_geometric.nn", None)
    with pytest.raises(InputError, match=r"pip install 'futex\[baselines\]'"):
        GatEncoder(plm, seed=0)

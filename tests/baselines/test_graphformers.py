"""GraphFormers against the same thing written with the layers of plain transformers, one node at a time."""

import numpy as np
import pytest
import torch
from torch.nn.functional import pad

from futex.baselines.graphformers import GraphFormer
from futex.baselines.links import Node
from futex.baselines.node_encoder import Graph, embed_nodes

NODE = Node("lung cancer of the mouse", ("mouse brain and cells", "gene"))


@pytest.fixture
def made(lively_plm):
    """A PLM and GraphFormers around it, with weights large enough to be seen."""

    def make(*how):
        plm = lively_plm(*how)
        encoder = GraphFormer(plm, seed=0)
        for parameter in encoder.graph_attention.parameters():
            torch.nn.init.normal_(parameter, std=0.5, generator=torch.Generator().manual_seed(1))
        return plm, encoder

    return make


def plain(encoder, model, ids, neighbours=None):
    """All states of one text after each layer; `neighbours` are the [CLS] states of its neighbours after each layer."""
    x = model.embeddings(torch.tensor([ids]))
    states = []
    for number, layer in enumerate(model.encoder.layer):
        gather = neighbours is not None and number > 0
        if gather:
            gathered = gathered_by_hand(encoder.graph_attention, x[0, 0], neighbours[number - 1])
            x = torch.cat([gathered[None, None], x], dim=1)
        if model.config.model_type == "mpnet":
            bias = model.encoder.compute_position_bias(x[:, 1:] if gather else x)
            x = layer(x, attention_mask=None, position_bias=pad(bias, (1, 0, 1, 0)) if gather else bias)
        else:
            x = layer(x)
        x = x[0] if isinstance(x, tuple) else x
        x = x[:, 1:] if gather else x
        states.append(x[0])
    return states


def gathered_by_hand(attention, own, neighbours):
    """Head by head: the node's query, keys and values of the node and its neighbours."""
    reached = torch.stack([own, *neighbours])
    q, k, v = attention.query(own), attention.key(reached), attention.value(reached)
    size = len(q) // attention.heads
    parts = []
    for head in range(attention.heads):
        columns = slice(head * size, (head + 1) * size)
        weights = torch.softmax(k[:, columns] @ q[columns] / size**0.5, dim=0)
        parts.append(weights @ v[:, columns])
    return torch.cat(parts)


@pytest.mark.parametrize("model_type", ["bert", "roberta", "mpnet"])
@pytest.mark.parametrize("node", [NODE, Node("deep learning", ("gene",)), Node("the brain")])
def test_vectors_equal_the_mechanism_written_with_plain_transformers(made, model_type, node):
    """Without neighbours the node still gathers from itself, as in the published model."""
    plm, encoder = made(model_type)
    model = plm.model
    with torch.inference_mode():
        alone = [plain(encoder, model, ids) for ids in plm.tokens.singles(list(node.neighbours) or ["a"]).ids]
        firsts = [[states[layer][0] for states in alone if node.neighbours] for layer in range(2)]
        expected = plain(encoder, model, plm.tokens.singles([node.text]).ids[0], firsts)[-1][0]
    found = embed_nodes(encoder, [NODE, node, Node("x")], plm.tokens)[1]
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_a_vector_changes_with_a_neighbour_and_not_with_a_stranger(made):
    plm, encoder = made()
    vector = embed_nodes(encoder, [NODE, Node("deep graph", ("learning",))], plm.tokens)[0]
    other_stranger = embed_nodes(encoder, [NODE, Node("deep graph", ("cells",))], plm.tokens)[0]
    other_neighbour = embed_nodes(encoder, [Node(NODE.text, ("deep graph", "gene"))], plm.tokens)[0]
    np.testing.assert_allclose(vector, other_stranger, atol=1e-6)
    assert np.abs(vector - other_neighbour).max() > 1e-3


@pytest.mark.parametrize("layer", [0, 1])
def test_neighbours_act_inside_the_layers(made, monkeypatch, layer):
    """What a neighbour says after one layer alone is enough to move the vector, long before the last."""
    plm, encoder = made()
    graph = Graph.of([NODE], plm.tokens)
    before, states = encoder(graph), encoder._first_states(graph.neighbours, None)
    assert len(states) == 2  # of three layers, the last is heard by nobody
    states[layer] = states[layer] + 1
    monkeypatch.setattr(encoder, "_first_states", lambda sequences, dropout: states)
    assert (encoder(graph) - before).abs().max() > 1e-3


def test_mean_pooling_leaves_out_what_was_gathered(made):
    plm, encoder = made("bert", "mean")
    (ids,) = plm.tokens.singles(["the brain"]).ids
    with torch.inference_mode():
        expected = plain(encoder, plm.model, ids, [[], []])[-1].mean(dim=0)
    np.testing.assert_allclose(embed_nodes(encoder, [Node("the brain")], plm.tokens)[0], expected, atol=1e-5)

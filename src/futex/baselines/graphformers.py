"""GraphFormers (Yang et al., NeurIPS 2021): a graph network nested between the layers of the transformer (§4.1).

Before every layer but the first, the [CLS] state of a node attends to its own and to those of its neighbours. What it
gathers is put before the node's tokens, which attend to it in that layer. Neighbours are encoded without any of this,
so their states hang on their own text alone.
"""

from collections.abc import Sequence
from functools import partial
from itertools import accumulate, pairwise

import torch
from torch import Tensor, nn
from torch.nn.functional import pad

from futex.baselines.link_prediction import learn_links
from futex.baselines.linked_ranker import LinkedRanker
from futex.baselines.links import Network, Node
from futex.baselines.node_encoder import Graph, NodeEncoder, embed_nodes, pooled, trainable_plm
from futex.baselines.setting import Setting
from futex.corpus.paper import Paper
from futex.labels.label import LabelSpace
from futex.plm.cache import digest, looked_up, open_store
from futex.plm.dropout import Dropout
from futex.plm.packed import Bias, Layer, Sequences, Spans, attend, by_head, embeddings, finish, mix, position_bias
from futex.plm.protocol import Array
from futex.plm.transformer import TransformerPLM
from futex.ranking import Ranker


def graphformers(papers: Sequence[Paper], labels: LabelSpace, setting: Setting) -> Ranker:
    network, plm = Network(papers, setting.metapath, setting.seed), trainable_plm(setting)
    encoder = GraphFormer(plm, setting.seed)
    name = learn_links("graphformers", encoder, plm, network, setting)
    store = open_store(setting.cache, "embeddings", name, plm.dimension)

    def embed(nodes: Sequence[Node]) -> Array:
        keys = [digest(node.text, *node.neighbours) for node in nodes]
        return looked_up(store, keys, nodes, partial(embed_nodes, encoder, tokens=plm.tokens), plm.dimension)

    return LinkedRanker(network, labels, embed)


class GraphFormer(NodeEncoder):
    def __init__(self, plm: TransformerPLM, seed: int) -> None:
        super().__init__(plm)
        config = plm.model.config
        self.graph_attention = GraphAttention(config.hidden_size, config.num_attention_heads, seed)
        self.graph_attention.to(plm.model.device)

    def forward(self, graph: Graph, dropout: Dropout | None = None) -> Tensor:
        """The last states of each node's tokens, pooled as the checkpoint declares."""
        spans, bias = _spans(graph.texts), position_bias(self.model)
        starts = [start for start, _ in spans]
        reach = _reach(len(spans), graph.edges, self.model.device)
        around = self._first_states(graph.neighbours, dropout)
        first, *others = self._layers()
        x = embeddings(self.model, graph.texts, dropout)
        x = finish(first, attend(first, x, spans, bias, dropout), x, dropout)
        for layer, neighbours in zip(others, around, strict=True):
            gathered = self.graph_attention(torch.cat([x[starts], neighbours]), reach)
            x = finish(layer, _attend_with(gathered, layer, x, spans, bias, dropout), x, dropout)
        return torch.stack([pooled(x[start:end], self.pooling) for start, end in spans])

    def _first_states(self, sequences: Sequences, dropout: Dropout | None) -> list[Tensor]:
        """The [CLS] states of plain sequences after each layer but the last."""
        layers = self._layers()[:-1]
        if not sequences.ids:
            return [torch.empty(0, self.model.config.hidden_size, device=self.model.device)] * len(layers)
        spans, bias = _spans(sequences), position_bias(self.model)
        starts = [start for start, _ in spans]
        x = embeddings(self.model, sequences, dropout)
        states = []
        for layer in layers:
            x = finish(layer, attend(layer, x, spans, bias, dropout), x, dropout)
            states.append(x[starts])
        return states

    def _layers(self) -> list[Layer]:
        return [Layer.of(layer, self.model.config) for layer in self.model.encoder.layer]


class GraphAttention(nn.Module):
    """Multi-head attention of each node to itself and its neighbours; one for all layers, as in the public code."""

    def __init__(self, width: int, heads: int, seed: int) -> None:
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))
        generator = torch.Generator().manual_seed(seed)
        for linear in (self.query, self.key, self.value):
            nn.init.normal_(linear.weight, std=0.02, generator=generator)
            nn.init.zeros_(linear.bias)

    def forward(self, states: Tensor, reach: Tensor) -> Tensor:
        """`states` are those of all nodes, then of all neighbours; row i of `reach` has what node i attends to."""
        known = reach >= 0
        q = self._by_head(self.query(states[: len(reach)])[:, None])
        k, v = (self._by_head(linear(states)[reach.clamp(min=0)]) for linear in (self.key, self.value))
        gathered = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=known[:, None, None])
        return gathered.flatten(1)

    def _by_head(self, rows: Tensor) -> Tensor:
        """[nodes, reached, width] → [nodes, heads, reached, width / heads]"""
        return rows.view(*rows.shape[:2], self.heads, -1).transpose(1, 2)


def _reach(nodes: int, edges: Sequence[tuple[int, int]], device: torch.device) -> Tensor:
    """A row a node: its own position, those of its neighbours behind all nodes, and -1 for none."""
    rows = [[node] for node in range(nodes)]
    for neighbour, node in edges:
        rows[node].append(nodes + neighbour)
    longest = max(map(len, rows))
    return torch.tensor([row + [-1] * (longest - len(row)) for row in rows], device=device)


def _attend_with(
    gathered: Tensor, layer: Layer, x: Tensor, spans: Spans, bias: Bias, dropout: Dropout | None
) -> Tensor:
    """Self-attention within each sequence, with one more key and value: what its node gathered."""
    queries, keys, values = layer.query(x), layer.key(x), layer.value(x)
    gathered_keys, gathered_values = layer.key(gathered), layer.value(gathered)
    parts = []
    for i, (start, end) in enumerate(spans):
        k = torch.cat([gathered_keys[i : i + 1], keys[start:end]])
        v = torch.cat([gathered_values[i : i + 1], values[start:end]])
        q, k, v = (by_head(rows, layer.heads) for rows in (queries[start:end], k, v))
        distance = bias(end - start, end - start)
        mixed = mix(q, k, v, None if distance is None else pad(distance, (1, 0)), dropout, layer.attention_dropout)
        parts.append(mixed[0].transpose(0, 1).flatten(1))
    return torch.cat(parts)


def _spans(sequences: Sequences) -> Spans:
    return list(pairwise(accumulate(map(len, sequences.ids), initial=0)))

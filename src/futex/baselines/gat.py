"""PLM+GAT (Veličković et al., ICLR 2018; Yang et al., NeurIPS 2021): a graph attention layer on top of a PLM (§4.1)."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from futex.baselines.link_prediction import learn_links
from futex.baselines.linked_ranker import LinkedRanker
from futex.baselines.links import Around, Network, Node
from futex.baselines.node_encoder import Graph, NodeEncoder, trainable_plm, tuned_plm
from futex.baselines.setting import Setting
from futex.corpus.paper import Paper
from futex.errors import InputError
from futex.labels.label import LabelSpace
from futex.plm.cache import CachedPLM
from futex.plm.dropout import Dropout
from futex.plm.packed import Sequences
from futex.plm.protocol import Array
from futex.plm.transformer import TransformerPLM
from futex.ranking import Ranker


def plm_gat(papers: Sequence[Paper], labels: LabelSpace, setting: Setting) -> Ranker:
    """The PLM's part of a vector comes out of the cache; only the layer on top is computed anew."""
    network, plm = Network(papers, setting.metapath, setting.seed), trainable_plm(setting)
    encoder = GatEncoder(plm, setting.seed)
    learn_links("plm-gat", encoder, plm, network, setting)
    tuned = CachedPLM(tuned_plm(plm, encoder), setting.cache)

    def embed(nodes: Sequence[Node]) -> Array:
        around = Around.of(nodes)
        h = torch.from_numpy(tuned.embed([*(node.text for node in nodes), *around.texts]))
        with torch.inference_mode():
            rows: Array = encoder.attend(h.to(plm.model.device), len(nodes), around.edges).cpu().numpy()
        return rows

    return LinkedRanker(network, labels, embed)


class GatEncoder(NodeEncoder):
    """h'_p = Σ_{p' ∈ {p} ∪ neighbours} α_pp' Θ h_p'; a node without neighbours attends to itself alone."""

    def __init__(self, plm: TransformerPLM, seed: int) -> None:
        super().__init__(plm)
        self.gat = _gat_layer(plm.dimension, seed).to(plm.model.device)

    def forward(self, graph: Graph, dropout: Dropout | None = None) -> Tensor:
        together = Sequences([*graph.texts.ids, *graph.neighbours.ids], [*graph.texts.types, *graph.neighbours.types])
        return self.attend(self.states(together, dropout), len(graph.texts.ids), graph.edges)

    def attend(self, h: Tensor, nodes: int, edges: Sequence[tuple[int, int]]) -> Tensor:
        """`h` has the rows of the nodes first, then those of their neighbours."""
        rows: Tensor = self.gat(h, self._directed(nodes, edges))
        return rows[:nodes]

    def _directed(self, nodes: int, edges: Sequence[tuple[int, int]]) -> Tensor:
        """From neighbour to node; the layer adds a loop to each of them."""
        ends = [(nodes + neighbour, node) for neighbour, node in edges]
        return torch.tensor(ends, dtype=torch.long, device=self.model.device).reshape(-1, 2).T


def _gat_layer(width: int, seed: int) -> Any:
    try:
        from torch_geometric.nn import GATConv
    except ImportError:
        raise InputError("PLM+GAT needs torch-geometric: pip install 'futex[baselines]'") from None
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return GATConv(width, width)

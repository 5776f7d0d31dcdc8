"""Nodes to vectors: a PLM, alone or with a graph network, and what such encoders share."""

import copy
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from futex.baselines.links import Around, Node
from futex.baselines.setting import Setting
from futex.errors import ModelError
from futex.plm import packed
from futex.plm.checkpoints import load_plm
from futex.plm.dropout import Dropout
from futex.plm.packed import Sequences, hidden_states, packs
from futex.plm.protocol import Array
from futex.plm.side_by_side import side_by_side
from futex.plm.tokens import Tokens
from futex.plm.transformer import TOKENS_PER_PACK, TransformerPLM


class Graph(NamedTuple):
    """Nodes and their neighbours as tokens."""

    texts: Sequences
    neighbours: Sequences
    edges: list[tuple[int, int]]
    """(neighbour, node) by position."""

    @classmethod
    def of(cls, nodes: Sequence[Node], tokens: Tokens) -> "Graph":
        around = Around.of(nodes)
        neighbours = tokens.singles(around.texts) if around.texts else Sequences([], [])
        return cls(tokens.singles([node.text for node in nodes]), neighbours, around.edges)


class NodeEncoder(nn.Module):
    """A copy of a PLM to be trained. Subclasses say what becomes of the neighbours."""

    def __init__(self, plm: TransformerPLM) -> None:
        super().__init__()
        self.model = copy.deepcopy(plm.model)
        self.pooling = plm.pooling

    def forward(self, graph: Graph, dropout: Dropout | None = None) -> Tensor:
        """One row a node."""
        raise NotImplementedError

    def similarity(self, rows: Tensor, others: Tensor) -> Tensor:
        """How sure we are that each row is linked with each of the others."""
        return rows @ others.T

    def states(self, sequences: Sequences, dropout: Dropout | None) -> Tensor:
        """h of Eq. (5) of each sequence."""
        rows = hidden_states(self.model, sequences, first_only=self.pooling == "cls", dropout=dropout)
        return torch.stack([pooled(own, self.pooling) for own in rows])


def pooled(rows: Tensor, pooling: str) -> Tensor:
    """The states of a sequence as one vector, as the checkpoint declares it."""
    return rows[0] if pooling == "cls" else rows.mean(dim=0)


def embed_nodes(encoder: NodeEncoder, nodes: Sequence[Node], tokens: Tokens) -> Array:
    """The vectors of many nodes, on all cores."""
    lengths = [len(ids) for ids in tokens.singles([node.text for node in nodes]).ids]
    runs = [nodes[run.start : run.stop] for run in packs(lengths, TOKENS_PER_PACK)]

    def one_pack(run: Sequence[Node]) -> Array:
        with torch.inference_mode():
            rows: Array = encoder(Graph.of(run, tokens)).cpu().numpy()
            return rows

    return np.concatenate(list(side_by_side(one_pack, runs)))


def trainable_plm(setting: Setting) -> TransformerPLM:
    plm = load_plm(setting.plm, setting.cache)
    if not isinstance(plm, TransformerPLM) or not packed.supports(plm.model):
        raise ModelError(
            f"this method trains a BERT, RoBERTa or MPNet encoder, which {setting.plm} is not: change --plm"
        )
    return plm


def tuned_plm(plm: TransformerPLM, encoder: NodeEncoder) -> TransformerPLM:
    """The PLM with the weights that the encoder learnt."""
    return TransformerPLM(encoder.model, plm.tokenizer, pooling=plm.pooling, max_length=plm.tokens.max_length)

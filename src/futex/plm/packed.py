"""Packed encoding: sequences concatenated without padding, attention within each sequence only.

A paragraph of 120 tokens costs 120 tokens, not the longest of its batch. The weights of the checkpoint are used as they
are, so the result equals the plain forward pass, and gradients flow through it.

The vectors of a sequence do not depend on what it is packed with, to the last bit: every row of a matrix product is
computed alike once the matrix has `STEADY_ROWS` rows. So a cache that was filled in any order gives the same bytes.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from futex.plm.dropout import Dropout
from futex.plm.dropout_attention import DropoutAttention

STEADY_ROWS = 16
"""Below this many rows, BLAS libraries switch to kernels that sum in another order."""

SUPPORTED = frozenset({"bert", "roberta", "mpnet"})

Spans = Sequence[tuple[int, int]]
Bias = Callable[[int, int], Tensor | None]


class Sequences(NamedTuple):
    """Token ids and type ids of several sequences, each with its special tokens."""

    ids: Sequence[Sequence[int]]
    types: Sequence[Sequence[int]]

    def part(self, which: Sequence[int]) -> "Sequences":
        return Sequences([self.ids[i] for i in which], [self.types[i] for i in which])


def supports(model: Any) -> bool:
    return model.config.model_type in SUPPORTED and not getattr(model.config, "is_decoder", False)


def packs(lengths: Sequence[int], budget: int) -> Iterator[range]:
    """Cut a list of sequences into runs of at most `budget` tokens (or one sequence)."""
    start, used = 0, 0
    for i, length in enumerate(lengths):
        if i > start and used + length > budget:
            yield range(start, i)
            start, used = i, 0
        used += length
    if start < len(lengths):
        yield range(start, len(lengths))


def hidden_states(
    model: Any, sequences: Sequences, *, first_only: bool, dropout: Dropout | None = None
) -> list[Tensor]:
    """Last-layer states of each sequence: all of its rows, or with `first_only` just the [CLS] row.

    With `dropout` it is a pass of training; the model itself stays in evaluation mode.
    """
    count = len(sequences.ids)
    sequences = _steadied(sequences)
    spans = list(pairwise(accumulate(map(len, sequences.ids), initial=0)))
    bias = position_bias(model)
    *lower, last = (Layer.of(layer, model.config) for layer in model.encoder.layer)
    x = embeddings(model, sequences, dropout)
    for layer in lower:
        x = finish(layer, attend(layer, x, spans, bias, dropout), x, dropout)
    if not first_only:
        x = finish(last, attend(last, x, spans, bias, dropout), x, dropout)
        return [x[start:end] for start, end in spans[:count]]
    columns = [*spans[:count], *[spans[0]] * max(0, STEADY_ROWS - count)]
    firsts = x[torch.tensor([start for start, _ in columns], device=x.device)]
    x = finish(last, _attend_from_first(last, firsts, x, columns, bias, dropout), firsts, dropout)
    return [x[i : i + 1] for i in range(count)]


def _steadied(sequences: Sequences) -> Sequences:
    """Repeat the first sequence until there are enough rows; the copies' states are not returned."""
    rows = sum(map(len, sequences.ids))
    copies = max(0, -(-(STEADY_ROWS - rows) // len(sequences.ids[0])))
    return Sequences([*sequences.ids, *[sequences.ids[0]] * copies], [*sequences.types, *[sequences.types[0]] * copies])


def embeddings(model: Any, sequences: Sequences, dropout: Dropout | None) -> Tensor:
    first_position = 0 if model.config.model_type == "bert" else model.config.pad_token_id + 1
    flat = {
        "input_ids": [i for ids in sequences.ids for i in ids],
        "position_ids": [first_position + i for ids in sequences.ids for i in range(len(ids))],
        "token_type_ids": [t for types in sequences.types for t in types],
    }
    if model.config.model_type == "mpnet":
        del flat["token_type_ids"]
    embedded: Tensor = model.embeddings(**{k: torch.tensor([v], device=model.device) for k, v in flat.items()})
    return _dropped(embedded[0], dropout, model.config.hidden_dropout_prob)


class Layer(NamedTuple):
    """The parts of a transformer layer, named alike for every architecture."""

    query: nn.Linear
    key: nn.Linear
    value: nn.Linear
    out: nn.Linear
    attention_norm: nn.LayerNorm
    widen: Callable[[Tensor], Tensor]
    """The first matrix of the feed-forward net with its activation."""
    narrow: nn.Linear
    norm: nn.LayerNorm
    heads: int
    attention_dropout: float
    hidden_dropout: float

    @classmethod
    def of(cls, layer: Any, config: Any) -> "Layer":
        outer = layer.attention
        if config.model_type == "mpnet":
            inner = outer.attn
            attention = (inner.q, inner.k, inner.v, inner.o, outer.LayerNorm)
        else:
            inner = outer.self
            attention = (inner.query, inner.key, inner.value, outer.output.dense, outer.output.LayerNorm)
        rates = (config.attention_probs_dropout_prob, config.hidden_dropout_prob)
        feed_forward = (layer.intermediate, layer.output.dense, layer.output.LayerNorm)
        return cls(*attention, *feed_forward, config.num_attention_heads, *rates)


def attend(layer: Layer, x: Tensor, spans: Spans, bias: Bias, dropout: Dropout | None) -> Tensor:
    """Self-attention, every row to the rows of its own sequence."""
    queries, keys, values = layer.query(x), layer.key(x), layer.value(x)
    if x.is_cuda and dropout is None and bias(1, 1) is None:
        return _attend_at_once(queries, keys, values, spans, layer.heads)
    parts = []
    lengths = [end - start for start, end in spans]
    for own in zip(*(rows.split(lengths) for rows in (queries, keys, values)), strict=True):
        q, k, v = (by_head(rows, layer.heads) for rows in own)
        mixed = mix(q, k, v, bias(len(own[0]), len(own[0])), dropout, layer.attention_dropout)
        parts.append(mixed[0].transpose(0, 1).flatten(1))
    return torch.cat(parts)


def _attend_at_once(queries: Tensor, keys: Tensor, values: Tensor, spans: Spans, heads: int) -> Tensor:
    """All sequences in one call, for kernels that take sequences of different lengths: a GPU would idle in our loop."""
    ends = torch.tensor([0, *(end for _, end in spans)], device=queries.device)
    q, k, v = (
        torch.nested.nested_tensor_from_jagged(rows.view(len(rows), heads, -1), ends).transpose(1, 2)
        for rows in (queries, keys, values)
    )
    return F.scaled_dot_product_attention(q, k, v).transpose(1, 2).values().flatten(1)


def mix(q: Tensor, k: Tensor, v: Tensor, bias: Tensor | None, dropout: Dropout | None, p: float) -> Tensor:
    if dropout is None or not p:
        return F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
    kept = dropout.kept((*q.shape[1:-1], k.shape[-2]), p, q)
    heads = (q[0], k[0], v[0], None if bias is None else bias[0])
    mixed: Tensor = DropoutAttention.apply(*heads, kept, p)  # type: ignore[no-untyped-call]
    return mixed[None]


def _attend_from_first(
    layer: Layer, firsts: Tensor, x: Tensor, columns: Spans, bias: Bias, dropout: Dropout | None
) -> Tensor:
    """Attention of the first row of each sequence alone, without keys and values of the others.

    With one query a head, q·(W_k x) = (W_kᵀ q)·x and Σ p W_v x = W_v Σ p x: the matrices meet one row a sequence
    instead of every token, and the last layer costs next to nothing. The key's bias moves all scores alike and drops
    out of the softmax.
    """
    heads, width = layer.heads, x.shape[1]
    queries = layer.query(firsts).view(len(firsts), heads, -1).transpose(0, 1)
    size = queries.shape[-1]
    probes = torch.matmul(queries, layer.key.weight.view(heads, size, width)) * size**-0.5
    pooled = []
    for i, (start, end) in enumerate(columns):
        own = x[start:end]
        scores = probes[:, i] @ own.T
        distance = bias(1, end - start)
        weights = torch.softmax(scores if distance is None else scores + distance[0, :, 0], dim=-1)
        if dropout is not None and layer.attention_dropout:
            mask = dropout.mask(weights.shape, layer.attention_dropout, weights)
            weights = weights * mask
        pooled.append((weights @ own, weights.sum(dim=-1, keepdim=True)))
    means = torch.stack([mean for mean, _ in pooled], dim=1)
    totals = torch.stack([total for _, total in pooled], dim=1)
    values = torch.matmul(means, layer.value.weight.view(heads, size, width).transpose(1, 2))
    values = values + totals * layer.value.bias.view(heads, 1, size)
    return values.transpose(0, 1).flatten(1)


def finish(layer: Layer, mixed: Tensor, x: Tensor, dropout: Dropout | None) -> Tensor:
    """All that follows attention in a layer, row by row."""
    x = layer.attention_norm(_dropped(layer.out(mixed), dropout, layer.hidden_dropout) + x)
    narrowed = _dropped(layer.narrow(layer.widen(x)), dropout, layer.hidden_dropout)
    out: Tensor = layer.norm(narrowed + x)
    return out


def _dropped(x: Tensor, dropout: Dropout | None, p: float) -> Tensor:
    return x if dropout is None else dropout(x, p)


def by_head(x: Tensor, heads: int) -> Tensor:
    return x.view(len(x), heads, -1).transpose(0, 1)[None]


def position_bias(model: Any) -> Bias:
    """MPNet adds a learnt bias for each distance between two tokens; the other models add none."""
    if model.config.model_type != "mpnet":
        return lambda rows, columns: None
    known: dict[int, Tensor] = {}

    def bias(rows: int, columns: int) -> Tensor:
        if columns not in known:
            weight = model.encoder.relative_attention_bias.weight
            known[columns] = model.encoder.compute_position_bias(weight.new_empty(1, columns, 1))
        return known[columns][:, :, :rows]

    return bias

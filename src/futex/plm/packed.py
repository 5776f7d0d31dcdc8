"""Packed encoding: sequences concatenated without padding, attention within each sequence only.

A paragraph of 120 tokens costs 120 tokens, not the longest of its batch. The modules of the checkpoint are used as they
are (weights, dropout, layer norms), so the result equals the plain forward pass, and gradients flow through it.

The vectors of a sequence do not depend on what it is packed with, to the last bit: every row of a matrix product is
computed alike once the matrix has `STEADY_ROWS` rows. So a cache that was filled in any order gives the same bytes.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

STEADY_ROWS = 16
"""Below this many rows, BLAS libraries switch to kernels that sum in another order."""

SUPPORTED = frozenset({"bert", "roberta", "mpnet"})

Spans = Sequence[tuple[int, int]]


class Sequences(NamedTuple):
    """Token ids and type ids of several sequences, each with its special tokens."""

    ids: Sequence[Sequence[int]]
    types: Sequence[Sequence[int]]

    def part(self, which: range) -> "Sequences":
        return Sequences(self.ids[which.start : which.stop], self.types[which.start : which.stop])


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


def hidden_states(model: Any, sequences: Sequences, *, first_only: bool) -> list[Tensor]:
    """Last-layer states of each sequence: all of its rows, or with `first_only` just the [CLS] row."""
    count = len(sequences.ids)
    sequences = _steadied(sequences)
    spans = list(pairwise(accumulate(map(len, sequences.ids), initial=0)))
    bias = _position_bias(model)
    *lower, last = model.encoder.layer
    x = _embeddings(model, sequences)
    for layer in lower:
        x = _layer(_attention_of(layer, model), layer, x, x, spans, spans, bias)
    if not first_only:
        x = _layer(_attention_of(last, model), last, x, x, spans, spans, bias)
        return [x[start:end] for start, end in spans[:count]]
    columns = [*spans[:count], *[spans[0]] * max(0, STEADY_ROWS - count)]
    firsts = x[torch.tensor([start for start, _ in columns], device=x.device)]
    rows = [(i, i + 1) for i in range(len(columns))]
    x = _layer(_attention_of(last, model), last, firsts, x, rows, columns, bias)
    return [x[i : i + 1] for i in range(count)]


def _steadied(sequences: Sequences) -> Sequences:
    """Repeat the first sequence until there are enough rows; the copies' states are not returned."""
    rows = sum(map(len, sequences.ids))
    copies = max(0, -(-(STEADY_ROWS - rows) // len(sequences.ids[0])))
    return Sequences([*sequences.ids, *[sequences.ids[0]] * copies], [*sequences.types, *[sequences.types[0]] * copies])


def _embeddings(model: Any, sequences: Sequences) -> Tensor:
    first_position = 0 if model.config.model_type == "bert" else model.config.pad_token_id + 1
    flat = {
        "input_ids": [i for ids in sequences.ids for i in ids],
        "position_ids": [first_position + i for ids in sequences.ids for i in range(len(ids))],
        "token_type_ids": [t for types in sequences.types for t in types],
    }
    if model.config.model_type == "mpnet":
        del flat["token_type_ids"]
    embedded: Tensor = model.embeddings(**{k: torch.tensor([v], device=model.device) for k, v in flat.items()})
    return embedded[0]


class _Attention(NamedTuple):
    """The parts of a layer's attention, named alike for every architecture."""

    query: nn.Linear
    key: nn.Linear
    value: nn.Linear
    heads: int
    dropout: float
    close: Callable[[Tensor, Tensor], Tensor]
    """Output projection, dropout, residual and layer norm."""


def _attention_of(layer: Any, model: Any) -> _Attention:
    heads = model.config.num_attention_heads
    if model.config.model_type == "mpnet":
        outer, inner = layer.attention, layer.attention.attn

        def close(mixed: Tensor, x: Tensor) -> Tensor:
            closed: Tensor = outer.LayerNorm(outer.dropout(inner.o(mixed)) + x)
            return closed

        return _Attention(inner.q, inner.k, inner.v, heads, inner.dropout.p if model.training else 0.0, close)
    inner = layer.attention.self
    dropout = inner.dropout.p if model.training else 0.0
    return _Attention(inner.query, inner.key, inner.value, heads, dropout, layer.attention.output)


def _layer(
    attention: _Attention,
    layer: Any,
    x: Tensor,
    context: Tensor,
    rows: Spans,
    columns: Spans,
    bias: Callable[[int, int], Tensor | None],
) -> Tensor:
    """One transformer layer for the rows of x; each attends to its own sequence's columns of the context."""
    queries, keys, values = _projections(attention, x, context)
    parts = []
    for (row, row_end), (column, column_end) in zip(rows, columns, strict=True):
        mixed = F.scaled_dot_product_attention(
            _by_head(queries[row:row_end], attention.heads),
            _by_head(keys[column:column_end], attention.heads),
            _by_head(values[column:column_end], attention.heads),
            attn_mask=bias(row_end - row, column_end - column),
            dropout_p=attention.dropout,
        )
        parts.append(mixed[0].transpose(0, 1).flatten(1))
    x = attention.close(torch.cat(parts), x)
    out: Tensor = layer.output(layer.intermediate(x), x)
    return out


def _projections(attention: _Attention, x: Tensor, context: Tensor) -> tuple[Tensor, ...]:
    q, k, v = attention.query, attention.key, attention.value
    if x is context:
        return F.linear(x, torch.cat([q.weight, k.weight, v.weight]), torch.cat([q.bias, k.bias, v.bias])).chunk(3, -1)
    both = F.linear(context, torch.cat([k.weight, v.weight]), torch.cat([k.bias, v.bias]))
    return (q(x), *both.chunk(2, -1))


def _by_head(x: Tensor, heads: int) -> Tensor:
    return x.view(len(x), heads, -1).transpose(0, 1)[None]


def _position_bias(model: Any) -> Callable[[int, int], Tensor | None]:
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

"""Hidden states of any encoder: packed where we know the architecture, else the plain padded pass of transformers."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from futex.plm import packed
from futex.plm.dropout import Dropout
from futex.plm.packed import Sequences


def hidden_states(
    model: Any, sequences: Sequences, *, first_only: bool, dropout: Dropout | None = None
) -> list[Tensor]:
    """Last-layer states of each sequence: all of its rows, or with `first_only` just the [CLS] row.

    With `dropout` it is a pass of training (the plain pass then uses the dropout of the model's own modules).
    """
    if packed.supports(model):
        return packed.hidden_states(model, sequences, first_only=first_only, dropout=dropout)
    model.train(dropout is not None)
    if dropout is not None:
        dropout.seed_torch()
    return plain_hidden_states(model, sequences, first_only=first_only)


def plain_hidden_states(model: Any, sequences: Sequences, *, first_only: bool) -> list[Tensor]:
    """Every sequence padded to the longest."""
    longest = max(map(len, sequences.ids))
    inputs = {
        "input_ids": _padded(sequences.ids, longest, getattr(model.config, "pad_token_id", None) or 0),
        "attention_mask": _padded([[1] * len(ids) for ids in sequences.ids], longest, 0),
        "token_type_ids": _padded(sequences.types, longest, 0),
    }
    if getattr(model.config, "type_vocab_size", 0) < 2:
        del inputs["token_type_ids"]
    states = model(**{name: tensor.to(model.device) for name, tensor in inputs.items()}).last_hidden_state
    return [rows[: 1 if first_only else len(ids)] for rows, ids in zip(states, sequences.ids, strict=True)]


def _padded(rows: Sequence[Sequence[int]], length: int, fill: int) -> Tensor:
    return torch.tensor([[*row, *[fill] * (length - len(row))] for row in rows])

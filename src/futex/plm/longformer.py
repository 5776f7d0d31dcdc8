"""Long texts: Longformer, and the way its authors made it out of another encoder (Beltagy et al., 2020, §5).

A token attends to those near it and to the first one; the first attends to all. So cost grows with the length of a
text, not with its square. To convert an encoder its weights stay as they are, the first token's own projections begin
as copies of the others, and the table of positions is repeated until it is long enough.
"""

import copy
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from futex.errors import ModelError
from futex.plm.transformer import TransformerPLM

WINDOW = 512
"""Tokens that a token of a converted encoder attends to, half of them on either side."""

LONGEST = 4096
"""Positions of a converted encoder."""

CONVERTIBLE = ("bert", "roberta", "mpnet")


class Block(NamedTuple):
    """Neighbouring tokens and what they see."""

    rows: Tensor
    columns: Tensor
    mask: Tensor
    """Of rows and columns in each text of the batch: true where a row sees a column, or what is added to the score."""


class LongEncoder(nn.Module):
    """A Longformer of transformers, or another encoder converted; computed without padding to whole windows."""

    def __init__(self, source: Any) -> None:
        super().__init__()
        kind = source.config.model_type
        if kind not in (*CONVERTIBLE, "longformer"):
            raise ModelError(f"only {', '.join(CONVERTIBLE)} can be made a Longformer, and this PLM is a {kind}")
        self._reach = _window(source.config) // 2
        self._has_types = kind != "mpnet"
        self._first_position = 0 if kind == "bert" else source.config.pad_token_id + 1
        self.embeddings = copy.deepcopy(source.embeddings)
        if kind != "longformer":
            self.embeddings.position_embeddings = tiled(source.embeddings.position_embeddings, self._first_position)
        self.layers = nn.ModuleList(_Layer(layer, source.config) for layer in source.encoder.layer)
        self.distance_bias = getattr(source.encoder, "relative_attention_bias", None)
        self._bucket = getattr(source.encoder, "relative_position_bucket", None)
        self.config = copy.copy(source.config)
        self.config.model_type = f"long-{kind}-{2 * self._reach}"
        self.config.max_position_embeddings = self.embeddings.position_embeddings.num_embeddings - self._first_position

    @property
    def device(self) -> torch.device:
        device: torch.device = self.embeddings.word_embeddings.weight.device
        return device

    def forward(
        self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor | None = None
    ) -> SimpleNamespace:
        places = torch.arange(input_ids.shape[1], device=self.device)
        inputs = {"input_ids": input_ids, "position_ids": (places + self._first_position).expand_as(input_ids)}
        if self._has_types:
            inputs["token_type_ids"] = torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids
        x = self.embeddings(**inputs)
        blocks = list(self._blocks(places, attention_mask.bool()))
        for layer in self.layers:
            x = layer(x, blocks)
        return SimpleNamespace(last_hidden_state=x)

    def _blocks(self, places: Tensor, there: Tensor) -> Iterator[Block]:
        """The first token and all it sees; then the others, as many at a time as a token reaches to one side."""
        first, reach = places[:1], self._reach
        yield Block(first, places, self._mask(first, places, there))
        for start in range(1, len(places), reach):
            rows, near = places[start : start + reach], places[max(1, start - reach) : start + 2 * reach]
            columns = torch.cat([first, near])
            yield Block(rows, columns, self._mask(rows, columns, there))

    def _mask(self, rows: Tensor, columns: Tensor, there: Tensor) -> Tensor:
        distance = columns - rows[:, None]
        visible = (rows[:, None] == 0) | (columns == 0) | (distance.abs() <= self._reach)
        mask = visible & there[:, None, None, columns]
        if self.distance_bias is None or self._bucket is None:
            return mask
        bias: Tensor = self.distance_bias(self._bucket(distance)).permute(2, 0, 1)  # MPNet's own
        return torch.where(mask, bias, -torch.inf)


class _Layer(nn.Module):
    """A layer of the source with other attention; the parts of an architecture under one set of names."""

    def __init__(self, layer: Any, config: Any) -> None:
        super().__init__()
        outer = layer.attention
        if config.model_type == "mpnet":
            inner = outer.attn
            parts, out, norm = (inner.q, inner.k, inner.v), inner.o, outer.LayerNorm
        else:
            inner = outer.self
            parts, out, norm = (inner.query, inner.key, inner.value), outer.output.dense, outer.output.LayerNorm
        own = (inner.query_global, inner.key_global, inner.value_global) if config.model_type == "longformer" else ()
        self.heads = config.num_attention_heads
        self.projections, self.projections_of_first = nn.ModuleList(parts), nn.ModuleList(own)
        self.out, self.norm = out, norm
        self.widen, self.narrow = layer.intermediate, layer.output

    def forward(self, x: Tensor, blocks: Sequence[Block]) -> Tensor:
        x = self.norm(self.out(self._attend(x, blocks)) + x)
        out: Tensor = self.narrow(self.widen(x), x)
        return out

    def _attend(self, x: Tensor, blocks: Sequence[Block]) -> Tensor:
        """The first token has projections of its own, unless they are still the copies of a conversion."""
        qkv = self._project(self.projections, x)
        qkv_of_first = self._project(self.projections_of_first, x) or qkv
        first, *others = blocks
        mixed = [_mix(qkv_of_first, first), *(_mix(qkv, block) for block in others)]
        return torch.cat(mixed, dim=2).transpose(1, 2).flatten(2)

    def _project(self, projections: nn.ModuleList, x: Tensor) -> list[Tensor]:
        return [project(x).unflatten(2, (self.heads, -1)).transpose(1, 2) for project in projections]


def _mix(qkv: Sequence[Tensor], block: Block) -> Tensor:
    q, k, v = qkv
    rows, columns = block.rows, block.columns
    return F.scaled_dot_product_attention(q[:, :, rows], k[:, :, columns], v[:, :, columns], attn_mask=block.mask)


def _window(config: Any) -> int:
    """The published models have the same window in all layers."""
    declared = getattr(config, "attention_window", WINDOW)
    windows = {declared} if isinstance(declared, int) else set(declared)
    if len(windows) != 1:
        raise ModelError(f"this Longformer has windows of {sorted(windows)} tokens: only one for all layers is read")
    return int(windows.pop())


def tiled(table: nn.Embedding, first: int) -> nn.Embedding:
    """Positions 0, 1, 2, ... of the table, which stand from row `first` on, over and over."""
    known = table.weight.detach()
    repeats = -(-LONGEST // (len(known) - first))
    weight = torch.cat([known[:first], known[first:].repeat(repeats, 1)])[: max(first + LONGEST, len(known))]
    longer = nn.Embedding(*weight.shape)
    longer.weight = nn.Parameter(weight)
    return longer


def read_long(plm: TransformerPLM, encoder: LongEncoder, length: int) -> TransformerPLM:
    """The PLM with its encoder made long, cutting texts to so many tokens."""
    return TransformerPLM(encoder, plm.tokenizer, pooling=plm.pooling, max_length=length)

"""OAG-BERT in the layout its authors publish: bert_config.json, vocab.txt, pytorch_model.bin, and `version` with a 2.

It is BERT with three changes. The norms come before attention and feed-forward net, not behind them. Token types are
entity types. And positions have two dimensions: a paper is a row of spans (its text, its venue, each author, ...), and
a token has the number of its span and its place within the span. A plain text is one span of the type "text", without
[CLS] and [SEP]. Version 1, without the file `version`, knows no entities and reads texts as BERT does.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from futex.errors import ModelError
from futex.files import write_text
from futex.json_files import read_object
from futex.plm.checkpoint_check import check_pickled, check_vocabulary
from futex.plm.checkpoints import OAG_BERT_CONFIG, one_clear_line
from futex.plm.embedded import WEIGHTS
from futex.plm.packed import Sequences
from futex.plm.protocol import Array, Schedule, Trainer
from futex.plm.transformer import Result, TransformerPLM

PICKLED_WEIGHTS, VOCABULARY, VERSION = "pytorch_model.bin", "vocab.txt", "version"
NORM_EPSILON = 1e-12
TEXT = 0
"""The entity type of a plain text; authors, venues, affiliations and fields of study follow."""

LAYOUT = {
    "words": "embeddings.word_embeddings",
    "positions": "embeddings.position_embeddings",
    "types": "embeddings.token_type_embeddings",
    "norm": "embeddings.LayerNorm",
    "attention_norm": "PreAttentionLayerNorm",
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "out": "attention.output.dense",
    "feed_forward_norm": "PostAttentionLayerNorm",
    "widen": "intermediate.dense_act",
    "narrow": "output.dense",
    "final_norm": "encoder.FinalLayerNorm",
    "pooler": "pooler.dense_act",
}
"""Our names and those of the published weights; a layer's follow `encoder.layer.N`."""


SETTINGS = (
    "vocab_size",
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "intermediate_size",
    "hidden_act",
    "max_position_embeddings",
    "type_vocab_size",
)
"""What bert_config.json has to say."""

ACTIVATIONS: Mapping[str, Callable[[Tensor], Tensor]] = {"gelu": F.gelu, "relu": F.relu}


class OagBert(nn.Module):
    """The encoder; `forward` reads texts, `embeddings` any spans."""

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.config = config
        size = config.hidden_size
        self.words = nn.Embedding(config.vocab_size, size)
        self.positions = nn.Embedding(config.max_position_embeddings, size)
        self.types = nn.Embedding(config.type_vocab_size, size)
        self.norm = nn.LayerNorm(size, NORM_EPSILON)
        self.layers = nn.ModuleList(_Layer(config) for _ in range(config.num_hidden_layers))
        self.final_norm = nn.LayerNorm(size, NORM_EPSILON)
        self.pooler = nn.Linear(size, size)

    @property
    def device(self) -> torch.device:
        return self.words.weight.device

    def embeddings(self, ids: Tensor, types: Tensor, spans: Tensor | None, places: Tensor) -> Tensor:
        """Word + entity type + number of the span + place within it.

        One table serves both dimensions: the published weights hold a second one, which the published code never reads.
        """
        x: Tensor = self.words(ids) + self.types(types) + self.positions(places)
        normed: Tensor = self.norm(x if spans is None else x + self.positions(spans))
        return normed

    def forward(
        self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor | None = None
    ) -> SimpleNamespace:
        """States of texts, each of them the only span of its paper (version 2), or simply a text (version 1)."""
        zeros = torch.zeros_like(input_ids)
        types, spans = zeros if token_type_ids is None else token_type_ids, zeros
        places = torch.arange(input_ids.shape[1], device=self.device).expand_as(input_ids)
        x = self.embeddings(input_ids, types, spans if self.config.version == 2 else None, places)
        seen = attention_mask[:, None, None, :].bool()
        for layer in self.layers:
            x = layer(x, seen)
        return SimpleNamespace(last_hidden_state=self.final_norm(x))


class _Layer(nn.Module):
    def __init__(self, config: Any) -> None:
        super().__init__()
        size = config.hidden_size
        self.heads = config.num_attention_heads
        self.activation = ACTIVATIONS[config.hidden_act]
        self.attention_norm = nn.LayerNorm(size, NORM_EPSILON)
        self.query, self.key, self.value, self.out = (nn.Linear(size, size) for _ in range(4))
        self.feed_forward_norm = nn.LayerNorm(size, NORM_EPSILON)
        self.widen = nn.Linear(size, config.intermediate_size)
        self.narrow = nn.Linear(config.intermediate_size, size)

    def forward(self, x: Tensor, seen: Tensor) -> Tensor:
        x = x + self.out(self._attend(self.attention_norm(x), seen))
        out: Tensor = x + self.narrow(self.activation(self.widen(self.feed_forward_norm(x))))
        return out

    def _attend(self, x: Tensor, seen: Tensor) -> Tensor:
        q, k, v = (
            part(x).unflatten(2, (self.heads, -1)).transpose(1, 2) for part in (self.query, self.key, self.value)
        )
        return F.scaled_dot_product_attention(q, k, v, attn_mask=seen).transpose(1, 2).flatten(2)


class OagBertPLM(TransformerPLM):
    """OAG-BERT as a PLM: a text's vector is the pooled state of its first token, as its authors compare papers."""

    model: OagBert

    def _pooled(self, rows: Tensor) -> Array:
        pooled: Array = torch.tanh(self.model.pooler(rows[0])).cpu().numpy()
        return pooled

    def _in_packs(self, sequences: Sequences, use: Callable[[Tensor], Result], *, first_only: bool) -> list[Result]:
        """A text without any token is an unknown one: there may be no [CLS] to stand for it."""
        ids = [own or [self.tokenizer.unk_token_id] for own in sequences.ids]
        return super()._in_packs(Sequences(ids, [own or [TEXT] for own in sequences.types]), use, first_only=first_only)

    def trainer(self, schedule: Schedule) -> Trainer:
        raise ModelError("OAG-BERT is not fine-tuned here: use --method oag-bert, or futex-no-network")

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        config = self.model.config
        write_text(folder / OAG_BERT_CONFIG, json.dumps({key: getattr(config, key) for key in SETTINGS}, indent=2))
        by_id = sorted(self.tokenizer.get_vocab().items(), key=lambda item: item[1])
        write_text(folder / VOCABULARY, "".join(f"{token}\n" for token, _ in by_id))
        write_text(folder / VERSION, f"{config.version}\n")
        save_file({_published(name): tensor for name, tensor in self.model.state_dict().items()}, folder / WEIGHTS)


def load_oag_bert(folder: Path) -> OagBertPLM:
    """A folder as its authors publish it, or as `save` writes it."""
    with one_clear_line(str(folder)):
        model = _model(_config(folder), _weights(folder))
        tokenizer = _tokenizer(folder, model.config.version)
        plm = OagBertPLM(model.to("cuda" if torch.cuda.is_available() else "cpu"), tokenizer, pooling="cls")
        plm.try_out()
    return plm


def _config(folder: Path) -> SimpleNamespace:
    published = read_object(folder / OAG_BERT_CONFIG)
    if missing := [key for key in SETTINGS if key not in published]:
        raise ModelError(f"{OAG_BERT_CONFIG} has no {missing[0]!r}")
    settings = {key: published[key] for key in SETTINGS}
    if settings["hidden_act"] not in ACTIVATIONS:
        raise ModelError(f"its hidden_act is {settings['hidden_act']!r}, not {' or '.join(ACTIVATIONS)}")
    version = folder / VERSION
    number = 2 if version.exists() and version.read_text(encoding="utf-8").strip() == "2" else 1
    return SimpleNamespace(**settings, version=number, model_type=f"oag-bert-{number}")


def _weights(folder: Path) -> Mapping[str, Tensor]:
    if (folder / WEIGHTS).exists():
        return load_file(folder / WEIGHTS)
    if not (folder / PICKLED_WEIGHTS).exists():
        raise ModelError(f"it has no {PICKLED_WEIGHTS}")
    check_pickled(folder / PICKLED_WEIGHTS)
    weights: Mapping[str, Tensor] = torch.load(folder / PICKLED_WEIGHTS, map_location="cpu", weights_only=True)
    return weights


def _model(config: SimpleNamespace, weights: Mapping[str, Tensor]) -> OagBert:
    """Every weight of ours is the published one; the heads for pre-training stay behind."""
    if config.num_hidden_layers > len(weights):
        raise ModelError(f"its weights do not have {config.num_hidden_layers} layers")
    with torch.device("meta"):  # sizes without memory, until the weights are seen to fit
        model = OagBert(config)
    filled = {}
    for name, own in model.state_dict().items():
        published = _published(name)
        if published not in weights:
            raise ModelError(f"its weights have no {published!r}")
        if weights[published].shape != own.shape:
            found = tuple(weights[published].shape)
            raise ModelError(f"{published!r} is {found}, but by {OAG_BERT_CONFIG} it should be {tuple(own.shape)}")
        filled[name] = weights[published].float().clone()
    model.load_state_dict(filled, assign=True)
    return model


def _published(name: str) -> str:
    """`layers.3.query.weight` is published as `bert.encoder.layer.3.attention.self.query.weight`."""
    *layer, part, kind = name.split(".")
    place = [*(["encoder", "layer", layer[1]] if layer else []), LAYOUT[part], kind]
    return ".".join(["bert", *place])


def _tokenizer(folder: Path, version: int) -> Any:
    from tokenizers.processors import TemplateProcessing
    from transformers import BertTokenizer

    if not (folder / VOCABULARY).exists():
        raise ModelError(f"it has no {VOCABULARY} (the Chinese OAG-BERT is not read)")
    check_vocabulary(folder / VOCABULARY)
    tokenizer = BertTokenizer(str(folder / VOCABULARY))
    if version == 2:
        tokenizer.backend_tokenizer.post_processor = TemplateProcessing(single="$A", pair="$A $B:1", special_tokens=[])
    return tokenizer

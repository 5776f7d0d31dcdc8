"""A checkpoint of the transformers library as our PLM, on a GPU when there is one."""

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from torch import Tensor

from futex.errors import ModelError
from futex.files import write_text
from futex.plm.bf16 import is_in_bf16
from futex.plm.forward import hidden_states
from futex.plm.later import SETTINGS_FILE
from futex.plm.packed import Sequences, packs
from futex.plm.protocol import PARAGRAPH_TOKENS, Array, Schedule, Trainer, Triple
from futex.plm.side_by_side import cores, side_by_side
from futex.plm.tokens import Tokens

Pooling = Literal["cls", "mean"]
Result = TypeVar("Result")

TOKENS_PER_PACK = 2048
TOKENS_PER_PACK_ON_GPU = 65536
CPU_FLOPS = 44e9
"""What a core reaches over a whole fine-tuning of MiniLM, the looks at the dev loss included (see docs/fidelity.md)."""

ROBERTA_FAMILY = frozenset(
    {
        *("roberta", "mpnet", "xlm-roberta", "camembert", "longformer", "xmod"),
        *("data2vec-text", "ibert", "xlm-roberta-xl", "roberta-prelayernorm"),
    }
)
HEAD_FILE = "cross_encoder_head.safetensors"
MERE_NAMES = frozenset(
    {"_name_or_path", "architectures", "transformers_version", "dtype", "torch_dtype", "id2label", "label2id"}
)
"""Settings of a checkpoint that change no vector."""


class TransformerPLM:
    """An encoder with its tokenizer and, after fine-tuning, the vector w of the Cross-Encoder."""

    def __init__(
        self, model: Any, tokenizer: Any, *, pooling: Pooling, max_length: int = 512, head: Tensor | None = None
    ) -> None:
        self.model = model.eval()
        self.tokenizer = tokenizer
        self.pooling: Pooling = pooling
        self.head = head
        self.tokens = Tokens(tokenizer, min(max_length, _positions(model)))

    @property
    def dimension(self) -> int:
        return int(self.model.config.hidden_size)

    def embed(self, texts: Sequence[str]) -> Array:
        """h of Eq. (5): the [CLS] state, or the mean of all states where the checkpoint was trained for that."""
        sequences = self.tokens.singles(texts)
        return np.stack(self._in_packs(sequences, self._pooled, first_only=self.pooling == "cls"))

    def try_out(self) -> None:
        """Raise whatever a text and a pair make go wrong: numbers that are none, tokens and types without vectors."""
        known, largest = self.model.config.vocab_size, max(self.tokenizer.get_vocab().values())
        if largest >= known:
            raise ValueError(f"its tokenizer has a token {largest}, and its model has {known}")
        w = torch.ones(self.dimension) if self.head is None else self.head.cpu()
        if w.shape != (self.dimension,):
            raise ValueError(f"the vector of its Cross-Encoder is not {self.dimension} numbers")
        with torch.inference_mode():
            states = hidden_states(self.model, self.tokens.singles(["a"]), first_only=True)
            states += hidden_states(self.model, self.tokens.pairs([("a", "b")]), first_only=True)
        if not all(bool(torch.isfinite(rows.float().cpu() @ w).all()) for rows in states):
            raise ValueError("its vectors are not numbers")

    def embed_tokens(self, ids: Iterable[int]) -> Array:
        """Each token of the vocabulary as a text of its own."""
        return np.stack(self._in_packs(self.tokens.framed([[i] for i in ids]), self._pooled, first_only=False))

    def score(self, pairs: Sequence[tuple[str, str]]) -> Array:
        """wᵀ PLM([CLS] a [SEP] b [SEP]) of Eq. (4)."""
        return self.score_sequences(self.tokens.pairs(pairs))

    def score_sequences(self, sequences: Sequences) -> Array:
        """wᵀ e of pairs that are tokens already."""
        head = self.head
        if head is None:
            raise ModelError("this PLM was not fine-tuned as a Cross-Encoder, so it cannot score pairs")
        scores = self._in_packs(sequences, lambda rows: float(rows[0] @ head), first_only=True)
        return np.array(scores, dtype=np.float32)

    def _pooled(self, rows: Tensor) -> Array:
        pooled: Array = (rows[0] if self.pooling == "cls" else rows.mean(dim=0)).float().cpu().numpy()
        return pooled

    def _in_packs(self, sequences: Sequences, use: Callable[[Tensor], Result], *, first_only: bool) -> list[Result]:
        """`use` on the states of each sequence. The longest go first, so that no core is left with them."""
        order = sorted(range(len(sequences.ids)), key=lambda i: -len(sequences.ids[i]))
        lengths = [len(sequences.ids[i]) for i in order]
        runs = [order[run.start : run.stop] for run in packs(lengths, self._tokens_per_pack(sum(lengths)))]

        def one_pack(run: Sequence[int]) -> list[Result]:
            with torch.inference_mode():
                return [use(rows) for rows in hidden_states(self.model, sequences.part(run), first_only=first_only)]

        on_cpu = self.model.device.type == "cpu"
        results = chain.from_iterable(side_by_side(one_pack, runs) if on_cpu else map(one_pack, runs))
        found = dict(zip(order, results, strict=True))
        return [found[i] for i in range(len(order))]

    def _tokens_per_pack(self, tokens: int) -> int:
        """Enough for matrices at full speed, few enough for a core's cache; a short job is shared by all cores."""
        if self.model.device.type != "cpu":
            return TOKENS_PER_PACK_ON_GPU
        return min(TOKENS_PER_PACK, -(-tokens // cores()))

    @cached_property
    def fingerprint(self) -> str:
        digest = hashlib.blake2b(digest_size=16)
        for name, tensor in sorted(self.model.state_dict().items()):
            digest.update(f"{name}{tuple(tensor.shape)}{tensor.dtype}".encode())
            digest.update(tensor.detach().cpu().contiguous().view(torch.uint8).numpy().tobytes())
        if self.head is not None:
            digest.update(self.head.cpu().numpy().tobytes())
        settings = [self.pooling, self.tokens.max_length, _behaviour(self.model.config)]
        digest.update(json.dumps(settings, sort_keys=True, default=str).encode())
        digest.update(_tokenization(self.tokenizer).encode())
        if is_in_bf16(self.model):
            digest.update(b"bf16")
        return digest.hexdigest()

    def trainer(self, schedule: Schedule) -> Trainer:
        from futex.plm.training import ContrastiveTrainer

        return ContrastiveTrainer(self, schedule)

    def affordable_triples(self, cpu_seconds: float, sample: Sequence[Triple]) -> int | None:
        if self.model.device.type != "cpu":
            return None
        pairs = [(t.anchor, other) for t in sample for other in (t.positive, t.negative)]
        lengths = [len(ids) for ids in self.tokens.pairs(pairs, each=PARAGRAPH_TOKENS).ids]
        flops = sum(self.flops(n) for n in lengths) / len(sample)
        return int(cpu_seconds * CPU_FLOPS / (3 * flops))

    def flops(self, tokens: int) -> float:
        """Multiply-adds of one forward pass, twice: every layer weight for each token, and the attention."""
        config = self.model.config
        weights = sum(p.numel() for name, p in self.model.named_parameters() if "embeddings" not in name)
        return float(2 * weights * tokens + 4 * config.num_hidden_layers * config.hidden_size * tokens**2)

    def save(self, folder: Path) -> None:
        """A folder that transformers reads too, plus w, the pooling and the precision."""
        self.model.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)
        if self.head is not None:
            save_file({"w": self.head.cpu()}, folder / HEAD_FILE)
        settings = {"pooling": self.pooling, "max_length": self.tokens.max_length, "bf16": is_in_bf16(self.model)}
        write_text(folder / SETTINGS_FILE, json.dumps(settings, indent=2) + "\n")


def _positions(model: Any) -> int:
    """How many positions the checkpoint knows; RoBERTa's family counts from behind the padding id."""
    config = model.config
    known = getattr(config, "max_position_embeddings", 512)
    offset = config.pad_token_id + 1 if config.model_type in ROBERTA_FAMILY else 0
    return int(known - offset)


def _behaviour(config: Any) -> dict[str, Any]:
    """The settings that may change the vectors without changing the weights; each architecture has its own.

    Not those that every configuration has by default: their number changes from one version of transformers to another.
    """
    settings = config.to_diff_dict() if hasattr(config, "to_diff_dict") else vars(config)
    return {key: value for key, value in settings.items() if key not in MERE_NAMES} | {"model_type": config.model_type}


def _tokenization(tokenizer: Any) -> str:
    """All that makes tokens of a text; where texts are cut is no part of it, as each call says that anew."""
    backend = Tokenizer.from_str(tokenizer.backend_tokenizer.to_str())
    backend.no_truncation()
    backend.no_padding()
    return backend.to_str()

"""A light PLM: one fixed vector a token, distilled from a real PLM without any data (after model2vec).

The PLM encodes every token of its own vocabulary once; a text is then the mean of its tokens' vectors. Two steps make
that mean useful: the vectors are reduced to their principal components, and frequent tokens count less, their
frequencies being guessed from their places in the vocabulary by Zipf's law.
"""

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer

from futex.errors import ModelError
from futex.files import replacing, write_text
from futex.json_files import read_object
from futex.plm.names import STATIC_VECTORS
from futex.plm.protocol import Array, Schedule, Trainer, Triple
from futex.plm.tokenizer_check import check_tokenizer

DIMENSION = 256
RARITY = 1e-4
"""a in the weight a / (a + p) of a token that has probability p."""

DISTILLING_VERSION = 1
"""Goes up with every change to `distil` that changes the vectors it ends with: a static PLM in the cache names it."""

TOKENIZER_FILE = "tokenizer.json"
MAX_CHARACTERS = 100_000
"""A text's first so many characters are read: no paragraph is longer."""


class StaticPLM:
    """Encodes texts by looking tokens up. It reads no pairs, so there is no Cross-Encoder and nothing to fine-tune."""

    pooling = "mean"

    def __init__(self, vectors: Array, tokenizer: Tokenizer) -> None:
        self._vectors = vectors
        self._tokenizer = tokenizer
        tokenizer.no_truncation()
        tokenizer.no_padding()

    @property
    def dimension(self) -> int:
        return int(self._vectors.shape[1])

    @cached_property
    def fingerprint(self) -> str:
        digest = hashlib.blake2b(self._vectors.tobytes(), digest_size=16)
        digest.update(self._tokenizer.to_str().encode())
        return digest.hexdigest()

    def embed(self, texts: Sequence[str]) -> Array:
        """The weighted mean of the tokens' vectors; zero for a text without any."""
        cut = [text[:MAX_CHARACTERS] for text in texts]
        encoded = self._tokenizer.encode_batch_fast(cut, add_special_tokens=False)
        rows = np.zeros((len(texts), self.dimension), np.float32)
        for row, tokens in zip(rows, encoded, strict=True):
            if tokens.ids:
                row[:] = self._vectors[tokens.ids].mean(axis=0)
        return rows

    def score(self, pairs: Sequence[tuple[str, str]]) -> Array:
        raise ModelError("a static PLM cannot read pairs: use --plm embedded for a Cross-Encoder")

    def trainer(self, schedule: Schedule) -> Trainer:
        raise ModelError("a static PLM cannot be fine-tuned: leave --triples out, or use --plm embedded")

    def affordable_triples(self, cpu_seconds: float, sample: Sequence[Triple]) -> int | None:
        return 0

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        write_text(folder / TOKENIZER_FILE, self._tokenizer.to_str(pretty=True))
        with replacing(folder / STATIC_VECTORS) as temporary:
            save_file({"vectors": self._vectors}, temporary)

    @classmethod
    def load(cls, folder: Path) -> "StaticPLM":
        try:
            check_tokenizer(read_object(folder / TOKENIZER_FILE), folder / TOKENIZER_FILE)
            vectors, tokenizer = (
                load_file(folder / STATIC_VECTORS)["vectors"],
                Tokenizer.from_file(str(folder / TOKENIZER_FILE)),
            )
            if (
                vectors.ndim != 2
                or max(tokenizer.get_vocab().values()) >= len(vectors)
                or not np.isfinite(vectors).all()
            ):
                raise ValueError("not one vector a token")
            return cls(vectors.astype(np.float32), tokenizer)
        except Exception as error:  # tokenizers raises bare Exceptions
            raise ModelError(f"{folder} does not hold a static PLM: {error}; delete it to make it again") from error


def distil(teacher: Any) -> StaticPLM:
    """A static PLM out of a `TransformerPLM`: its vocabulary, encoded token by token."""
    from futex.plm.side_by_side import side_by_side

    (principal,) = side_by_side(_principal, [teacher.embed_tokens(range(len(teacher.tokenizer)))])
    vectors = _weighted(principal)
    backend = Tokenizer.from_str(teacher.tokenizer.backend_tokenizer.to_str())
    vectors[sorted(set(teacher.tokenizer.all_special_ids))] = 0
    return StaticPLM(vectors, backend)


def _principal(vectors: Array) -> Array:
    """The directions in which the vocabulary differs most, at most `DIMENSION` of them.

    By torch, on the one thread that it is called on: numpy's libraries share it out, and its bits would depend on how.
    """
    import torch  # only those who distil wait for it

    centred = torch.from_numpy(vectors - vectors.mean(axis=0))
    _, directions = torch.linalg.eigh(centred.T @ centred)
    components: Array = (centred @ directions.flip(1)[:, :DIMENSION]).numpy()
    return components


def _weighted(vectors: Array) -> Array:
    """Vocabularies list tokens by frequency; the r-th of them has a probability of about 1 / r, normalised."""
    by_rank = 1 / (np.arange(len(vectors)) + 2)
    probability = by_rank / by_rank.sum()
    weighted: Array = (vectors * (RARITY / (RARITY + probability))[:, None]).astype(np.float32)
    return weighted

"""Abstract-label pairs a second, exact: packed Cross-Encoding against pairs padded to 512 tokens in batches of 32.

python benchmarks/pairs.py [--papers build/demo/papers.parquet] [--labels build/demo/labels.jsonl] [--pairs 128]
"""

import argparse

import numpy as np
import torch
from measuring import best_of, embedded, flops, table

from futex import read_labels, read_papers
from futex.candidates import Matcher, retrieve
from futex.plm.transformer import TransformerPLM

BATCH = 32


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--papers", default="build/demo/papers.parquet")
    parser.add_argument("--labels", default="build/demo/labels.jsonl")
    parser.add_argument("--pairs", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    papers, labels = read_papers(options.papers, limit=60), read_labels(options.labels)
    candidates = retrieve(papers, Matcher(labels))
    pairs = [(p.title_and_abstract, labels[label].text) for p in papers for label in candidates[p.id]][: options.pairs]
    plm = embedded()
    plm.head = torch.randn(plm.dimension, generator=torch.Generator().manual_seed(0))
    np.testing.assert_allclose(plm.score(pairs[:8]), padded(plm, pairs[:8]), atol=1e-4)
    seconds = best_of({"futex": lambda: plm.score(pairs), "padded": lambda: padded(plm, pairs)}, options.rounds)
    lengths = [len(ids) for ids in plm.tokens.pairs(pairs).ids]
    ideal = flops(plm, [512] * len(pairs), first_only=False) / flops(plm, lengths, first_only=True)
    print(
        f"Pairs: {len(pairs)}, {np.mean(lengths):.0f} tokens on average, {ideal:.1f}× less arithmetic without padding"
    )
    rows = [[name, f"{len(pairs) / best:.1f}", f"{best / seconds['futex']:.2f}×"] for name, best in seconds.items()]
    table("Cross-Encoder | pairs/s | futex is faster by", rows)


def padded(plm: TransformerPLM, pairs: list[tuple[str, str]]) -> np.ndarray:
    scores = []
    for start in range(0, len(pairs), BATCH):
        first, second = zip(*pairs[start : start + BATCH], strict=True)
        options = {"padding": "max_length", "truncation": True, "max_length": 512, "return_tensors": "pt"}
        with torch.inference_mode():
            states = plm.model(**plm.tokenizer(list(first), list(second), **options)).last_hidden_state
            scores.append((states[:, 0] @ plm.head).numpy())
    return np.concatenate(scores)


if __name__ == "__main__":
    main()

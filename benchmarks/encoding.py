"""Paragraphs per second: packed encoding against transformers padded to 512 tokens in batches of 32.

Both sides encode the same paragraphs of the demo corpus, one after the other in every round; the best round of each
counts, and the ratio is what matters.

    python benchmarks/encoding.py [--papers build/demo/papers.parquet] [--paragraphs 64] [--rounds 3]
"""

import argparse
import time
from collections.abc import Callable

import torch

from futex import read_papers
from futex.plm.checkpoints import load_plm


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--papers", default="build/demo/papers.parquet")
    parser.add_argument("--paragraphs", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    papers = read_papers(options.papers, limit=20)
    texts = [leaf.text for paper in papers for leaf in paper.tree.leaves()][: options.paragraphs]
    print("| pooling | padded to 512, paragraphs/s | packed, paragraphs/s | ratio |")
    print("|---|---|---|---|")
    for pooling in ("mean", "cls"):
        plm = load_plm("embedded", pooling=pooling)
        sides = {"padded": lambda plm=plm: padded(plm, texts), "packed": lambda plm=plm: plm.embed(texts)}
        seconds = best_of(sides, options.rounds)
        speeds = {name: len(texts) / best for name, best in seconds.items()}
        ratio = speeds["packed"] / speeds["padded"]
        print(f"| {pooling} | {speeds['padded']:.1f} | {speeds['packed']:.1f} | {ratio:.1f}× |")


def padded(plm: object, texts: list[str]) -> None:
    """What the research code does at best: batches of 32, every text padded to 512 tokens."""
    for start in range(0, len(texts), 32):
        options = {"padding": "max_length", "truncation": True, "max_length": 512, "return_tensors": "pt"}
        inputs = plm.tokenizer(texts[start : start + 32], **options)
        with torch.inference_mode():
            plm.model(**inputs)


def best_of(sides: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    best = dict.fromkeys(sides, float("inf"))
    for _ in range(rounds):
        for name, work in sides.items():
            start = time.perf_counter()
            work()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


if __name__ == "__main__":
    main()

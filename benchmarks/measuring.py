"""How every figure here is taken: the sides of a comparison take turns in one process, the best round of each counts.

Machines are shared and noisy: a disturbance hits one round of one side, seldom all rounds of it, and ratios of best
rounds hold where single timings do not.
"""

import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import torch

from futex.corpus.paper import Paper
from futex.plm.checkpoints import load_plm
from futex.plm.side_by_side import cores, side_by_side
from futex.plm.transformer import TransformerPLM

FUTEX = [sys.executable, "-m", "futex"]


def best_of(sides: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Seconds of the best round of each side; a round goes through all sides."""
    best = dict.fromkeys(sides, float("inf"))
    for _ in range(rounds):
        for name, work in sides.items():
            start = time.perf_counter()
            work()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def table(header: str, rows: list[list[str]]) -> None:
    print(f"| {header} |")
    print("|" + "---|" * (header.count("|") + 1))
    for row in rows:
        print("| " + " | ".join(row) + " |", flush=True)
    print()


def size_of(folder: Path) -> int:
    """Bytes on disk."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def embedded(pooling: str = "mean") -> TransformerPLM:
    plm = load_plm("embedded", pooling=pooling)
    assert isinstance(plm, TransformerPLM)
    return plm


def paragraphs(papers: list[Paper], plm: TransformerPLM, most: int, longest: int | None = None) -> list[str]:
    """Real paragraphs of a corpus, or only those of at most `longest` tokens."""
    texts = [leaf.text for paper in papers for leaf in paper.body.leaves()]
    lengths = [len(ids) for ids in plm.tokens.singles(texts).ids]
    return [text for text, n in zip(texts, lengths, strict=True) if longest is None or n <= longest][:most]


def flops(plm: TransformerPLM, lengths: list[int], *, first_only: bool) -> float:
    """The arithmetic that cannot be left out: all layers, but for [CLS] pooling all but the last.

    A layer costs 2 operations for each weight and token, and 4·width·n² for the attention of n tokens.
    """
    config = plm.model.config
    layers = config.num_hidden_layers - first_only
    weights = 4 * config.hidden_size**2 + 2 * config.hidden_size * config.intermediate_size
    return float(sum(layers * (2 * weights * n + 4 * config.hidden_size * n * n) for n in lengths))


def gemm_peak(size: int = 2048, rounds: int = 8) -> float:
    """Operations a second of plain matrix products, one on every core at a time."""
    matrices = [torch.randn(size, size) for _ in range(cores())]

    def multiply(x: torch.Tensor) -> None:
        for _ in range(4):
            x @ x

    best = best_of({"gemm": lambda: list(side_by_side(multiply, matrices))}, rounds)["gemm"]
    return 4 * cores() * 2 * size**3 / best

"""Triples a second in contrastive fine-tuning: our packed steps against plain ones padded to 512 tokens.

    python benchmarks/finetuning.py [--papers build/demo/papers.parquet] [--steps 4] [--rounds 3]

Both learn from the same triples in the same order with the same optimiser, schedule and dropout rates; the loss of
every step is printed beside the times. The random masks differ, so the curves agree but not to the digit.
"""

import argparse
import copy
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from measuring import embedded, paragraphs, table
from torch import nn

from futex import read_papers
from futex.network.finetune import BATCH
from futex.plm.checkpoints import load_plm
from futex.plm.optimisation import adamw, take_step
from futex.plm.protocol import Schedule, Triple
from futex.plm.training import contrastive_loss
from futex.plm.transformer import TransformerPLM


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--papers", default="build/demo/papers.parquet")
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    papers = read_papers(options.papers, limit=40)
    for longest in (200, None):
        compare(paragraphs(papers, embedded(), 3 * BATCH * options.steps, longest), options)


def compare(texts: list[str], options: argparse.Namespace) -> None:
    """The sides take turns, step by step; of each step the best round counts, since some steps have more to read."""
    steps = options.steps
    random.Random(0).shuffle(texts)
    triples = [Triple(*texts[i : i + 3]) for i in range(0, 3 * BATCH * steps, 3)]
    plm = embedded()
    schedule = Schedule(steps=steps, warmup=1, learning_rate=5e-5)
    seconds = {name: np.full(steps, np.inf) for name in SIDES}
    for _ in range(options.rounds):
        trainers = {name: build(plm, schedule) for name, build in SIDES.items()}
        losses: dict[str, list[float]] = {name: [] for name in SIDES}
        for step in range(steps):
            for name, trainer in trainers.items():
                start = time.perf_counter()
                losses[name].append(trainer.step(triples[step * BATCH : (step + 1) * BATCH]))
                seconds[name][step] = min(seconds[name][step], time.perf_counter() - start)
    lengths = [len(ids) for ids in plm.tokens.pairs([t[:2] for t in triples], each=schedule.max_length).ids]
    total = {name: times.sum() for name, times in seconds.items()}
    print(f"Triples: {len(triples)}, {np.mean(lengths):.0f} tokens a pair on average")
    table(
        "fine-tuning | triples/s | faster than padded | loss, step by step",
        [
            [
                name,
                f"{len(triples) / total[name]:.2f}",
                f"{total['padded'] / total[name]:.2f}×",
                " ".join(f"{x:.3f}" for x in losses[name]),
            ]
            for name in SIDES
        ],
    )


class PaddedTrainer:
    """The step as the research code takes it: a batch of pairs, each padded to 512 tokens, dropout by the modules."""

    def __init__(self, plm: TransformerPLM, schedule: Schedule) -> None:
        self._schedule, self._tokenizer, self._done = schedule, plm.tokenizer, 0
        self._model = copy.deepcopy(plm.model).train()
        w = torch.randn(plm.dimension, generator=torch.Generator().manual_seed(schedule.seed)) * 0.02
        self._w = nn.Parameter(w)
        self._optimizer = adamw([*self._model.named_parameters(), ("w", self._w)], schedule)

    def step(self, triples: list[Triple]) -> float:
        loss = self._loss(triples)
        loss.backward()
        take_step(self._optimizer, self._schedule, self._done)
        self._done += 1
        return float(loss.detach())

    def loss(self, triples: list[Triple]) -> float:
        with torch.inference_mode():
            return float(self._loss(triples))

    def _loss(self, triples: list[Triple]) -> torch.Tensor:
        anchors = [t.anchor for t in triples]
        positive = self._scores(anchors, [t.positive for t in triples])
        negative = self._scores(anchors, [t.negative for t in triples])
        return contrastive_loss(positive, negative) / len(triples)

    def _scores(self, first: list[str], second: list[str]) -> torch.Tensor:
        cut = [[self._cut(text) for text in texts] for texts in (first, second)]
        inputs = self._tokenizer(*cut, padding="max_length", truncation=True, max_length=512, return_tensors="pt")
        states: torch.Tensor = self._model(**inputs).last_hidden_state
        return states[:, 0] @ self._w

    def _cut(self, text: str) -> str:
        """Each paragraph of a pair has 256 tokens at most, its special token included."""
        ids = self._tokenizer(text, add_special_tokens=False, truncation=True, max_length=self._schedule.max_length - 2)
        return str(self._tokenizer.decode(ids["input_ids"]))


SIDES: dict[str, Callable[[TransformerPLM, Schedule], Any]] = {
    "futex": lambda plm, schedule: plm.trainer(schedule),
    "futex, bf16": lambda plm, schedule: load_plm("bf16:embedded").trainer(schedule),
    "padded": PaddedTrainer,
}


if __name__ == "__main__":
    main()

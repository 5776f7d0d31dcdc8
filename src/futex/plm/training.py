"""Contrastive fine-tuning of a Cross-Encoder in torch (Eqs. 1-3). The loop around it is `network.learning`."""

import copy
import time
from collections.abc import Iterator, Sequence
from itertools import starmap
from pathlib import Path
from typing import Any, NamedTuple

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn.functional import softplus

from futex.plm.dropout import Dropout
from futex.plm.forward import hidden_states
from futex.plm.heap import give_memory_back
from futex.plm.lanes import fair_shares, gather_gradients, spare_lanes, twin
from futex.plm.optimisation import adamw, moments, restore, take_step
from futex.plm.packed import Sequences
from futex.plm.protocol import Schedule, Triple
from futex.plm.share import Share
from futex.plm.side_by_side import side_by_side
from futex.plm.transformer import TransformerPLM

TRIPLES_AT_ONCE = 1
"""A batch's gradients are summed over portions of this size: the same step in a fraction of the memory, and portions
are what the cores share."""


def contrastive_loss(positive: Tensor, negative: Tensor) -> Tensor:
    """Eq. (3): J = −log( exp(sim⁺) / (exp(sim⁺) + exp(sim⁻)) ) = softplus(sim⁻ − sim⁺), summed over triples."""
    return softplus(negative - positive).sum()


class ContrastiveTrainer:
    """AdamW with a linear warm-up and decay, on a copy of the PLM.

    Dropout is seeded step by step and portion by portion, so a run that was broken off and goes on ends with the very
    weights of an unbroken one, and several processes that share the portions end with those of one.
    """

    def __init__(self, plm: TransformerPLM, schedule: Schedule, share: Share | None = None) -> None:
        self._plm = plm
        self._schedule = schedule
        self._share = share or Share.of_this_process()
        self._model = copy.deepcopy(plm.model)
        generator = torch.Generator().manual_seed(schedule.seed)
        w = torch.randn(plm.model.config.hidden_size, generator=generator) * 0.02
        self._w = nn.Parameter(w.to(plm.model.device))
        self._lanes = [_Lane(self._model, self._w), *(self._twin() for _ in range(spare_lanes(plm.model)))]
        self._optimizer = adamw([*self._model.named_parameters(), ("w", self._w)], schedule)
        self._steps_done = 0
        self._best: dict[str, Tensor] = self._weights()

    def _twin(self) -> "_Lane":
        return _Lane(twin(self._model), nn.Parameter(self._w.data))

    def step(self, triples: Sequence[Triple]) -> float:
        loss = self._backward(triples)
        take_step(self._optimizer, self._schedule, self._steps_done)
        self._steps_done += 1
        give_memory_back(self._steps_done)
        return loss

    def _backward(self, triples: Sequence[Triple]) -> float:
        starts = range(0, len(triples), TRIPLES_AT_ONCE)
        portions = {
            number: self._sequences(triples[starts[number] : starts[number] + TRIPLES_AT_ONCE])
            for number in self._share.numbers(len(starts))
        }
        sizes = {number: sum(map(len, sequences.ids)) for number, sequences in portions.items()}

        def run(lane: "_Lane", numbers: Sequence[int]) -> float:
            total = 0.0
            for number in numbers:
                dropout = Dropout(self._schedule.seed, self._steps_done, number)
                loss = _portion_loss(lane, portions[number], dropout) / len(triples)
                torch.autograd.backward(loss)
                total += float(loss.detach())
            return total

        turns = zip(self._lanes, fair_shares(sizes, len(self._lanes)), strict=True)
        total = sum(side_by_side(lambda turn: run(*turn), turns) if len(self._lanes) > 1 else starmap(run, turns))
        gather_gradients(self._lanes)
        self._share.sum_gradients(self._lanes[0].parameters())
        return self._total(total)

    def _total(self, number: float) -> float:
        return float(self._share.total(torch.tensor(number, dtype=torch.float64, device=self._w.device)))

    def loss(self, triples: Sequence[Triple]) -> float:
        ours = [triples[number] for number in self._share.numbers(len(triples))]
        scorer = TransformerPLM(self._model, self._plm.tokenizer, pooling=self._plm.pooling, head=self._w.detach())
        scores = torch.from_numpy(scorer.score_sequences(self._sequences(ours)))
        return self._total(float(contrastive_loss(scores[: len(ours)], scores[len(ours) :]))) / len(triples)

    def _sequences(self, triples: Sequence[Triple]) -> Sequences:
        pairs = [(t.anchor, t.positive) for t in triples] + [(t.anchor, t.negative) for t in triples]
        return self._plm.tokens.pairs(pairs, each=self._schedule.max_length)

    def seconds_per_triple(self, triples: Sequence[Triple]) -> float:
        self._backward(triples[:TRIPLES_AT_ONCE])
        start = time.perf_counter()
        self._backward(triples)
        elapsed = time.perf_counter() - start
        self._optimizer.zero_grad()
        return elapsed / len(triples)

    def keep(self) -> None:
        self._best = self._weights()

    def best(self) -> TransformerPLM:
        model = copy.deepcopy(self._plm.model)
        weights = dict(self._best)
        head = weights.pop("w")
        model.load_state_dict(weights)
        return TransformerPLM(
            model, self._plm.tokenizer, pooling=self._plm.pooling, max_length=self._plm.tokens.max_length, head=head
        )

    def _weights(self) -> dict[str, Tensor]:
        weights = {name: tensor.detach().clone() for name, tensor in self._model.state_dict().items()}
        return {**weights, "w": self._w.detach().clone()}

    def save(self, folder: Path) -> None:
        save_file(self._weights(), folder / "weights.safetensors")
        save_file(self._best, folder / "best.safetensors")
        state = {**moments(self._optimizer), "steps_done": torch.tensor(self._steps_done)}
        save_file(state, folder / "optimizer.safetensors")

    def load(self, folder: Path) -> None:
        weights = load_file(folder / "weights.safetensors")
        with torch.no_grad():
            self._w.copy_(weights.pop("w"))
        self._model.load_state_dict(weights)
        self._best = load_file(folder / "best.safetensors")
        state = load_file(folder / "optimizer.safetensors")
        self._steps_done = int(state.pop("steps_done"))
        restore(self._optimizer, state)


def _portion_loss(lane: "_Lane", pairs: Sequences, dropout: Dropout) -> Tensor:
    """Of triples as `_sequences` has them: first all positive pairs, then the negative ones."""
    states = hidden_states(lane.model, pairs, first_only=True, dropout=dropout)
    positive, negative = (torch.cat(states) @ lane.w).chunk(2)
    return contrastive_loss(positive, negative)


class _Lane(NamedTuple):
    model: Any
    w: nn.Parameter

    def parameters(self) -> Iterator[nn.Parameter]:
        yield from self.model.parameters()
        yield self.w

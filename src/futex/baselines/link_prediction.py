"""Link prediction with in-batch negatives: which of the batch is each node linked with?

MICoL's Bi-Encoder, PLM+GAT and GraphFormers are trained so; they differ in how a node becomes a vector, and in how two
vectors are compared.
"""

import logging
from collections.abc import Callable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.nn.functional import cross_entropy

from futex.baselines.links import NEIGHBOURS, Link, Network
from futex.baselines.node_encoder import Graph, NodeEncoder
from futex.baselines.setting import Setting
from futex.network.contrastive import CPU_BUDGET
from futex.network.finetune import PAPER_TRIPLES
from futex.network.learning import BATCH, learn, learnt_once, schedule_for
from futex.network.triples import TextOf, any_paragraph
from futex.plm.cache import digest
from futex.plm.dropout import Dropout
from futex.plm.heap import give_memory_back
from futex.plm.lanes import gather_gradients, spare_lanes, twin
from futex.plm.optimisation import adamw, moments, restore, take_step
from futex.plm.protocol import Schedule
from futex.plm.side_by_side import side_by_side
from futex.plm.tokens import Tokens
from futex.plm.transformer import CPU_FLOPS, TransformerPLM

log = logging.getLogger(__name__)

TRAINING_VERSION = 1
"""Goes up with every change to this code that changes the weights it ends with: a cached encoder names it."""

MAX_LENGTH = 256
"""Tokens read of a text while training (§4.1)."""

PASSES = 4
"""Passes forward that a node costs: two are made, and the one backward is worth two."""

Result = TypeVar("Result")


def learn_links(
    name: str,
    encoder: NodeEncoder,
    plm: TransformerPLM,
    network: Network,
    setting: Setting,
    text_of: TextOf = any_paragraph,
    neighbours: int = NEIGHBOURS,
) -> str:
    """Train the encoder on links of the corpus; gives a name for its weights, which are found again by it."""
    tokens = Tokens(plm.tokenizer, min(MAX_LENGTH, plm.tokens.max_length))
    count = setting.triples or affordable_links(plm, network.links(64, text_of, neighbours), tokens)
    links = network.links(count + max(BATCH, count // 10), text_of, neighbours)
    key = blake2b(f"{TRAINING_VERSION} {name} {plm.fingerprint} {setting.seed} {count}".encode(), digest_size=16)
    for link in links:
        key.update(digest(*(text for node in link for text in (node.text, *node.neighbours, ""))))

    def train(checkpoint: Path | None) -> dict[str, Tensor]:
        log.info("learning from %d links", count)
        trainer = LinkTrainer(encoder, tokens, schedule_for(count, setting.seed))
        title = "Learning which papers are linked"
        history = learn(trainer, links[:count], links[count:], title=title, checkpoint=checkpoint)
        log.info("learnt from %d links; dev loss %s", count, " → ".join(f"{loss:.3f}" for loss in history))
        return trainer.best

    weights = learnt_once(setting.cache, key.hexdigest(), train, _save, _load)
    encoder.load_state_dict(weights)
    return key.hexdigest()


def affordable_links(plm: TransformerPLM, sample: Sequence[Link], tokens: Tokens) -> int:
    """How many links the default budget pays for, counted from the arithmetic as for triples."""
    if plm.model.device.type != "cpu":
        return PAPER_TRIPLES
    texts = [text for link in sample for node in link for text in (node.text, *node.neighbours)]
    flops = sum(plm.flops(len(ids)) for ids in tokens.singles(texts).ids) / len(sample)
    return min(PAPER_TRIPLES, max(BATCH, int(CPU_BUDGET * CPU_FLOPS / (PASSES * flops))))


def in_batch_loss(similarities: Tensor) -> Tensor:
    """−(1/B) Σ_i log( exp s_ii / Σ_j exp s_ij ): the other ends of a batch are negatives for each other."""
    return cross_entropy(similarities, torch.arange(len(similarities), device=similarities.device))


class LinkTrainer:
    """Trains an encoder where it stands.

    The loss needs the vectors of a whole batch, but not all that was computed on the way to them. So nodes are encoded
    one by one, the loss gives the gradient of each vector, and it flows back while the node is encoded again, with the
    same dropout. Memory is that of one node a core.
    """

    def __init__(self, encoder: NodeEncoder, tokens: Tokens, schedule: Schedule) -> None:
        self._encoder = encoder
        self._tokens = tokens
        self._schedule = schedule
        self._lanes = [encoder, *(twin(encoder) for _ in range(spare_lanes(encoder.model)))]
        self._optimizer = adamw(encoder.named_parameters(), schedule)
        self._steps_done = 0
        self.best: dict[str, Tensor] = self._weights()

    def step(self, links: Sequence[Link]) -> float:
        graphs = self._graphs(links)
        vectors = self._vectors(graphs, self._dropout).requires_grad_()
        loss = self._loss(vectors)
        (gradient,) = torch.autograd.grad(loss, vectors)

        def flow_back(lane: NodeEncoder, i: int) -> None:
            torch.autograd.backward(lane(graphs[i], self._dropout(i)), gradient[i : i + 1])

        self._on_lanes(flow_back, len(graphs))
        gather_gradients(self._lanes)
        take_step(self._optimizer, self._schedule, self._steps_done)
        self._steps_done += 1
        give_memory_back(self._steps_done)
        return float(loss.detach())

    def loss(self, links: Sequence[Link]) -> float:
        return float(self._loss(self._vectors(self._graphs(links), lambda i: None)))

    def _graphs(self, links: Sequence[Link]) -> list[Graph]:
        nodes = [link.node for link in links] + [link.linked for link in links]
        return [Graph.of([node], self._tokens) for node in nodes]

    def _vectors(self, graphs: Sequence[Graph], dropout: Callable[[int], Dropout | None]) -> Tensor:
        def encode(lane: NodeEncoder, i: int) -> Tensor:
            with torch.no_grad():  # which holds for one thread only
                vector: Tensor = lane(graphs[i], dropout(i))
                return vector

        return torch.cat(self._on_lanes(encode, len(graphs)))

    def _loss(self, vectors: Tensor) -> Tensor:
        half = len(vectors) // 2
        return in_batch_loss(self._encoder.similarity(vectors[:half], vectors[half:]))

    def _dropout(self, i: int) -> Dropout:
        return Dropout(self._schedule.seed, self._steps_done, i)

    def _on_lanes(self, work: Callable[[NodeEncoder, int], Result], count: int) -> list[Result]:
        """The results of all parts in order; a part's lane is decided by its number."""
        lanes = len(self._lanes)

        def run(which: int) -> list[Result]:
            return [work(self._lanes[which], i) for i in range(which, count, lanes)]

        parts = list(side_by_side(run, range(lanes)) if lanes > 1 else map(run, range(lanes)))
        return [parts[i % lanes][i // lanes] for i in range(count)]

    def keep(self) -> None:
        self.best = self._weights()

    def _weights(self) -> dict[str, Tensor]:
        return {name: tensor.detach().clone() for name, tensor in self._encoder.state_dict().items()}

    def save(self, folder: Path) -> None:
        save_file(self._weights(), folder / "weights.safetensors")
        save_file(self.best, folder / "best.safetensors")
        state = {**moments(self._optimizer), "steps_done": torch.tensor(self._steps_done)}
        save_file(state, folder / "optimizer.safetensors")

    def load(self, folder: Path) -> None:
        self._encoder.load_state_dict(load_file(folder / "weights.safetensors"))
        self.best = load_file(folder / "best.safetensors")
        state = load_file(folder / "optimizer.safetensors")
        self._steps_done = int(state.pop("steps_done"))
        restore(self._optimizer, state)


def _save(weights: dict[str, Tensor], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    save_file(weights, folder / "encoder.safetensors")


def _load(folder: Path) -> dict[str, Tensor]:
    return load_file(folder / "encoder.safetensors")

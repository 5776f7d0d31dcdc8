"""Network-aware contrastive fine-tuning as a whole (§3.1): links → triples → a Cross-Encoder, computed once."""

import logging
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from futex.corpus.citations import CitationGraph, MetaPath
from futex.corpus.paper import Paper
from futex.network.devices import finetune_on_devices
from futex.network.finetune import PAPER_TRIPLES
from futex.network.learning import learnt_once
from futex.network.triples import TextOf, any_paragraph, sample_triples
from futex.plm.cache import digest
from futex.plm.checkpoints import load_folder
from futex.plm.later import loaded_now
from futex.plm.protocol import TrainablePLM, Triple

log = logging.getLogger(__name__)

TRAINING_VERSION = 5
"""Goes up with every change to the training code that changes the weights it ends with: a cached model names it."""

CPU_BUDGET = 600.0
"""Seconds of CPU time that fine-tuning may take where there is no GPU and nobody named a number of triples."""


class Tuned(NamedTuple):
    plm: TrainablePLM
    triples: int


def tune_on_links(
    plm: TrainablePLM,
    papers: Sequence[Paper],
    *,
    metapath: str,
    triples: int | None,
    min_linked_papers: int,
    seed: int,
    cache: Path | None,
) -> Tuned | None:
    """The PLM fine-tuned on paragraphs of linked papers; None when too few papers are linked to learn from."""
    path, graph = MetaPath.parse(metapath), CitationGraph(papers)
    count = affordable(plm, graph, path, seed) if triples is None else triples
    if count == 0:
        log.warning("this PLM cannot read pairs, so it is not fine-tuned: abstracts are ranked by similarity instead")
        return None
    sample = sample_triples(graph, path, count + max(1, count // 10), seed)
    if sample.linked_papers < min(min_linked_papers, count):
        log.warning(
            "only %d of %d papers are linked by %s to some others and not to all, fewer than %d: no fine-tuning",
            *(sample.linked_papers, len(papers), metapath, min_linked_papers),
        )
        return None
    return Tuned(tuned_once(plm, sample.triples[:count], sample.triples[count:], seed, cache), count)


def affordable(
    plm: TrainablePLM, graph: CitationGraph, path: MetaPath, seed: int, text_of: TextOf = any_paragraph
) -> int:
    """How many triples of this corpus the default budget pays for."""
    few = sample_triples(graph, path, 64, seed, text_of).triples
    count = plm.affordable_triples(CPU_BUDGET, few) if few else None
    return PAPER_TRIPLES if count is None else min(PAPER_TRIPLES, count)


def tuned_once(
    plm: TrainablePLM, triples: list[Triple], dev: list[Triple], seed: int, cache: Path | None
) -> TrainablePLM:
    """The same PLM, triples and seed give the same weights."""
    key = blake2b(f"{TRAINING_VERSION} {plm.fingerprint} {seed} {len(triples)}".encode(), digest_size=16)
    for triple in [*triples, *dev]:
        key.update(digest(*triple))

    def learn(checkpoint: Path | None) -> TrainablePLM:
        return finetune_on_devices(loaded_now(plm), triples, dev, seed=seed, checkpoint=checkpoint)

    def load(folder: Path) -> TrainablePLM:
        return load_folder(folder, cache)

    return learnt_once(cache, key.hexdigest(), learn, lambda tuned, folder: tuned.save(folder), load)

"""The steps of the research code, written again plainly: the baseline of a whole run.

One paragraph at a time through transformers, every abstract-label pair and every training pair padded to 512 tokens,
an abstract tokenised anew for each of its candidates, vectors kept as text, one classifier a label at the end of each
branch. The same PLM, triples and seeds as ours, so that the rankings can be compared.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from finetuning import PaddedTrainer

from futex.corpus.citations import CitationGraph, MetaPath
from futex.corpus.paper import Paper, Unit
from futex.labels.label import LabelSpace
from futex.network.finetune import BATCH
from futex.network.triples import sample_triples
from futex.plm.protocol import Schedule, Triple
from futex.plm.transformer import TransformerPLM

EVALUATIONS = 10


def training_and_dev(papers: Sequence[Paper], triples: int) -> tuple[Sequence[Triple], Sequence[Triple]]:
    sample = sample_triples(CitationGraph(papers), MetaPath.parse("P->P<-P"), triples + triples // 10, seed=0).triples
    return sample[:triples], sample[triples:]


def fine_tune(plm: TransformerPLM, papers: Sequence[Paper], triples: int) -> None:
    """The steps are taken and timed; the weights are thrown away, since other dropout masks give other weights."""
    train, dev = training_and_dev(papers, triples)
    steps = -(-len(train) // BATCH)
    trainer = PaddedTrainer(plm, Schedule(steps=steps, warmup=1))
    looks = {round(steps * (i + 1) / EVALUATIONS) for i in range(EVALUATIONS)}
    for step in range(steps):
        trainer.step(train[step * BATCH : (step + 1) * BATCH])
        if step + 1 in looks:
            for start in range(0, len(dev), BATCH):
                trainer.loss(dev[start : start + BATCH])


def cross_encoder_scores(
    tuned: TransformerPLM, papers: Sequence[Paper], candidates: Mapping[str, Sequence[str]], labels: LabelSpace
) -> dict[str, dict[str, float]]:
    scores: dict[str, dict[str, float]] = {}
    for paper in papers:
        scores[paper.id] = {}
        own = list(candidates[paper.id])
        for start in range(0, len(own), 32):
            some = own[start : start + 32]
            pairs = [paper.title_and_abstract] * len(some), [labels[label].text for label in some]
            inputs = tuned.tokenizer(*pairs, padding="max_length", truncation=True, max_length=512, return_tensors="pt")
            with torch.inference_mode():
                found = tuned.model(**inputs).last_hidden_state[:, 0] @ tuned.head
            scores[paper.id].update(zip(some, found.tolist(), strict=True))
    return scores


def bi_encoder_scores(
    plm: TransformerPLM, papers: Sequence[Paper], candidates: Mapping[str, Sequence[str]], labels: LabelSpace
) -> dict[str, dict[str, float]]:
    """Vectors go through text, as the research code stores them."""
    of_label = {label: encode(plm, labels[label].text) for label in {x for own in candidates.values() for x in own}}
    scores = {}
    for paper in papers:
        lines = [" ".join(f"{x:.6f}" for x in encode(plm, leaf.text)) for leaf in paper.tree.leaves()]
        vectors = iter([np.array(line.split(), dtype=np.float32) for line in lines])
        h_d = mean_of(paper.tree, vectors)
        scores[paper.id] = {label: cosine(h_d, of_label[label]) for label in candidates[paper.id]}
    return scores


def encode(plm: TransformerPLM, text: str) -> np.ndarray:
    inputs = plm.tokenizer(text, truncation=True, max_length=512, return_tensors="pt")
    with torch.inference_mode():
        states = plm.model(**inputs).last_hidden_state[0].numpy()
    return states[0] if plm.pooling == "cls" else states.mean(axis=0)


def mean_of(unit: Unit, vectors) -> np.ndarray:
    return next(vectors) if unit.text else np.mean([mean_of(child, vectors) for child in unit.children], axis=0)


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    return float(a @ b / (np.linalg.norm(a) * np.linalg.norm(b)))


def fused(scores: Sequence[Mapping[str, float]]) -> list[str]:
    """Mean reciprocal rank; ties go to the better rank in the first list."""
    total: dict[str, float] = {}
    for ranking in scores:
        for position, label in enumerate(sorted(ranking, key=lambda x: -ranking[x]), start=1):
            total[label] = total.get(label, 0.0) + 1 / position
    return sorted(total, key=lambda label: -total[label])

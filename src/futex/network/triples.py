"""Triples (p, p⁺, p⁻) for contrastive fine-tuning (§3.1)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from futex.corpus.citations import CitationGraph, MetaPath
from futex.corpus.paper import Paper
from futex.plm.protocol import Triple

NEGATIVE_TRIES = 100


class Sample(NamedTuple):
    triples: list[Triple]
    linked_papers: int
    """Papers with a neighbour, as far as they were visited: all of them, unless `triples` filled up first."""


def sample_triples(papers: Sequence[Paper], path: MetaPath, count: int, seed: int) -> Sample:
    """Draw d, d⁺ ∈ N_M(d) and d⁻ ∉ N_M(d) ∪ {d}, and one paragraph of each, uniformly.

    The corpus is gone through in random order again and again, one triple a linked paper each time.
    """
    graph = CitationGraph(papers)
    rng = np.random.default_rng(seed)
    triples: list[Triple] = []
    linked = 0
    while len(triples) < count:
        visit = list(_one_pass(papers, graph, path, rng, count - len(triples)))
        linked = linked or len(visit)
        triples += visit
        if not visit:
            break
    return Sample(triples, linked)


def _one_pass(
    papers: Sequence[Paper], graph: CitationGraph, path: MetaPath, rng: Generator, most: int
) -> Iterator[Triple]:
    found = 0
    for d in rng.permutation(len(papers)):
        neighbours = graph.neighbours(int(d), path)
        negative = _unlinked(int(d), neighbours, len(papers), rng)
        if len(neighbours) == 0 or negative is None:
            continue
        trio = (int(d), int(rng.choice(neighbours)), negative)
        yield Triple(*(_paragraph(papers[i], rng) for i in trio))
        found += 1
        if found == most:
            return


def _unlinked(d: int, neighbours: np.ndarray, size: int, rng: Generator) -> int | None:
    """A paper truly outside N_M(d), or None if chance does not find one."""
    for other in rng.integers(size, size=NEGATIVE_TRIES):
        position = np.searchsorted(neighbours, other)
        linked = position < len(neighbours) and neighbours[position] == other
        if other != d and not linked:
            return int(other)
    return None


def _paragraph(paper: Paper, rng: Generator) -> str:
    leaves = list(paper.tree.leaves())
    return leaves[rng.integers(len(leaves))].text

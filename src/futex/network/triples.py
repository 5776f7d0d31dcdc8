"""Triples (p, p⁺, p⁻) for contrastive fine-tuning (§3.1)."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from futex.corpus.citations import CitationGraph, MetaPath
from futex.corpus.paper import Paper
from futex.plm.protocol import Triple

NEGATIVE_TRIES = 100

TextOf = Callable[[Paper, Generator], str]
"""What of a paper is put into a triple: `any_paragraph`, or `abstract`."""


class Sample(NamedTuple):
    triples: list[Triple]
    linked_papers: int
    """Papers with a neighbour, as far as they were visited: all of them, unless `triples` filled up first."""


def any_paragraph(paper: Paper, rng: Generator) -> str:
    """One leaf of T_d, uniformly."""
    leaves = list(paper.tree.leaves())
    return leaves[rng.integers(len(leaves))].text


def abstract(paper: Paper, rng: Generator) -> str:
    return paper.title_and_abstract


def sample_triples(
    graph: CitationGraph, path: MetaPath, count: int, seed: int, text_of: TextOf = any_paragraph
) -> Sample:
    """Draw d, d⁺ ∈ N_M(d) and d⁻ ∉ N_M(d) ∪ {d}, and one paragraph of each, uniformly.

    The corpus is gone through in random order again and again, one triple a linked paper each time.
    """
    papers = graph.papers
    rng = np.random.default_rng(seed)
    triples: list[Triple] = []
    linked = 0
    while len(triples) < count:
        trios = _one_pass(graph, path, rng, count - len(triples))
        visit = [Triple(*(text_of(papers[i], rng) for i in trio)) for trio in trios]
        linked = linked or len(visit)
        triples += visit
        if not visit:
            break
    return Sample(triples, linked)


def _one_pass(graph: CitationGraph, path: MetaPath, rng: Generator, most: int) -> Iterator[tuple[int, int, int]]:
    found = 0
    for d in rng.permutation(graph.size):
        neighbours = graph.neighbours(int(d), path)
        negative = _unlinked(int(d), neighbours, graph.size, rng)
        if len(neighbours) == 0 or negative is None:
            continue
        yield int(d), int(rng.choice(neighbours)), negative
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

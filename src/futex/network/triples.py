"""Triples (p, p⁺, p⁻) for contrastive fine-tuning (§3.1)."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from futex.corpus.citations import CitationGraph, MetaPath
from futex.corpus.paper import Paper
from futex.plm.protocol import Triple

NEGATIVE_TRIES = 100
TEXT_TRIES = 10
"""Readers let no paper without text through, so it takes one nearly always."""

Ints = NDArray[np.int64]

TextOf = Callable[[Paper, Generator], str]
"""What of a paper is put into a triple: `any_paragraph`, or `abstract`."""


class Sample(NamedTuple):
    triples: list[Triple]
    linked_papers: int
    """Papers with a neighbour, as far as they were visited: all of them, unless `triples` filled up first."""


def any_paragraph(paper: Paper, rng: Generator) -> str:
    """One leaf of T_d, uniformly; nothing of a paper without any."""
    leaves = list(paper.tree.leaves())
    return leaves[rng.integers(len(leaves))].text if leaves else ""


def abstract(paper: Paper, rng: Generator) -> str:
    return paper.title_and_abstract


def sample_triples(
    graph: CitationGraph, path: MetaPath, count: int, seed: int, text_of: TextOf = any_paragraph
) -> Sample:
    """Draw d, d⁺ ∈ N_M(d) and d⁻ ∉ N_M(d) ∪ {d}, and one paragraph of each, uniformly.

    The corpus is gone through in random order, and then those of its papers that gave a triple, again and again.
    """
    rng = np.random.default_rng(seed)
    visit = dict(islice(_one_pass(graph, path, text_of, np.arange(graph.size), rng), count))
    triples, fruitful = list(visit.values()), np.array(sorted(visit), np.int64)
    while len(triples) < count and len(fruitful):
        again = islice(_one_pass(graph, path, text_of, fruitful, rng), count - len(triples))
        triples += (triple for _, triple in again)
    return Sample(triples, len(visit))


def _one_pass(
    graph: CitationGraph, path: MetaPath, text_of: TextOf, among: Ints, rng: Generator
) -> Iterator[tuple[int, Triple]]:
    """One triple a paper that has any."""
    for d in rng.permutation(among).tolist():
        neighbours = graph.neighbours(d, path)
        tries = TEXT_TRIES if len(neighbours) else 0
        drawn = (_draw(graph, text_of, d, neighbours, rng) for _ in range(tries))
        if triple := next(filter(None, drawn), None):
            yield d, triple


def _draw(graph: CitationGraph, text_of: TextOf, d: int, neighbours: Ints, rng: Generator) -> Triple | None:
    """None if there is no negative, or if chance finds a paper without text."""
    negative = _unlinked(d, neighbours, graph.size, rng)
    if negative is None:
        return None
    trio = (d, int(rng.choice(neighbours)), negative)
    triple = Triple(*(text_of(graph.papers[i], rng) for i in trio))
    return triple if all(triple) else None


def _unlinked(d: int, neighbours: Ints, size: int, rng: Generator) -> int | None:
    """A paper truly outside N_M(d) ∪ {d}, or None if there is none."""
    for other in rng.integers(size, size=NEGATIVE_TRIES):
        position = np.searchsorted(neighbours, other)
        linked = position < len(neighbours) and neighbours[position] == other
        if other != d and not linked:
            return int(other)
    unlinked = np.delete(np.arange(size), np.append(neighbours, d))
    return int(rng.choice(unlinked)) if len(unlinked) else None

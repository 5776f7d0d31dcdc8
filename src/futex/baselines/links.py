"""Links of a corpus to learn from, and the neighbourhood that a paragraph is read with (§4.1, PLM+GAT).

A paragraph p ∈ d is connected via M with every paragraph p' ∈ d⁺ ∈ N_M(d); a few of these are drawn.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from futex.corpus.citations import CitationGraph, MetaPath
from futex.corpus.paper import Paper
from futex.errors import InputError
from futex.network.triples import TextOf, any_paragraph

NEIGHBOURS = 3
"""Paragraphs of linked papers that are read with a paragraph."""


class Node(NamedTuple):
    """A text, and texts of its neighbourhood; an encoder that knows no network leaves these aside."""

    text: str
    neighbours: tuple[str, ...] = ()


class Link(NamedTuple):
    """(p, p⁺): two nodes of linked papers."""

    node: Node
    linked: Node


class Around(NamedTuple):
    """The neighbours of several nodes, each text once, and who has which."""

    texts: list[str]
    edges: list[tuple[int, int]]
    """(neighbour, node) by position."""

    @classmethod
    def of(cls, nodes: Sequence[Node]) -> "Around":
        position = {text: i for i, text in enumerate(dict.fromkeys(text for node in nodes for text in node.neighbours))}
        return cls(list(position), [(position[text], i) for i, node in enumerate(nodes) for text in node.neighbours])


class Network:
    """A corpus and the neighbourhoods N_M(d) of its papers."""

    def __init__(self, papers: Sequence[Paper], metapath: str, seed: int) -> None:
        self._papers = papers
        self._path = MetaPath.parse(metapath)
        self._seed = seed
        if missing := self._path.missing_from(papers):
            raise InputError(
                f"no paper of this corpus has {' or '.join(missing)}, but the meta-path {metapath} runs over that: "
                "choose another one with --metapath"
            )
        self.graph = CitationGraph(papers)
        if not any(len(self._neighbourhood(d)) for d in range(len(papers))):
            raise InputError(
                f"no two papers of this corpus are linked by {metapath}, so there is nothing to learn from: "
                "give more papers, or choose another --metapath"
            )
        self._position = {paper.id: d for d, paper in enumerate(papers)}

    def links(self, count: int, text_of: TextOf = any_paragraph, neighbours: int = NEIGHBOURS) -> list[Link]:
        """Draw d, d⁺ ∈ N_M(d) and a paragraph of each; the corpus is gone through in random order again and again.

        The paper at the other end of the link is not among the neighbours: it would give the answer away.
        """
        rng = np.random.default_rng(self._seed)

        def node(d: int, other: int) -> Node:
            around = [n for n in self._neighbourhood(d) if n != other]
            return Node(text_of(self._papers[d], rng), self._draw(around, neighbours, rng))

        pairs = self._pairs(rng)
        return [Link(node(d, linked), node(linked, d)) for d, linked in (next(pairs) for _ in range(count))]

    def neighbours_of(self, paper: str) -> tuple[str, ...]:
        """Paragraphs of linked papers, the same whenever it is asked; a paper from elsewhere has none."""
        d = self._position.get(paper)
        if d is None:
            return ()
        return self._draw(self._neighbourhood(d), NEIGHBOURS, np.random.default_rng([self._seed, d]))

    def _pairs(self, rng: Generator) -> Iterator[tuple[int, int]]:
        """(d, d⁺) without end, one a linked paper in each round."""
        while True:
            for d in map(int, rng.permutation(len(self._papers))):
                neighbourhood = self._neighbourhood(d)
                if len(neighbourhood):
                    yield d, int(rng.choice(neighbourhood))

    def _neighbourhood(self, d: int) -> Sequence[int]:
        found: list[int] = self.graph.neighbours(d, self._path).tolist()
        return found

    def _draw(self, papers: Sequence[int], count: int, rng: Generator) -> tuple[str, ...]:
        if not papers or not count:
            return ()
        drawn = (any_paragraph(self._papers[int(d)], rng) for d in rng.choice(papers, count))
        return tuple(dict.fromkeys(drawn))

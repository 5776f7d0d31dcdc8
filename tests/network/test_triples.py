"""Triples: positives truly inside N_M(d), negatives truly outside, everything the same for the same seed."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from futex.corpus.citations import CitationGraph, MetaPath
from futex.corpus.paper import Paper
from futex.network.triples import sample_triples

PATH = MetaPath.parse("P->P<-P")


def linked_corpus(references: list[list[int]]) -> list[Paper]:
    """Papers whose abstract is their own id, so that a paragraph tells where it came from."""
    return [
        Paper(f"d{i}", abstract=f"d{i}", references=tuple(f"r{j}" for j in refs)) for i, refs in enumerate(references)
    ]


@given(st.lists(st.lists(st.integers(0, 6), max_size=3), min_size=3, max_size=8), st.integers(0, 3))
def test_positives_are_inside_and_negatives_outside(references, seed):
    papers = linked_corpus(references)
    graph = CitationGraph(papers)
    neighbourhood = {f"d{i}": {f"d{j}" for j in graph.neighbours(i, PATH)} for i in range(len(papers))}
    for anchor, positive, negative in sample_triples(graph, PATH, 30, seed).triples:
        assert positive in neighbourhood[anchor]
        assert negative not in neighbourhood[anchor] | {anchor}


def test_every_neighbour_is_drawn_in_the_end(papers):
    """P→P←P sampling against brute force: over many draws exactly the linked pairs occur."""
    papers = linked_corpus([[0, 1], [0], [1], [2], [2, 3], [9]])
    drawn = {(t.anchor, t.positive) for t in sample_triples(CitationGraph(papers), PATH, 600, seed=1).triples}
    expected = {(a.id, b.id) for a in papers for b in papers if a is not b and set(a.references) & set(b.references)}
    assert drawn == expected


def test_one_triple_a_paper_in_each_round():
    papers = linked_corpus([[0], [0], [1], [1]])
    sample = sample_triples(CitationGraph(papers), PATH, 8, seed=0)
    anchors = [triple.anchor for triple in sample.triples]
    assert sorted(anchors[:4]) == sorted(anchors[4:]) == ["d0", "d1", "d2", "d3"]
    assert sample.linked_papers == 4


def test_nothing_linked_gives_nothing():
    assert sample_triples(CitationGraph(linked_corpus([[0], [1], [2]])), PATH, 5, seed=0) == ([], 0)


def test_no_negative_exists_when_all_are_linked():
    assert sample_triples(CitationGraph(linked_corpus([[0], [0], [0]])), PATH, 5, seed=0).triples == []


def test_one_stranger_among_many_is_found_every_time(monkeypatch):
    """Chance alone would miss it now and then, and in the end no paper would be left to draw from."""
    monkeypatch.setattr("futex.network.triples.NEGATIVE_TRIES", 1)
    drawn = sample_triples(CitationGraph(linked_corpus([[0]] * 20 + [[1]])), PATH, 300, seed=0).triples
    assert (len(drawn), {triple.negative for triple in drawn}) == (300, {"d20"})


def test_papers_without_links_are_looked_at_once(monkeypatch):
    graph = CitationGraph(linked_corpus([[0], [0], *([i] for i in range(1, 50))]))
    asked = []
    neighbours = graph.neighbours
    monkeypatch.setattr(graph, "neighbours", lambda d, path: asked.append(d) or neighbours(d, path))
    sample = sample_triples(graph, PATH, 20, seed=0)
    assert (len(sample.triples), sample.linked_papers) == (20, 2)
    assert len(asked) <= graph.size + 20


def test_papers_without_text_are_in_no_triple():
    papers = [
        replace(paper, abstract="") if i in (1, 4) else paper
        for i, paper in enumerate(linked_corpus([[0]] * 3 + [[1]] * 3))
    ]
    triples = sample_triples(CitationGraph(papers), PATH, 50, seed=0).triples
    assert len(triples) == 50
    assert {text for triple in triples for text in triple} == {"d0", "d2", "d3", "d5"}


def test_a_paper_that_gives_no_triple_once_is_asked_again():
    """Where most papers have no text, chance finds none now and then, and in the end no paper would be left."""
    papers = [replace(paper, abstract="") if i % 3 else paper for i, paper in enumerate(linked_corpus([[0], [1]] * 20))]
    sample = sample_triples(CitationGraph(papers), PATH, 1000, seed=0)
    assert len(sample.triples) == 1000
    assert len({triple.anchor for triple in sample.triples[-100:]}) == sample.linked_papers > 5


def test_the_seed_decides(papers):
    draws = [sample_triples(CitationGraph(papers), PATH, 20, seed).triples for seed in (0, 0, 1)]
    assert draws[0] == draws[1] != draws[2]

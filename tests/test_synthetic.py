"""Corpora made of real paragraphs: no text twice, hubs that a fixed share of all papers cite."""

import sys
from collections import Counter
from pathlib import Path

import pytest

from futex.corpus.store import read_papers, write_papers

SIZE = 400


@pytest.fixture
def synthetic(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "benchmarks"))
    yield __import__("synthetic")
    sys.modules.pop("synthetic")


@pytest.fixture
def pool(synthetic, papers, tmp_path):
    write_papers(papers, tmp_path / "real.jsonl")
    pool = synthetic.Pool.of([str(tmp_path / "real.jsonl")])
    words = [f"word{i}" for i in range(500)]
    return synthetic.Pool(pool.abstracts, [words[i : i + 100] for i in range(0, 400, 4)])


def test_papers_have_the_shape_that_was_asked_for(synthetic, pool, tmp_path):
    shape = synthetic.Shape(sections=3, paragraphs=2, words=40, references=5)
    write_papers(synthetic.synthetic_papers(pool, 20, shape, seed=0), tmp_path / "papers.jsonl.zst")
    made = read_papers(tmp_path / "papers.jsonl.zst")
    assert [paper.id for paper in made] == [f"s{i}" for i in range(20)]
    for number, paper in enumerate(made):
        title, abstract = paper.title.removesuffix(f" ({number})"), paper.abstract
        assert (title, abstract) in pool.abstracts
        assert [place.path for place in paper.paragraphs()] == [(f"Section {i // 2 + 1}",) for i in range(6)]
        assert all(len(place.text.split()) == 40 for place in paper.paragraphs())


def test_the_shortest_paragraphs_are_as_long_as_asked_for(synthetic, pool):
    shape = synthetic.Shape(sections=1, paragraphs=2, words=synthetic.MIN_WORDS, references=1)
    [paper] = synthetic.synthetic_papers(pool, 1, shape, seed=0)
    assert [len(place.text.split()) for place in paper.paragraphs()] == [synthetic.MIN_WORDS] * 2


def test_hubs_are_cited_by_their_share_and_no_text_comes_twice(synthetic, pool):
    shape = synthetic.Shape(sections=1, paragraphs=2, words=80, references=12)
    made = list(synthetic.synthetic_papers(pool, SIZE, shape, seed=1))
    cited = Counter(key for paper in made for key in set(paper.references))
    for i, share in enumerate(synthetic.HUBS):
        assert cited[f"10.5/hub-{i}"] == pytest.approx(share * SIZE, abs=30)
    assert max(times for key, times in cited.items() if "hub" not in key) < 30
    texts = [place.text for paper in made for place in paper.paragraphs()]
    assert len(set(texts)) > 0.99 * len(texts)


def test_a_longer_corpus_begins_with_a_shorter_one(synthetic, pool):
    shape = synthetic.Shape(sections=1, paragraphs=1, words=30, references=3)
    longer = list(synthetic.synthetic_papers(pool, 30, shape, seed=2))
    assert longer[:10] == list(synthetic.synthetic_papers(pool, 10, shape, seed=2))

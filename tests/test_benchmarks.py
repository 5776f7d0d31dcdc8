"""Benchmarks that take the stages one by one keep up with what the stages take and give."""

import argparse
import sys
from pathlib import Path

import pytest

from futex.config import RECIPES
from futex.corpus.store import write_papers
from futex.hierarchy.bi_encoder import BiEncoder
from futex.labels.store import write_labels
from futex.plm.fake import FakePLM
from futex.runs.inputs import Inputs
from futex.runs.run import run


@pytest.fixture
def benchmark(monkeypatch):
    """Imports one by its name, and forgets all of them."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "benchmarks"))
    yield __import__
    for name in ("growth", "whole_run", "research_code", "finetuning", "measuring"):
        sys.modules.pop(name, None)


@pytest.fixture
def options(papers, labels, tmp_path):
    write_papers(papers, tmp_path / "papers.jsonl")
    write_labels(labels, tmp_path / "labels.jsonl")
    where = {"papers": str(tmp_path / "papers.jsonl"), "labels": str(tmp_path / "labels.jsonl")}
    return argparse.Namespace(**where, plm="fake", limit=12)


def test_growth_goes_through_every_stage(benchmark, options):
    found = benchmark("growth").measure(options, 12)
    assert list(found)[-3:] == ["self-training", "evidence", "memory"]
    assert all(value > 0 for value in found.values())


def test_the_research_codes_steps_end_with_our_ranking(benchmark, options, tmp_path, monkeypatch):
    """Its slow way to compute scores is left out: that of the fake PLM takes its place."""
    whole_run = benchmark("whole_run")

    def crossed(tuned, papers, candidates, labels):
        found = {}
        for paper in papers:
            own = candidates[paper.id]
            scores = tuned.score([(paper.title_and_abstract, labels[label].text) for label in own])
            found[paper.id] = dict(zip(own, scores, strict=True))
        return found

    def encoded(plm, papers, candidates, labels):
        return {paper: dict(own) for paper, own in BiEncoder(plm, labels, "full").rank(papers, candidates).items()}

    monkeypatch.setattr(whole_run, "embedded", FakePLM)
    monkeypatch.setattr(whole_run.research_code, "fine_tune", lambda *_: None)
    monkeypatch.setattr(whole_run.research_code, "cross_encoder_scores", crossed)
    monkeypatch.setattr(whole_run.research_code, "bi_encoder_scores", encoded)
    recipe = RECIPES["paper"].but(plm="fake", triples=16, min_linked_papers=2)
    run(Inputs(papers=options.papers, labels=options.labels), tmp_path / "run", recipe, tmp_path / "cache")
    assert "self-training" in whole_run.research_run(options, tmp_path / "run", 16)

"""--metapath on the command line: it reaches the method, and what the corpus lacks for it is one line."""

import json
import sys
from dataclasses import replace

import pytest

from futex.cli import main
from futex.corpus.store import write_papers
from futex.labels.store import write_labels


@pytest.fixture
def run(tmp_path, papers, labels, monkeypatch, capsys):
    """`futex run --method micol` on papers of two venues; gives the exit code and what stands on stderr."""
    venues = [replace(paper, metadata={"venue": f"V{i % 2}"}) for i, paper in enumerate(papers)]
    write_papers(venues, tmp_path / "papers.jsonl")
    write_labels(labels, tmp_path / "labels.jsonl")
    monkeypatch.chdir(tmp_path)
    inputs = ["papers.jsonl", "--labels", "labels.jsonl", "--out", "out", "--cache", "cache"]
    words = ["futex", "run", *inputs, "--plm", "fake", "--triples", "8", "--quiet"]

    def run(*more):
        monkeypatch.setattr(sys, "argv", [*words, *more])
        try:
            main()
        except SystemExit as end:
            return end.code, capsys.readouterr().err
        return 0, capsys.readouterr().err

    return run


def test_a_metapath_reaches_the_method(run, tmp_path):
    assert run("--method", "micol", "--metapath", "P-V-P")[0] in (0, None)
    assert json.loads((tmp_path / "out/config.json").read_text())["setting"]["metapath"] == "P-V-P"


def test_metadata_that_no_paper_has(run, tmp_path):
    code, error = run("--method", "micol", "--metapath", "P(AV)P")
    assert code == 1
    assert len(error.splitlines()) == 1
    assert "no paper of this corpus has authors" in error
    assert not (tmp_path / "out").exists()

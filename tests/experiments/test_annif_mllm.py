"""The comparison with Annif, whose part a script plays that ranks the second label of the vocabulary first."""

import runpy
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "experiments" / "annif_mllm.py"
ANNIF = """#!/bin/sh
if [ "$1" = index ]; then
  for text in test/*.txt; do printf '<http://example.org/label/1>\\tMice\\t0.5\\n' > "${text%.txt}$5"; done
fi
"""


@pytest.fixture
def compare(folder, monkeypatch, capsys):
    """Runs it on the tiny corpus, with so many papers that teach, and gives what it prints."""
    (folder / "annif").write_text(ANNIF)
    (folder / "annif").chmod(0o755)

    def run(*train):
        where = [word for name in ("papers", "labels", "gold") for word in (f"--{name}", str(folder / f"{name}.jsonl"))]
        words = ["--annif", str(folder / "annif"), *where, "--test", "20", "--train", *train, "--plm", "none"]
        monkeypatch.setattr(sys, "argv", [str(SCRIPT), *words, "--cache", str(folder / "cache")])
        runpy.run_path(str(SCRIPT), run_name="__main__")
        return capsys.readouterr().out

    return run


def test_both_are_taught_and_compared(compare):
    """L2, the second label, is true of no paper."""
    shown = compare("5", "10")
    for taught in ("5", "10"):
        assert f"Annif mllm, {taught} papers".ljust(23) + "│ 0.000 (0.000–0.000)" in shown
    assert "futex adapt, 10 papers against Annif mllm, 10 papers: P@5 +" in shown


def test_more_papers_than_there_are_cannot_teach(compare):
    with pytest.raises(SystemExit, match="only 10 papers with gold are left beside those tested"):
        compare("5", "11")

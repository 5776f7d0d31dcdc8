"""Words that papers at large have in common."""

import runpy
import sys
from pathlib import Path

import pytest

from futex.corpus.paper import Paper
from futex.corpus.store import write_papers
from futex.labels.label import Label, LabelSpace
from futex.naming import background
from futex.naming.background import Background

SCRIPT = Path(__file__).parents[2] / "experiments" / "common_words.py"


def counted(*labels: Label) -> list[int]:
    return Background.of(LabelSpace(labels)).papers_with.tolist()


def test_any_name_of_a_label_counts_in_singular_or_plural():
    papers, words = background._common_words()
    assert papers == 122
    assert counted(Label("1", "Cell"), Label("2", "Cells"), Label("3", "Corpuscle", ("cells",))) == [words["cell"]] * 3


def test_what_is_made_of_common_words_need_not_be_common():
    assert counted(Label("1", "cell culture"), Label("2", "Asthma")) == [0, 0]


def test_an_acronym_is_not_the_word_that_looks_like_it():
    """REST is a transcription factor; of the label "Rest" one cannot be as sure."""
    assert counted(Label("1", "REST"), Label("2", "Rest"))[0] == 0 < counted(Label("2", "Rest"))[0]


def test_every_line_is_a_word_of_a_tenth_of_the_papers():
    papers, words = background._common_words()
    assert len(words) > 2000
    assert all(papers / 10 <= times <= papers for times in words.values())


def test_the_script_counts_papers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    papers = [Paper(f"d{number}", "", f"Cells of word{number}") for number in range(11)]
    write_papers([*papers, Paper("last", "The cell", "and a cell")], tmp_path / "papers.jsonl")
    monkeypatch.setattr(sys, "argv", [str(SCRIPT), str(tmp_path / "papers.jsonl")])
    runpy.run_path(str(SCRIPT), run_name="__main__")
    assert capsys.readouterr().out.splitlines() == ["# 12 papers", "cell 12", "of 11"]

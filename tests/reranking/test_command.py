"""`futex run --llm` on the command line."""

import json
import sys

import pytest
from reranking.language_model import KEY

from futex.cli import main
from futex.corpus.store import write_papers
from futex.labels.store import write_labels
from futex.sharded.status import status_of


@pytest.fixture
def futex(tmp_path, papers, labels, monkeypatch, capsys):
    """Runs `futex run` on the tiny corpus; gives exit code and messages."""
    write_papers(papers, tmp_path / "papers.jsonl")
    write_labels(labels, tmp_path / "labels.jsonl")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FUTEX_CACHE", str(tmp_path / "cache"))

    def run(out, *options):
        words = ["run", "papers.jsonl", "--labels", "labels.jsonl", "--recipe", "best", "--plm", "none", "--out", out]
        monkeypatch.setattr(sys, "argv", ["futex", *words, *options])
        with pytest.raises(SystemExit) as end:
            main()
        return end.value.code, capsys.readouterr().err

    return run


def first_labels(folder):
    return [json.loads(line)["labels"][0]["name"] for line in (folder / "predictions.jsonl").read_text().splitlines()]


def test_predictions_follow_the_model_and_say_so(model, futex, tmp_path):
    model.grade = lambda label: 3 if label["name"] == "Brain" else 0
    price = ("--llm-price", "2.5", "10")
    code, messages = futex("out", "--llm", model.url, "--llm-model", "tiny", *price)
    assert code == 0
    assert set(first_labels(tmp_path / "out")) == {"Brain"}
    assert "12,000 tokens read, 600 written, cost 0.0360" in messages

    config = (tmp_path / "out/config.json").read_text()
    assert json.loads(config)["reranking"] == {
        "endpoint": model.url,
        "model": "tiny",
        "labels": 20,
        "papers": {"re-ranked": 12},
        "tokens": {"read": 12000, "written": 600},
    }
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or KEY.encode() not in file.read_bytes()
    assert KEY not in messages

    _, messages = futex("again", "--llm", model.url, "--llm-model", "tiny", *price)
    assert len(model.requests) == 12
    assert "of it now: 0 tokens read, 0 written, cost 0.0000" in messages
    for name in ("predictions.jsonl", "config.json"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()


def test_a_label_from_below_the_written_ones_can_come_to_the_top(model, futex, tmp_path):
    model.grade = lambda label: 3 if label["name"] == "Brain" else 0
    assert futex("out", "--llm", model.url, "--llm-model", "tiny", "--top", "1")[0] == 0
    assert set(first_labels(tmp_path / "out")) == {"Brain"}
    lines = (tmp_path / "out/predictions.jsonl").read_text().splitlines()
    assert {len(json.loads(line)["labels"]) for line in lines} == {1}


def test_progress_is_that_of_the_whole_run_however_many_shards_it_has(model, futex, monkeypatch):
    monkeypatch.setattr("futex.sharded.papers.PAPERS_A_SHARD", 5)
    _, messages = futex("out", "--llm", model.url, "--llm-model", "tiny")
    asking = [line for line in messages.splitlines() if line.startswith("Asking the language model: ")]
    assert [line.partition(" in ")[0] for line in asking] == ["Asking the language model: 12 done"]


def test_without_it_nothing_is_asked_and_nothing_is_said(model, futex, tmp_path):
    assert futex("out")[0] == 0
    assert "reranking" not in json.loads((tmp_path / "out/config.json").read_text())
    assert model.requests == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--llm", "http://localhost:1/v1"], "--llm needs the name of a model: give --llm-model NAME"),
        (["--llm-model", "tiny"], "need the address of an endpoint: give --llm URL"),
        (["--llm", "localhost", "--llm-model", "tiny"], "--llm: not the address of an endpoint"),
        (["--llm", "http://h/v1", "--llm-model", "m", "--llm-budget", "1"], "--llm-budget needs the price"),
        (["--llm", "http://h/v1", "--llm-model", "m", "--method", "random"], "is for FuTex and its ablations"),
    ],
)
def test_wrong_words_are_told_before_anything_is_computed(futex, tmp_path, options, message):
    code, messages = futex("out", *options)
    assert code == 1
    assert message in messages
    assert messages.count("\n") == 1
    assert not (tmp_path / "out" / "predictions.jsonl").exists()  # what was computed stays, for the next run


def test_a_wrong_key_is_one_line(model, futex, tmp_path):
    model.rule = lambda request: (401, {}, b"")
    code, messages = futex("out", "--llm", model.url, "--llm-model", "tiny", "--quiet")
    assert code == 1
    assert messages == f"futex: {model.url} does not let us in (401): check the key in $FUTEX_LLM_KEY\n"
    assert not status_of(tmp_path / "out", running=False).finished
    assert not (tmp_path / "out" / "predictions.jsonl").exists()  # what was computed stays, for the next run

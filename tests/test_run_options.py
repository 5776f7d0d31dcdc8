"""The options of `futex run`: what they choose, and those that are wrong or would be ignored."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from test_cli import corpus, fails, futex, run  # noqa: F401  (a fixture)

from futex.baselines.supervised import SupervisedParabel
from futex.corpus.spool import PaperSpool

pytestmark = pytest.mark.usefixtures("corpus")


def test_bad_options():
    fails(run("--recipe", "bets"), "no recipe 'bets'")
    fails(
        futex("run", "papers.jsonl", "--labels", "labels.jsonl", "--out", "out", "--plm", "nonsense"),
        "no PLM 'nonsense'",
    )
    fails(futex("inspect", "papers.jsonl", "--format", "docx"), "unknown format 'docx'")
    fails(run("--engine", "spark"), "no engine 'spark': choose local or ray")
    fails(run("--address", "auto"), "--address is for --engine ray")
    fails(run("--engine", "ray", "--method", "micol"), "is for FuTex and its ablations: leave it out")
    assert futex("run", "papers.jsonl").returncode == 2
    assert futex("run", "papers.jsonl", "--labels", "l", "--out", "o", "--limit", "0").returncode == 2
    for seed in (-1, 2**32, 2**64):
        assert run("--seed", str(seed)).returncode == 2


def test_the_best_recipe_is_the_default_and_says_what_applies():
    start = ("run", "papers.jsonl", "--labels", "labels.jsonl", "--out", "out", "--plm", "fake", "--quiet")
    assert futex(*start).returncode == 0
    assert json.loads(Path("out/config.json").read_text())["recipe"]["name"] == "best"
    for line in map(json.loads, Path("out/predictions.jsonl").read_text().splitlines()):
        applies = [label["applies"] for label in line["labels"]]
        assert applies == sorted(applies, reverse=True)
        assert applies == [] or applies[0]
    assert "Labels that apply: " in futex("eval", "out", "--gold", "gold.jsonl").stdout
    measured = json.loads(futex("eval", "out", "--gold", "gold.jsonl", "--json").stdout)["cut-off"]
    assert 0 < measured["f1"] <= 1
    fails(futex(*start, "--triples", "16"), "--triples is for fine-tuning on links")
    fails(futex(*start, "--method", "futex", "--recipe", "best"), "made of the paper's modules")


def test_a_method_of_the_paper_is_as_in_the_paper():
    done = futex(
        *("run", "papers.jsonl", "--labels", "labels.jsonl", "--out", "out"),
        *("--method", "futex-no-network", "--plm", "fake", "--quiet"),
    )
    assert done.returncode == 0, done.stderr
    recipe = json.loads(Path("out/config.json").read_text())["recipe"]
    assert (recipe["name"], recipe["network"], recipe["self_training"]) == ("paper", False, True)
    labels = [
        label
        for line in map(json.loads, Path("out/predictions.jsonl").read_text().splitlines())
        for label in line["labels"]
    ]
    assert all("applies" not in label for label in labels)  # its scores are no probabilities


def by_method(name: str, *more: str) -> subprocess.CompletedProcess[str]:
    start = ("run", "papers.jsonl", "--labels", "labels.jsonl", "--out", "out", "--quiet", "--method", name)
    return futex(*start, *more)


def test_another_method():
    assert by_method("zero-shot-tc", "--plm", "fake").returncode == 0
    assert json.loads(Path("out/config.json").read_text())["setting"]["length"] == 512
    fails(by_method("longformer", "--plm", "fake", "--length", "513"), "--length can be 512, 1024, 2048, 4096")
    assert "longformer               Longformer, reads full (--length 512, 1024" in futex("methods").stdout


def test_parabel_is_taught_by_some_papers_and_ranks_the_others(monkeypatch):
    """Both lie on disk, however many they are."""
    given = []

    class Noting(SupervisedParabel):
        def __init__(self, labels, training, gold, *, seed):
            given.append(type(training))
            super().__init__(labels, training, gold, seed=seed)

        def rank(self, papers, candidates):
            given.append(type(papers))
            return super().rank(papers, candidates)

    monkeypatch.setattr("futex.runs.baselines.SupervisedParabel", Noting)
    done = by_method("parabel", "--gold", "gold.jsonl", "--train", "8")
    assert done.returncode == 0, done.stderr
    assert given == [PaperSpool, PaperSpool]
    taught_by = json.loads(Path("out/config.json").read_text())["setting"]["training papers"]
    ranked = [json.loads(line)["paper"] for line in Path("out/predictions.jsonl").read_text().splitlines()]
    assert len(taught_by) == 8
    assert sorted([*taught_by, *ranked]) == sorted(f"d{i}" for i in range(12))
    fails(by_method("parabel", "--gold", "gold.jsonl", "--train", "12"), "12 have gold, and some must be left to rank")
    fails(by_method("parabel"), "give it true labels to train on with --gold FILE")


@pytest.mark.parametrize(
    ("method", "option", "value", "meant_for"),
    [
        ("futex", "--gold", "nowhere", "--method parabel"),
        ("futex", "--train", "7", "--method parabel"),
        ("futex", "--text", "full", "the systems it is compared with"),
        ("futex", "--length", "1024", "the systems it is compared with"),
        ("lexical", "--recipe", "nonsense", "FuTex and its ablations"),
        ("lexical", "--llm-model", "tiny", "FuTex and its ablations"),
        ("parabel", "--plm", "fake", "FuTex and its ablations and the systems it is compared with"),
        ("parabel", "--metapath", "P-V-P", "FuTex and its ablations and the systems it is compared with"),
    ],
)
def test_options_that_would_be_ignored_are_refused(method, option, value, meant_for):
    fails(by_method(method, option, value), f"{option} is for {meant_for}: leave it out")


NAMES_ONLY = ("--plm", "none", "--quiet")


def run_by_names(papers: str = "papers.jsonl", out: str = "out") -> subprocess.CompletedProcess[str]:
    return futex("run", papers, "--labels", "labels.jsonl", "--out", out, *NAMES_ONLY)


def test_the_folder_of_a_run_is_no_model():
    run_by_names()
    fails(futex("suggest", "out", "papers.jsonl"), "manifest.json is missing; of a run, give its model/ folder")


def test_names_of_files_need_not_be_utf8(corpus):  # noqa: F811
    (corpus / "in").mkdir()
    papers = corpus / "in" / os.fsdecode(b"caf\xe9.jsonl")
    (corpus / "papers.jsonl").rename(papers)
    for where in (papers, corpus / "in"):
        assert run_by_names(str(where)).returncode == 0
        assert json.loads(Path("out/config.json").read_text())["inputs"]["papers"]["path"] == str(where)


def test_a_file_that_may_not_be_read_is_skipped(corpus, monkeypatch):  # noqa: F811
    (corpus / "in").mkdir()
    (corpus / "papers.jsonl").rename(corpus / "in/papers.jsonl")
    (corpus / "in/closed.jsonl").write_text('{"id": "x", "abstract": "y"}')
    opened = Path.open

    def closed(path, *how, **more):
        if path.name == "closed.jsonl":
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, *how, **more)

    monkeypatch.setattr(Path, "open", closed)
    done = run_by_names("in")
    assert done.returncode == 0
    assert "skipped: cannot read in/closed.jsonl" in done.stderr


def test_another_method_is_not_written_beside_a_model():
    run_by_names()
    before = Path("out/predictions.jsonl").read_bytes()
    fails(by_method("lexical"), "out holds a run of FuTex")
    assert Path("out/predictions.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("method", "option", "value"),
    [("lexical", "--plm", "x"), ("scibert", "--triples", "7"), ("scibert", "--metapath", "P-V-P")],
)
def test_options_that_a_method_has_no_use_for(method, option, value):
    fails(by_method(method, option, value), f"has no use for {option}: leave it out")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--recipe", "paper", "--plm", "none"), "this recipe needs a PLM"),
        (("--recipe", "paper", "--metapath", "x"), "cannot read the meta-path 'x'"),
        (("--plm", ""), "no PLM ''"),
    ],
)
def test_what_a_recipe_lacks_is_told_before_a_paper_is_read(words, message):
    fails(futex("run", "papers.jsonl", "--labels", "labels.jsonl", "--out", "out", "--quiet", *words), message)
    assert not Path("out").exists()


def test_errors_list_all_that_is_accepted():
    fails(by_method("futex-no-netwrok"), "futex-no-network")
    fails(futex("export", "gold.jsonl", "--as", "qrel", "--out", "x"), "or qrels")
    fails(by_method("futex-no-network", "--plm", "fake", "--triples", "4"), "without --method")

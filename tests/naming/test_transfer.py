"""Weights that the gold of other collections taught."""

import json
import lzma
import math
import runpy
import sys
from pathlib import Path

import pytest

from futex.config import RECIPES
from futex.corpus.paper import Paper, section
from futex.labels.label import Label, LabelSpace
from futex.naming.features import FEATURES
from futex.naming.ranker import NameRanker
from futex.naming.regression import Regression
from futex.naming.transfer import TRANSFERRED, WEIGHTS
from futex.pipeline import FuTex

TRANSFER = RECIPES["transfer"].but(plm="none")
SCRIPT = Path(__file__).parents[2] / "experiments" / "transfer.py"

LABELS = LabelSpace([Label("A", "asthma"), Label("L", "lung"), Label("D006801", "Humans")])
PAPERS = [
    Paper("d1", "On asthma", "The lung of humans.", section("", ["The lung, the lung and the lung."])),
    Paper("d2", "The lung", "Asthma of the lung in humans."),
    Paper("d3", "Asthma in humans", "All of it."),
]


def weights(**chosen):
    return Regression.from_dict({"bias": -1.0} | dict.fromkeys(FEATURES, 0.0) | chosen)


def test_features_are_weighed_by_hand():
    """σ(−1 + 3) for what stands in the title, σ(−1) for all else."""
    ranker = NameRanker(LABELS, None, transferred=weights(**{"in title": 3.0}))
    counts = ranker.look(PAPERS)
    ranker.learn(counts)
    ranking = dict(ranker.conclude(PAPERS, counts)["d1"])
    in_title, elsewhere = 1 / (1 + math.exp(-2)), 1 / (1 + math.exp(1))
    assert ranking == pytest.approx({"A": in_title, "L": elsewhere, "D006801": elsewhere})


def test_what_another_plm_or_taxonomy_would_change_has_no_weight():
    known = TRANSFERRED.as_dict()
    left_out = {name for name, weight in known.items() if not weight}
    assert left_out == set(FEATURES) - set(WEIGHTS)
    assert {"similar to abstract", "depth in the taxonomy", "given before"} <= left_out


def test_whom_a_paper_studied_comes_first():
    """The case it was made for: indexers give "Humans" to every paper on humans, also one that is mostly on lungs."""
    new = Paper("new", "The lung", "The lung in humans: lung and lung.")
    first = {
        recipe: FuTex(RECIPES[recipe].but(plm="none")).fit(PAPERS, LABELS).rank([new])["new"].labels[0]
        for recipe in ("best", "transfer")
    }
    assert first == {"best": "L", "transfer": "D006801"}


def test_a_model_is_saved_and_can_be_adapted(tmp_path):
    model = FuTex(TRANSFER).fit(PAPERS, LABELS)
    model.save_pretrained(tmp_path / "model")
    again = FuTex.from_pretrained(tmp_path / "model")
    assert again.recipe == model.recipe
    assert again.rank(PAPERS) == model.rank(PAPERS)
    again.adapt(PAPERS, {"d1": {"A"}, "d2": {"L"}, "d3": {"A"}})
    assert again.rank(PAPERS) != model.rank(PAPERS)


@pytest.fixture
def teach(tmp_path, papers, labels, monkeypatch, capsys):
    """Runs the script on the tiny corpus, whose papers are all given their first label, and gives what it prints."""
    with lzma.open(tmp_path / "papers.jsonl.xz", "wt") as file:
        for paper in papers:
            file.write(json.dumps({"id": paper.id, "title": paper.title, "abstract": paper.abstract}) + "\n")
    first = FuTex(RECIPES["best"].but(plm="none")).fit_rank(papers, labels)
    (tmp_path / "gold.jsonl").write_text(
        "".join(json.dumps({"id": p, "labels": ranking.labels[:1]}) + "\n" for p, ranking in first.items())
    )
    (tmp_path / "labels.jsonl").write_text(
        "".join(json.dumps({"id": label.id, "name": label.name}) + "\n" for label in labels.values())
    )

    def run(*words):
        where = ["--corpus", str(tmp_path), "0", "8", "--plm", "fake", "--cache", str(tmp_path / "cache")]
        monkeypatch.setattr(sys, "argv", [str(SCRIPT), *where, *words])
        runpy.run_path(str(SCRIPT), run_name="__main__")
        return capsys.readouterr().out

    return run


def test_the_script_prints_weights_that_the_recipe_can_take(teach):
    learnt = json.loads(teach())
    assert learnt.keys() == WEIGHTS.keys()
    assert learnt["log score"] > 0


def test_the_script_compares_on_other_papers(teach, tmp_path):
    shown = teach("--test", str(tmp_path), "8", "12")
    assert [line.split()[0] for line in shown.splitlines()[1:]] == ["P@1", "P@5", "NDCG@5"]

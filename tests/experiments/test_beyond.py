"""What is not in the paper: the recipe `best` idea by idea, and the learning curve of the Cross-Encoder."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from experiments.tiny_corpus import read, write

from futex.errors import InputError
from futex.experiments import comparison, curve
from futex.experiments.corpus import Corpus
from futex.experiments.lab import Lab
from futex.experiments.plans import Plan, Profile, all_plans
from futex.experiments.units import Units
from futex.network import learning
from futex.plm.fake import FakePLM


@pytest.fixture
def lab(tmp_path, papers, labels) -> Lab:
    corpus = read(write(tmp_path, papers, labels), limit=18)
    return Lab(corpus, Units(tmp_path / "units", tmp_path / "cache"), "fake", Profile("few", seeds=1, triples=8))


BEYOND = {
    "head": "method",
    "metrics": ["P@1", "P@5"],
    "plot": "dots",
    "plotted": ["P@5"],
    "better_than": "best",
    "differences": ["P@5"],
    "rows": [
        {"method": "best", "title": "best"},
        {"method": "best", "title": "only length", "factors": ["length"]},
        {"method": "best", "title": "adapted", "training": 8},
        {"method": "parabel", "title": "Parabel", "training": 8},
    ],
}


def plan(kind, wants):
    return Plan("beyond", "Title", "Caption", kind, wants)


def test_each_row_is_compared_paper_by_paper(lab):
    table = comparison.compare(plan("comparison", BEYOND), lab).table
    assert table.columns == ("P@1", "P@5", "Δ P@5")
    best, length, adapted, parabel = table.rows
    assert best.cells[2].value is None  # not against itself
    for row in (length, adapted, parabel):
        assert row.cells[2].value == pytest.approx(row.cells[1].value - best.cells[1].value)
        assert row.cells[2].low <= row.cells[2].value <= row.cells[2].high
    assert adapted.remark == "8 reviewed papers"


def test_factors_change_the_ranking(lab):
    whole, length = (lab.outcome("best", factors=factors).rankings for factors in (("frequency", "place"), ("length",)))
    assert whole.keys() == length.keys()
    assert whole != length


def test_gold_is_taken_from_papers_that_are_not_ranked(lab):
    """With twelve papers behind the limit nobody can learn from thirteen."""
    found = comparison.compare(plan("comparison", BEYOND | {"rows": [{**BEYOND["rows"][2], "training": 13}]}), lab)
    assert "cannot train on 13 papers: 12 with gold are left" in found.table.rows[0].missing


def test_every_row_of_our_own_table_can_be_built(lab):
    """With eight reviewed papers where it wants more; the row with a PLM that is not here is left out."""
    ours = all_plans()["beyond"]
    rows = [row | ({"training": 8} if "training" in row else {}) for row in ours["rows"] if "plm" not in row]
    table = comparison.compare(replace(ours, wants={**ours.wants, "rows": rows}), lab).table
    assert [row.head for row in table.rows] == [row["title"] for row in rows]
    assert not [row.missing for row in table.rows if row.missing.startswith("not run")]


CURVE = {
    "metrics": ["P@1"],
    "plotted": ["P@1"],
    "triples": 40,
    "looks": 5,
    "sizes": [8, 24],
    "dev": 4,
}


def test_a_point_for_each_size_and_for_the_end(lab):
    table = curve.trace(plan("curve", CURVE), lab).table
    assert [row.head for row in table.rows] == ["untuned, cosine", "8 triples", "24 triples", "40 triples"]


def test_a_curve_that_was_broken_off_goes_on(lab, tmp_path, monkeypatch):
    """Its first point is known by then, and is not ranked again."""
    ranked, rank = [], curve.CrossEncoder.rank

    def counting(*things):
        ranked.append(1)
        if len(ranked) == 2:
            raise KeyboardInterrupt
        return rank(*things)

    monkeypatch.setattr(curve.CrossEncoder, "rank", counting)
    with pytest.raises(KeyboardInterrupt):
        curve.trace(plan("curve", CURVE), lab)
    gone_on = curve.trace(plan("curve", CURVE), lab).table
    assert len(ranked) == 2 + 2
    undisturbed = replace(lab, units=Units(tmp_path / "other units", tmp_path / "other cache"))
    assert curve.trace(plan("curve", CURVE), undisturbed).table == gone_on


def test_a_curve_whose_points_are_all_there_needs_no_training(lab, monkeypatch):
    """Nor the state that training left, which is large and may be deleted."""
    whole = curve.trace(plan("curve", CURVE), lab).table
    (checkpoint,) = lab.units.folder.glob("beyond-*/checkpoint")
    shutil.rmtree(checkpoint)
    monkeypatch.setattr(curve, "learn", lambda *_, **__: pytest.fail("trained again"))
    assert curve.trace(plan("curve", CURVE), lab).table == whole


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_text(path.read_text().replace("L3", "L9"))])
def test_a_point_that_is_lost_or_damaged_is_learnt_anew(lab, damage):
    """Once training has gone past it, its weights are nowhere else."""
    whole = curve.trace(plan("curve", CURVE), lab).table
    damage(next(lab.units.folder.glob("beyond-*/8.json")))
    assert curve.trace(plan("curve", CURVE), lab).table == whole


@pytest.mark.parametrize("version", ["VERSION", "TRAINING_VERSION"])
def test_points_of_other_code_are_not_taken_over(lab, monkeypatch, version):
    curve.trace(plan("curve", CURVE), lab)
    ranked, rank = [], curve.CrossEncoder.rank
    monkeypatch.setattr(curve.CrossEncoder, "rank", lambda *things: ranked.append(1) or rank(*things))
    curve.trace(plan("curve", CURVE), lab)
    assert not ranked
    monkeypatch.setattr(curve, version, "another")
    curve.trace(plan("curve", CURVE), lab)
    assert len(ranked) == 3


def test_sizes_between_two_looks_are_those_of_the_later_one(lab, monkeypatch):
    """The weights are those after 16, 24 and 40 triples."""
    ranked, rank = [], curve.CrossEncoder.rank
    monkeypatch.setattr(curve.CrossEncoder, "rank", lambda *things: ranked.append(1) or rank(*things))
    table = curve.trace(plan("curve", CURVE | {"sizes": [10, 12, 24]}), lab).table
    assert [row.head for row in table.rows][1:] == ["10 triples", "12 triples", "24 triples", "40 triples"]
    assert len(ranked) == 3


def test_a_curve_needs_linked_papers_behind_the_ranked_ones(lab, folder):
    whole = replace(lab, corpus=read(folder))
    with pytest.raises(InputError, match="no papers behind the ranked ones are linked"):
        curve.trace(plan("curve", CURVE), whole)


def test_a_curve_is_that_of_the_plm_which_futex_has_in_other_experiments(lab, monkeypatch):
    """Without --plm the paper's, or the one whose folder the profile tells."""
    asked = []
    monkeypatch.setattr(curve, "load_plm", lambda name, cache: asked.append(name) or FakePLM())
    told = Profile("few", plm_of={"futex": "models/specter"})
    for chosen in (lab, replace(lab, plm=None), replace(lab, plm=None, profile=told)):
        curve.trace(plan("curve", CURVE), chosen)
    assert asked == ["fake", "allenai/specter", "models/specter"]


def test_looks_are_where_the_items_are_counted(lab, monkeypatch):
    """Five looks at forty items in batches of eight: after each batch."""
    seen = []
    original = learning.learn

    def spy(*things, at_look, **more):
        return original(*things, at_look=lambda triples: (seen.append(triples), at_look(triples)), **more)

    monkeypatch.setattr(curve, "learn", spy)
    curve.trace(plan("curve", CURVE), lab)
    assert seen == [8, 16, 24, 32, 40]


def test_labels_can_be_left_out(tmp_path, papers, labels):
    folder = write(tmp_path, papers, labels)
    (folder / "out.txt").write_text("L1\nX\n")
    names = [str(folder / f"{name}.jsonl") for name in ("papers", "labels")]
    corpus = Corpus.read(*names, folder / "gold.jsonl", name="tiny", limit=None, without=folder / "out.txt")
    assert not {"L1", "X"} & corpus.labels.keys()
    assert not {"L1", "X"} & frozenset().union(*corpus.gold.values())
    (folder / "out.txt").write_text("nonsense\n")
    with pytest.raises(InputError, match="no label of the label space"):
        Corpus.read(*names, folder / "gold.jsonl", name="tiny", limit=None, without=folder / "out.txt")


def test_shuffled_papers_are_some_of_all_and_the_same_each_time(tmp_path, papers, labels):
    folder = write(tmp_path, papers, labels)
    names = [str(folder / name) for name in ("papers.jsonl", "labels.jsonl")]
    drawn = [
        [paper.id for paper in Corpus.read(*names, folder / "gold.jsonl", name="tiny", limit=6, shuffled=True).papers]
        for _ in range(2)
    ]
    assert drawn[0] == drawn[1]
    assert len(set(drawn[0])) == 6
    assert drawn[0] != [paper.id for paper in read(folder, limit=6).papers]


def test_papers_without_gold_are_refused_at_once(folder):
    (folder / "gold.jsonl").write_text('{"id": "elsewhere", "labels": ["L1"]}\n')
    with pytest.raises(InputError, match="none of the 6 ranked papers of tiny has gold"):
        read(folder, limit=6)


def test_the_first_papers_are_cut_once(corpus):
    first = corpus.first(6, with_links=True)
    assert corpus.first(6, with_links=True) is first
    assert (len(first.papers), len(first.linked), len(corpus.first(6).linked)) == (6, 30, 6)

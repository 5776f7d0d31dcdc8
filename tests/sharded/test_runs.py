"""A run over shards: the result of `FuTex.fit_rank`, and nothing computed twice."""

import json
from dataclasses import replace

import pytest
from sharded.runs_of import BEST, PAPER, Noting, Stopping

from futex.corpus.store import read_papers
from futex.errors import FutexError, InputError
from futex.evidence import predictions
from futex.files import sha256
from futex.labels.label import Label, LabelSpace
from futex.pipeline import FuTex
from futex.sharded.local import LocalEngine

RECIPES = pytest.mark.parametrize("recipe", [BEST, PAPER], ids=["best", "paper"])


@RECIPES
def test_the_result_is_that_of_fit_rank_whatever_the_size_of_shards(desk, labels, monkeypatch, recipe):
    papers = read_papers(desk.folder / "papers.jsonl")
    model = FuTex(recipe)
    records = predictions(model, papers, model.fit_rank(papers, labels), 20)
    expected = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()
    assert desk.run(recipe, "fours", LocalEngine()) == expected
    monkeypatch.setattr("futex.sharded.papers.PAPERS_A_SHARD", 5)
    assert desk.run(recipe, "fives") == expected
    assert {name for name in desk.shards("fives") if "papers" in name} == {f"papers/0000{i}.parquet" for i in range(3)}


@RECIPES
def test_a_finished_run_has_nothing_left_to_do(desk, recipe):
    first = desk.run(recipe)
    engine = Noting()
    assert desk.run(recipe, engine=engine) == first
    assert engine.tasks == []


@RECIPES
def test_stopped_anywhere_it_goes_on_from_there(desk, recipe):
    """A draft, three shards of findings, a model and three shards of predictions make eight tasks."""
    expected = desk.run(recipe, "undisturbed")
    for after in range(8):
        with pytest.raises(KeyboardInterrupt):
            desk.run(recipe, f"out{after}", Stopping(after))
        rest = Noting()
        assert desk.run(recipe, f"out{after}", rest) == expected
        assert len(rest.tasks) == 8 - after


def test_added_papers_cost_what_they_add(desk, papers, labels):
    desk.give(papers[:10], labels)
    desk.run()
    before, computed = desk.shards(), desk.computed()
    assert len(before) == 9
    desk.give(papers, labels)
    engine = Noting()
    result = desk.run(engine=engine)
    after = desk.shards()
    assert {name: after[name] for name in before if "predictions" not in name} == {
        name: time for name, time in before.items() if "predictions" not in name
    }
    assert [task.number for stage, task in engine.tasks if stage == "Look"] == [3]
    assert desk.computed() - computed == sum(1 + len(list(paper.paragraphs())) for paper in papers[10:])
    assert result == desk.run(out="anew")


def test_changed_labels_leave_the_papers_and_their_vectors(desk, papers, labels):
    desk.run()
    before, computed = desk.shards(), desk.computed()
    changed = LabelSpace([*labels.values(), Label("new", "hospital")])
    desk.give(papers, changed)
    result = desk.run()
    assert desk.computed() - computed == 1  # the new label
    after = desk.shards()
    assert {name for name in after if after[name] == before[name]} == {f"papers/0000{i}.parquet" for i in range(3)}
    assert result == desk.run(out="anew")
    assert b'"hospital"' in result


def test_another_plm_does_not_count_names_again(desk):
    desk.run()
    engine = Noting()
    desk.run(BEST.but(plm="none"), engine=engine)
    assert [stage for stage, _ in engine.tasks if stage != "Predict"] == ["Draft", "Learn"]


def test_a_changed_paper_and_a_smaller_corpus(desk, papers, labels):
    desk.run()
    changed = [*papers[:5], replace(papers[5], abstract="All about the brain."), *papers[6:]]
    desk.give(changed, labels)
    engine = Noting()
    assert desk.run(engine=engine) == desk.run(out="anew")
    assert [task.number for stage, task in engine.tasks if stage == "Look"] == [1]
    desk.give(papers[:4], labels)
    left = [desk.folder / "out" / name for name in (".config.json.1.tmp", "shards/papers/.00000.parquet.1.tmp")]
    for path in left:
        path.touch()
    assert desk.run() == desk.run(out="smaller")
    assert len(desk.shards()) == 3
    assert not any(path.exists() for path in left)


def test_what_cannot_be_read_is_named_each_time(desk, papers, labels):
    desk.give([*papers, replace(papers[0], id="empty", abstract="", body=type(papers[0].body)())], labels)
    desk.run()
    assert desk.skipped == ["paper empty: neither abstract nor body text"]
    desk.run()
    assert desk.skipped == ["paper empty: neither abstract nor body text"]


def test_what_a_single_paper_pulls_in_is_read_again(desk, labels):
    paper = desk.folder / "paper.tex"
    paper.write_text(r"\documentclass{article}\begin{document}\title{Paper}\maketitle\input{body}\end{document}")
    body = paper.with_name("body.tex")
    body.write_text("This is all about lung cancer, and nothing else is in this paragraph.")
    assert b'"Lung cancer"' in desk.run(papers=str(paper))
    body.write_text("This is all about the brain, and nothing else is in this paragraph.")
    assert b'"Lung cancer"' not in desk.run(papers=str(paper))


def test_a_renamed_paper_has_its_new_id(desk):
    (desk.folder / "one.txt").write_text("Mice\n\nThis is all about lung cancer and mice, and about nothing else.\n")
    assert b'"one"' in desk.run(papers=str(desk.folder / "one.txt"))
    (desk.folder / "one.txt").rename(desk.folder / "two.txt")
    assert b'"two"' in desk.run(papers=str(desk.folder / "two.txt"))


def test_config_tells_what_was_read_not_what_lay_there_at_the_end(desk, papers, labels):
    class Growing(Noting):
        def map(self, stage, tasks):
            desk.give(papers[:4], labels)
            return super().map(stage, tasks)

    before = sha256(desk.folder / "papers.jsonl")
    desk.run(engine=Growing())
    config = json.loads((desk.folder / "out/config.json").read_text())
    assert config["inputs"]["papers"]["sha256"] == before


def test_out_is_not_among_the_papers(desk):
    with pytest.raises(InputError, match=r"lies among the papers in .*: put --out elsewhere"):
        desk.run(papers=str(desk.folder))
    assert not (desk.folder / "out").exists()


def test_an_empty_folder_of_the_user_stays_if_nothing_comes_of_a_run(desk):
    (desk.folder / "out").mkdir()
    with pytest.raises(InputError, match="no such file"):
        desk.run(papers=str(desk.folder / "nowhere"))
    assert list((desk.folder / "out").iterdir()) == []


def test_a_strangers_files_are_not_taken_for_a_model(desk):
    (desk.folder / "out/model").mkdir(parents=True)
    (desk.folder / "out/model/thesis.docx").touch()
    with pytest.raises(InputError, match="out/model is there and is no model"):
        desk.run()
    assert (desk.folder / "out/model/thesis.docx").exists()


@RECIPES
def test_a_plm_that_has_changed_at_the_hub_is_taken_as_it_is_now(desk, monkeypatch, recipe):
    desk.run(recipe)
    monkeypatch.setattr("futex.plm.fake.FakePLM.fingerprint", "another")
    with pytest.raises(FutexError, match="the PLM has changed since this run was begun: start it again"):
        desk.run(recipe, top=2)
    assert desk.run(recipe, top=2) == desk.run(recipe, "anew", top=2)


SHARDS = ["papers/00001.parquet", "findings/00001.parquet", "predictions/00001.jsonl.zst", "draft/recipe.json"]


@RECIPES
@pytest.mark.parametrize("shard", [*SHARDS, "../model/labels.jsonl"])
@pytest.mark.parametrize("harm", ["flipped", "cut", "missing"])
def test_a_damaged_shard_is_named_and_computed_again(desk, caplog, recipe, shard, harm):
    expected = desk.run(recipe)
    before = desk.shards()
    path = (desk.folder / "out/shards" / shard).resolve()
    whole = path.read_bytes()
    if harm == "missing":
        path.unlink()
    else:
        path.write_bytes(whole[:-1] if harm == "cut" else bytes([whole[0] ^ 1]) + whole[1:])
    assert desk.run(recipe) == expected
    is_shard = shard in before
    named = path if is_shard else path.parent
    assert [str(named) in line and "again" in line for line in caplog.messages if str(desk.folder) in line] == [True]
    assert path.read_bytes() == whole
    after = desk.shards()
    assert {name for name in after if after[name] != before[name]} == ({shard} if is_shard else set())


@pytest.mark.parametrize("note", ["papers/00001.json", "findings/00001.json", "draft.json", "manifest.json"])
def test_a_damaged_note_is_as_good_as_none(desk, note):
    expected = desk.run()
    path = desk.folder / "out/shards" / note
    for place in range(0, path.stat().st_size, 37):
        whole = path.read_bytes()
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert desk.run() == expected

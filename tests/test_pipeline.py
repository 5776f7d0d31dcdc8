"""Algorithm 1 as a whole, on the fake PLM."""

import json
import subprocess
import sys

import numpy as np
import pytest

from futex.candidates import Matcher, retrieve
from futex.config import RECIPES, Recipe
from futex.errors import InputError, ModelError
from futex.evidence import Explainer
from futex.hierarchy.fusion import mrr
from futex.labels.label import Label, LabelSpace
from futex.pipeline import FuTex
from futex.plm.fake import FakePLM

RECIPE = Recipe(plm="fake", triples=16, min_linked_papers=4, min_papers_per_word=1)


@pytest.fixture
def fitted(papers, labels) -> FuTex:
    return FuTex(RECIPE).fit(papers, labels)


def test_number_of_plm_calls_is_d_lambda_plus_dp_plus_l(papers, labels):
    """§3.1: Dλ pairs, DP paragraphs (title+abstract is one of them) and L labels, each computed once."""
    everywhere = LabelSpace([*labels.values(), Label("X", "the")])
    plm = FakePLM()
    model = FuTex(RECIPE, plm=plm).fit(papers, everywhere)
    model.rank(papers)
    tuned = model.tuned_plm.uncached
    candidates = retrieve(papers, Matcher(everywhere))
    used = set().union(*candidates.values())
    paragraphs = {leaf.text for paper in papers for leaf in paper.tree.leaves()}
    assert tuned.pairs_scored == sum(map(len, candidates.values()))
    assert plm.texts_embedded == len(paragraphs) + len(used)
    assert tuned.texts_embedded == plm.pairs_scored == 0


def test_the_ranking_is_what_the_paper_says(papers, labels, fitted):
    """Rebuild the list of one paper step by step: matching, two scores, MRR, then relabelling."""
    paper = papers[0]
    candidates = retrieve([paper], Matcher(labels))
    x, b = (ranker.rank([paper], candidates)[paper.id] for ranker in fitted.method.rankers())
    initial = mrr([x, b])
    final = fitted.rank([paper])[paper.id]
    confident = initial.top(fitted.recipe.pseudo_labels)
    assert final.labels[: len(confident)] == confident.labels
    assert set(initial.labels) == set(candidates[paper.id])


@pytest.mark.parametrize("off", ["network", "hierarchy", "self_training"])
def test_each_module_can_be_switched_off(papers, labels, off):
    plm = FakePLM()
    model = FuTex(RECIPE.but(**{off: False}), plm=plm).fit(papers, labels)
    rankings = model.rank(papers)
    assert set(rankings) == {paper.id for paper in papers}
    kinds = [type(ranker).__name__ for ranker in model.method.rankers()]
    match off:
        case "network":
            assert kinds == ["BiEncoder", "BiEncoder"]
            assert model.tuned_plm is None
        case "hierarchy":
            assert kinds == ["CrossEncoder"]
            assert plm.texts_embedded == 0
        case "self_training":
            candidates = retrieve(papers, Matcher(labels))
            assert all(set(rankings[p.id].labels) == set(candidates[p.id]) for p in papers)


def test_self_training_can_add_labels_that_were_not_retrieved(papers, labels):
    """All papers of a topic have the label's name in the abstract but one; self-training gives it to that one too."""
    from dataclasses import replace

    hidden = replace(papers[1], title="An untitled study", abstract="We treat the illness and measure it for weeks.")
    corpus = [papers[0], hidden, *papers[2:]]
    model = FuTex(RECIPE).fit(corpus, labels)
    before, after = model.look(corpus)[1], model.rank(corpus)["d1"]
    assert "L1" not in before.labels
    assert after.labels[0] in ("L1", "L2", "L5")
    suggestion = Explainer(model).suggestions(hidden, after, top=1)[0]
    assert suggestion.source == "self-training"
    assert any(piece["kind"] == "words" for piece in suggestion.evidence)


def test_too_few_linked_papers_go_without_fine_tuning(papers, labels, caplog):
    model = FuTex(RECIPE.but(min_linked_papers=1000, triples=5000)).fit(papers, labels)
    assert model.tuned_plm is None
    assert model.recipe.network is False
    assert "only 12 of 12 papers are linked by P->P<-P" in caplog.text


def test_the_recipe_records_what_was_decided(papers, labels):
    model = FuTex(Recipe(plm="fake", min_linked_papers=4)).fit(papers, labels)
    assert model.recipe.pooling == "mean"
    assert model.recipe.triples == 600


def test_two_runs_with_one_seed_agree_and_another_seed_does_not(papers, labels):
    one, same, another = (FuTex(RECIPE.but(seed=seed)).fit(papers, labels) for seed in (0, 0, 1))
    assert one.rank(papers) == same.rank(papers)
    assert one.tuned_plm.fingerprint == same.tuned_plm.fingerprint != another.tuned_plm.fingerprint


def test_saved_and_loaded_in_a_new_process_it_ranks_exactly_alike(papers, labels, tmp_path):
    model = FuTex(RECIPE, cache=tmp_path / "cache").fit(papers[:8], labels)
    model.save_pretrained(tmp_path / "model")
    from futex.corpus.store import write_papers

    write_papers(papers[8:], tmp_path / "new.jsonl")
    program = """
import json, sys
from futex import FuTex, read_papers
model = FuTex.from_pretrained(sys.argv[1])
print(json.dumps({id: [r.labels, r.scores] for id, r in model.rank(read_papers(sys.argv[2])).items()}))
"""
    arguments = [sys.executable, "-c", program, str(tmp_path / "model"), str(tmp_path / "new.jsonl")]
    printed = json.loads(subprocess.run(arguments, capture_output=True, text=True, check=True).stdout)
    expected = {id: [list(r.labels), list(r.scores)] for id, r in model.rank(papers[8:]).items()}
    assert printed == expected


def test_a_model_on_a_transformer_is_saved_whole(papers, labels, tmp_path, tiny_checkpoint):
    """A local checkpoint is copied into the model, so the model outlives it."""
    import shutil

    shutil.copytree(tiny_checkpoint("bert"), tmp_path / "plm")
    recipe = RECIPE.but(plm=str(tmp_path / "plm"))
    model = FuTex(recipe).fit(papers, labels)
    model.save_pretrained(tmp_path / "model")
    shutil.rmtree(tmp_path / "plm")
    again = FuTex.from_pretrained(tmp_path / "model")
    assert again.rank(papers) == model.rank(papers)
    assert again.recipe == model.recipe


@pytest.mark.parametrize("recipe", [RECIPE, RECIPES["best"].but(plm="none")])
def test_papers_are_told_apart_by_their_ids(papers, labels, recipe):
    model = FuTex(recipe).fit(papers, labels)
    with pytest.raises(InputError, match="'d0' is the id of several papers"):
        model.rank([papers[0], papers[0], papers[1]])


def test_another_fit_decides_anew(papers, labels):
    """Papers without links leave nothing to fine-tune on; those that come after them do."""
    from dataclasses import replace

    model = FuTex(RECIPE).fit([replace(paper, references=()) for paper in papers], labels)
    assert (model.tuned_plm, model.recipe.network) == (None, False)
    model.fit(papers, labels)
    assert model.tuned_plm is not None
    assert model.recipe.network is True


def test_a_model_is_fitted_before_it_is_asked(papers, tmp_path):
    model = FuTex(RECIPE)
    for ask in (model.rank, model.look, model.fine_tune, lambda papers: model.tuned_plm, model.save_pretrained):
        with pytest.raises(InputError, match="fit the model first, or load one with from_pretrained"):
            ask(tmp_path / "model" if ask == model.save_pretrained else papers)


@pytest.fixture
def saved(fitted, tmp_path):
    fitted.save_pretrained(tmp_path / "model")
    return tmp_path / "model"


@pytest.mark.parametrize("name", ["labels.jsonl", "parabel.npz", "recipe.json", "tuned_plm/fake.json"])
def test_missing_and_altered_files_are_named(saved, name):
    whole = (saved / name).read_bytes()
    (saved / name).write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(ModelError, match=f"damaged: {name} was altered"):
        FuTex.from_pretrained(saved)
    (saved / name).unlink()
    with pytest.raises(ModelError, match=f"incomplete: {name} is missing"):
        FuTex.from_pretrained(saved)


def test_folders_that_are_no_model(tmp_path):
    with pytest.raises(ModelError, match="no such model folder"):
        FuTex.from_pretrained(tmp_path / "nowhere")
    with pytest.raises(ModelError, match=r"manifest\.json is missing"):
        FuTex.from_pretrained(tmp_path)


def test_a_model_holds_nothing_that_could_run(saved):
    kinds = {path.suffix for path in saved.rglob("*") if path.is_file()}
    assert kinds <= {".json", ".jsonl", ".npz", ".safetensors", ".txt"}
    with np.load(saved / "parabel.npz", allow_pickle=False) as arrays:
        assert all(arrays[name].dtype != object for name in arrays)


def test_evidence_shows_names_paragraphs_and_places(papers, fitted):
    paper = papers[1]
    suggestions = Explainer(fitted).suggestions(paper, fitted.rank([paper])[paper.id], top=3)
    first = next(s for s in suggestions if s.name == "Lung cancer")
    names = [piece for piece in first.evidence if piece["kind"] == "name"]
    assert [piece["where"] for piece in names] == [["title"], ["abstract"], ["Introduction"]]
    assert names[0]["name"] == "Lung cancer"
    assert names[0]["text"].startswith("Lung cancer in the mouse")
    paragraphs = [piece for piece in first.evidence if piece["kind"] == "paragraph"]
    assert paragraphs[0]["where"] == ["Introduction"]
    assert paragraphs[0]["similarity"] >= paragraphs[1]["similarity"]
    assert first.source == "matching"


def test_recipes_are_checked(tmp_path):
    path = tmp_path / "r.toml"
    path.write_text('name = "mine"\npseudo_labels = 3\nplm = "fake"\n')
    assert Recipe.load(str(path)) == Recipe(name="mine", pseudo_labels=3, plm="fake")
    assert Recipe.from_dict(Recipe().as_dict()) == Recipe()
    for text, message in [
        ("trees = 'three'", "'trees' cannot be 'three'"),
        ("trees = true", "'trees' cannot be True"),
        ("pooling = 'max'", "it takes auto or cls or mean"),
        ("treees = 3", "no setting 'treees'"),
        ("triples = 0", "'triples' cannot be 0: it takes a whole number from 1 on"),
        ("min_linked_papers = 0", "'min_linked_papers' cannot be 0: it takes a whole number from 1 on"),
        ("max_length = 5", "'max_length' cannot be 5: it takes a whole number from 6 on"),
        ("seed = -1", "'seed' cannot be -1: it takes a whole number from 0 to 4294967295"),
        ("seed = 4294967296", "'seed' cannot be 4294967296: it takes a whole number from 0 to 4294967295"),
        (f"seed = {2**64}", "'seed' cannot be 18446744073709551616: it takes a whole number from 0 to 4294967295"),
        ("network = 1", "'network' cannot be 1: it takes true or false"),
        ("scoring = 'names'\nmatch_within = 'abstract'", "scores names, where 'match_within' cannot be chosen"),
        ("trees = ", "cannot read the recipe"),
        ("trees = " + "[" * 100_000, "cannot read the recipe"),
    ]:
        path.write_text(text)
        with pytest.raises(InputError, match=message):
            Recipe.load(str(path))
    with pytest.raises(InputError, match="no recipe 'bets'"):
        Recipe.load("bets")
    with pytest.raises(InputError, match="no such recipe file"):
        Recipe.load(str(tmp_path / "none.toml"))


@pytest.mark.parametrize("text", ["5", "null", "[]", '["plm"]'])
def test_a_recipe_is_an_object_of_settings(tmp_path, text):
    (tmp_path / "r.json").write_text(text)
    with pytest.raises(InputError, match=r"r\.json: a recipe is an object of settings"):
        Recipe.load(str(tmp_path / "r.json"))


def test_names_are_found_where_they_are_counted(papers, labels, tmp_path):
    """Evidence looks for names in the full text too, when all that a recipe says is that it scores names."""
    (tmp_path / "r.toml").write_text('scoring = "names"\nplm = "none"\n')
    recipe = Recipe.load(str(tmp_path / "r.toml"))
    assert recipe == RECIPES["best"].but(name="paper", plm="none")
    model = FuTex(recipe).fit(papers, labels)
    model.save_pretrained(tmp_path / "model")
    assert FuTex.from_pretrained(tmp_path / "model").match_within == "full"


@pytest.mark.parametrize("kind", ["{}", "static:{}", "bf16:{}"])
def test_a_model_brings_the_plm_of_a_folder_along(papers, labels, tiny_checkpoint, tmp_path, kind):
    """Also a static one that was distilled from it: nobody else has that folder."""
    recipe = RECIPES["best"].but(plm=kind.format(tiny_checkpoint("bert")))
    model = FuTex(recipe, cache=tmp_path / "cache").fit(papers, labels)
    model.save_pretrained(tmp_path / "model")
    assert (tmp_path / "model" / "base_plm").is_dir()
    assert FuTex.from_pretrained(tmp_path / "model").rank(papers) == model.rank(papers)


def test_settings_of_modules_are_not_for_names():
    for setting in ({"hierarchy": False}, {"trees": 5}, {"triples": 7}):
        with pytest.raises(InputError, match="cannot be chosen"):
            Recipe.from_dict({"scoring": "transfer"} | setting)
    for name in ("best", "transfer"):
        assert Recipe.from_dict(Recipe.load(name).as_dict()) == Recipe.load(name)

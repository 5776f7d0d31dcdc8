"""0SHOT-TC against plain transformers, with the classes of the checkpoint in any order, and without an NLI head."""

import json
import logging
import shutil

import numpy as np
import pytest
import torch
from transformers import AutoConfig, AutoModelForSequenceClassification, AutoTokenizer

from futex.baselines.entailment import _has_nli_head, hypotheses
from futex.baselines.methods import METHODS, rank_with, setting_of
from futex.errors import ModelError
from futex.labels.label import Label, LabelSpace
from futex.plm import checkpoints
from futex.plm.nli import HEADS, load_nli

MNLI = ("CONTRADICTION", "NEUTRAL", "ENTAILMENT")
PAIRS = [
    ("lung cancer in mice " * 40, "this document is about lung cancer."),
    ("deep learning of the brain", "this document is about graph learning of the mouse."),
    ("", "this document is about x."),
    ("the cell", "this document is about " + "genes and cells " * 3),
]


@pytest.fixture
def nli_checkpoint(tiny_checkpoint, tmp_path):
    """A folder with a tiny classifier of three classes, whose weights hang on the architecture alone."""

    def make(model_type, classes=MNLI):
        folder = tmp_path / "-".join([model_type, *classes])
        shutil.copytree(tiny_checkpoint(model_type), folder)
        config = AutoConfig.from_pretrained(folder)
        config.id2label = dict(enumerate(classes))
        config.label2id = {name: i for i, name in enumerate(classes)}
        torch.manual_seed(3)
        model = AutoModelForSequenceClassification.from_config(config)
        for parameter in model.parameters():
            parameter.data.mul_(4)  # opinions strong enough to be told apart
        model.save_pretrained(folder)
        return folder

    return make


def ranked(folder, papers, labels):
    method = METHODS["zero-shot-tc"]
    return rank_with(method, papers, labels, setting_of(method, plm=str(folder)))


@pytest.mark.parametrize("model_type", [name for name in HEADS if name != "xlm-roberta"])
def test_scores_equal_plain_transformers(nli_checkpoint, model_type):
    folder = nli_checkpoint(model_type)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    plm = load_nli(str(folder))
    expected = []
    for premise, hypothesis in PAIRS:
        inputs = tokenizer(
            premise, hypothesis, truncation="only_first", max_length=plm.tokens.max_length, return_tensors="pt"
        )
        if getattr(model.config, "type_vocab_size", 0) < 2:
            inputs.pop("token_type_ids", None)
        with torch.inference_mode():
            expected.append(torch.softmax(model(**inputs).logits[0], dim=-1)[2])
    np.testing.assert_allclose(plm.score(PAIRS), expected, atol=1e-5)


def test_the_hypothesis_is_never_cut_for_a_long_abstract(nli_checkpoint):
    tokens = load_nli(str(nli_checkpoint("roberta"))).tokens
    (premise, hypothesis), *_ = PAIRS
    (ids,), _ = tokens.pairs([(premise, hypothesis)])
    whole = tokens.singles([hypothesis]).ids[0][1:]
    assert len(ids) == tokens.max_length
    assert ids[-len(whole) :] == whole


def test_label_order_is_read_from_the_checkpoint(nli_checkpoint, papers, labels):
    """The same weights with two names swapped: where one class was probable, the other one is now."""
    usual = ranked(nli_checkpoint("roberta", ("not_entailment", "entailment")), papers, labels)
    swapped = ranked(nli_checkpoint("roberta", ("ENTAILMENT", "NOT_ENTAILMENT")), papers, labels)
    for paper in papers:
        assert usual[paper.id].labels == swapped[paper.id].labels[::-1]
        assert len(usual[paper.id]) >= 3
        total = [score + dict(swapped[paper.id])[label] for label, score in usual[paper.id]]
        assert total == pytest.approx([1.0] * len(total), abs=1e-5)


@pytest.mark.parametrize("classes", [("LABEL_0", "LABEL_1", "LABEL_2"), ("entailment", "entailed", "neutral")])
def test_a_class_is_never_guessed(nli_checkpoint, classes):
    with pytest.raises(ModelError, match=r"which class of .* is entailment .*id2label"):
        load_nli(str(nli_checkpoint("bert", classes)))


@pytest.mark.parametrize("too_few", [{"vocab_size": 8}, {"type_vocab_size": 1}])
def test_parts_that_do_not_fit_each_other_are_one_clear_line(nli_checkpoint, too_few):
    folder = nli_checkpoint("bert")
    config = AutoConfig.from_pretrained(folder, **too_few)
    AutoModelForSequenceClassification.from_config(config).save_pretrained(folder)
    with pytest.raises(ModelError, match="cannot load the checkpoint in "):
        load_nli(str(folder))


def test_an_architecture_without_known_head_is_named(nli_checkpoint):
    folder = nli_checkpoint("bert")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"model_type": "electra"}))
    with pytest.raises(ModelError, match="is electra, and an NLI model can be bert, roberta"):
        load_nli(str(folder))


def test_the_fingerprint_tells_the_head_and_its_classes(nli_checkpoint):
    folders = [nli_checkpoint("roberta"), nli_checkpoint("roberta", MNLI[::-1])]
    other = nli_checkpoint("roberta", ("x", "y", "entailment"))
    model = AutoModelForSequenceClassification.from_pretrained(other)
    model.classifier.out_proj.bias.data += 1
    model.save_pretrained(other)
    assert len({load_nli(str(folder)).fingerprint for folder in [*folders, other]}) == 3
    assert load_nli(str(folders[0])).fingerprint == load_nli(str(folders[0])).fingerprint


def test_in_bfloat16_it_keeps_its_head(nli_checkpoint):
    folder = nli_checkpoint("roberta")
    exact, near = load_nli(str(folder)), load_nli(f"bf16:{folder}")
    pair = [("cell gene protein", "this document is about cancer.")]
    assert _has_nli_head(f"bf16:{folder}")
    assert near.score(pair) == pytest.approx(exact.score(pair), abs=0.01)
    assert near.fingerprint != exact.fingerprint


def test_scores_are_shared_through_the_cache(nli_checkpoint, papers, labels, tmp_path, monkeypatch):
    method = METHODS["zero-shot-tc"]
    setting = setting_of(method, plm=str(nli_checkpoint("bert")), cache=tmp_path / "cache")
    first = rank_with(method, papers, labels, setting)
    monkeypatch.setattr("futex.plm.nli.EntailmentPLM.score_sequences", None)
    assert rank_with(method, papers, labels, setting) == first


@pytest.mark.parametrize("has_folder", [True, False])
def test_without_an_nli_head_the_prompt_is_compared(tiny_checkpoint, papers, labels, caplog, has_folder):
    plm = str(tiny_checkpoint("bert")) if has_folder else "fake"
    with caplog.at_level(logging.INFO):
        rankings = ranked(plm, papers, labels)
    assert caplog.messages.count(f"{plm} has no NLI head: ranking by similarity to the prompt sentence") == 1
    loaded = checkpoints.load_plm(plm)
    (h_d,) = loaded.embed([papers[0].title_and_abstract])
    for label, score in rankings["d0"]:
        (h_l,) = loaded.embed([f"this document is about {labels[label].name}."])
        assert score == pytest.approx(h_d @ h_l / np.linalg.norm(h_d) / np.linalg.norm(h_l), abs=1e-5)


@pytest.mark.parametrize(
    "name", ["embedded", "mpnet", "static", "static:allenai/specter", "bf16:embedded", "/no/such/folder"]
)
def test_no_hub_is_asked_for_a_plm_that_is_on_none(name):
    assert not _has_nli_head(name)


def test_a_hypothesis_names_the_label_and_nothing_else():
    space = hypotheses(LabelSpace([Label("D1", "Lung", synonyms=("lungs",), description="An organ.")]))
    assert space["D1"].text == "this document is about Lung."


def test_a_hub_that_cannot_be_reached_is_one_clear_line(papers, labels, monkeypatch):
    monkeypatch.setattr(checkpoints, "_hub_answers", lambda: False)
    method = METHODS["zero-shot-tc"]
    with pytest.raises(ModelError, match="put the checkpoint into a folder and give its path") as caught:
        rank_with(method, papers, labels, setting_of(method))
    assert "FacebookAI/roberta-large-mnli" in str(caught.value)
    assert "\n" not in str(caught.value)

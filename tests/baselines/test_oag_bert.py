"""OAG-BERT in its published layout against a calculation written out here, and folders that are not quite right."""

import json
import logging
import math

import numpy as np
import pytest
import torch

from futex.baselines.methods import METHODS, rank_with, setting_of
from futex.errors import ModelError
from futex.plm.checkpoints import load_folder
from futex.plm.oag_bert import OagBertPLM

CONFIG = {
    "attention_probs_dropout_prob": 0.1,
    "hidden_act": "gelu",
    "hidden_dropout_prob": 0.1,
    "hidden_size": 8,
    "initializer_range": 0.02,
    "intermediate_size": 12,
    "max_position_embeddings": 20,
    "num_attention_heads": 2,
    "num_hidden_layers": 2,
    "type_vocab_size": 8,
    "vocab_size": 16,
}
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "lung", "cancer", "mouse", "deep", "graph", "##s"]
TEXT, AUTHOR, VENUE = 0, 1, 2


def published_shapes(version: int) -> dict[str, tuple[int, ...]]:
    """Names and shapes of pytorch_model.bin as cogdl writes it."""
    size, wide = CONFIG["hidden_size"], CONFIG["intermediate_size"]
    shapes = {
        "bert.embeddings.word_embeddings.weight": (16, size),
        "bert.embeddings.position_embeddings.weight": (20, size),
        "bert.embeddings.token_type_embeddings.weight": (8, size),
        "cls.predictions.bias": (16,),
        "cls.seq_relationship.weight": (2, size),
    }
    if version == 2:
        shapes["bert.embeddings.position_embeddings_second.weight"] = (20, size)
    norms = ["bert.embeddings.LayerNorm", "bert.encoder.FinalLayerNorm"]
    linear = {"bert.pooler.dense_act": (size, size)}
    for layer in (f"bert.encoder.layer.{i}" for i in range(2)):
        norms += [f"{layer}.PreAttentionLayerNorm", f"{layer}.PostAttentionLayerNorm"]
        linear |= {f"{layer}.attention.self.{part}": (size, size) for part in ("query", "key", "value")}
        linear |= {f"{layer}.attention.output.dense": (size, size), f"{layer}.intermediate.dense_act": (wide, size)}
        linear[f"{layer}.output.dense"] = (size, wide)
    shapes |= {f"{norm}.{kind}": (size,) for norm in norms for kind in ("weight", "bias")}
    shapes |= {f"{name}.weight": shape for name, shape in linear.items()}
    return shapes | {f"{name}.bias": shape[:1] for name, shape in linear.items()}


def publish(folder, version=2):
    """A tiny checkpoint as its authors would put it into their archive."""
    folder.mkdir(exist_ok=True)
    torch.manual_seed(version)
    weights = {name: torch.randn(shape) * 0.5 for name, shape in published_shapes(version).items()}
    torch.save(weights, folder / "pytorch_model.bin")
    (folder / "bert_config.json").write_text(json.dumps(CONFIG))
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n")
    if version == 2:
        (folder / "version").write_text("2\n")
    return folder, weights


def norm(x, weights, name):
    centred = x - x.mean(-1, keepdim=True)
    scaled = centred / torch.sqrt((centred**2).mean(-1, keepdim=True) + 1e-12)
    return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def linear(x, weights, name):
    return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def embedded(weights, ids, types, spans, places):
    """Token by token: its word, its type, the number of its span and its place in it, both from the first table."""
    table = {kind: weights[f"bert.embeddings.{kind}_embeddings.weight"] for kind in ("word", "token_type", "position")}
    rows = [
        table["word"][i] + table["token_type"][t] + table["position"][p] + (0 if s is None else table["position"][s])
        for i, t, s, p in zip(ids, types, spans, places, strict=True)
    ]
    return norm(torch.stack(rows), weights, "bert.embeddings.LayerNorm")


def encoded(weights, x):
    """Two layers with norms in front, the last norm, and the pooled first state."""
    for layer in ("bert.encoder.layer.0", "bert.encoder.layer.1"):
        y = norm(x, weights, f"{layer}.PreAttentionLayerNorm")
        q, k, v = (linear(y, weights, f"{layer}.attention.self.{part}") for part in ("query", "key", "value"))
        heads = []
        for own in (slice(0, 4), slice(4, 8)):
            heads.append(torch.softmax(q[:, own] @ k[:, own].T / math.sqrt(4), dim=-1) @ v[:, own])
        x = x + linear(torch.cat(heads, dim=1), weights, f"{layer}.attention.output.dense")
        wide = linear(norm(x, weights, f"{layer}.PostAttentionLayerNorm"), weights, f"{layer}.intermediate.dense_act")
        gelu = wide * 0.5 * (1 + torch.erf(wide / math.sqrt(2)))
        x = x + linear(gelu, weights, f"{layer}.output.dense")
    first = norm(x, weights, "bert.encoder.FinalLayerNorm")[0]
    return torch.tanh(linear(first, weights, "bert.pooler.dense_act"))


def test_embeddings_are_word_type_span_and_place(tmp_path):
    """A paper of three spans: a text of three tokens, a venue of two, an author of one."""
    folder, weights = publish(tmp_path / "v2")
    ids, types = [6, 7, 8, 9, 10, 5], [TEXT] * 3 + [VENUE] * 2 + [AUTHOR]
    spans, places = [0, 0, 0, 1, 1, 2], [0, 1, 2, 0, 1, 0]
    model = load_folder(folder).model
    with torch.inference_mode():
        found = model.embeddings(*(torch.tensor([row]) for row in (ids, types, spans, places)))
    torch.testing.assert_close(found[0], embedded(weights, ids, types, spans, places), atol=1e-5, rtol=0)


def test_version_2_reads_a_text_as_one_span_without_special_tokens(tmp_path):
    folder, weights = publish(tmp_path / "v2")
    ids = [6, 7, 5, 8]  # lung cancer the mouse
    expected = encoded(weights, embedded(weights, ids, [TEXT] * 4, [0] * 4, range(4)))
    texts = ["Lung cancer the mouse", "graphs"]
    np.testing.assert_allclose(load_folder(folder).embed(texts)[0], expected, atol=1e-5)


def test_version_1_reads_a_text_as_bert_does(tmp_path):
    folder, weights = publish(tmp_path / "v1", version=1)
    ids = [2, 6, 7, 3]  # [CLS] lung cancer [SEP]
    expected = encoded(weights, embedded(weights, ids, [TEXT] * 4, [None] * 4, range(4)))
    np.testing.assert_allclose(load_folder(folder).embed(["lung cancer"])[0], expected, atol=1e-5)


def test_texts_do_not_depend_on_their_companions_and_may_be_empty(tmp_path):
    plm = load_folder(publish(tmp_path / "v2")[0])
    texts = ["", "lung", "the mouse the mouse the deep graphs", "lung " * 50]
    together = plm.embed(texts)
    np.testing.assert_allclose(together, np.concatenate([plm.embed([text]) for text in texts]), atol=1e-5)
    assert np.isfinite(together).all()
    assert plm.tokens.max_length == 20


def test_it_is_saved_in_the_layout_it_is_read_in(tmp_path):
    plm = load_folder(publish(tmp_path / "v2")[0])
    plm.save(tmp_path / "again")
    again = load_folder(tmp_path / "again")
    assert isinstance(again, OagBertPLM)
    assert again.fingerprint == plm.fingerprint
    assert load_folder(publish(tmp_path / "v1", version=1)[0]).fingerprint != plm.fingerprint


@pytest.mark.parametrize("text", ["abstract", "full"])
def test_it_ranks_abstracts_and_full_texts(tmp_path, papers, labels, text, caplog):
    folder, _ = publish(tmp_path / "v2")
    method = METHODS["oag-bert"]
    with caplog.at_level(logging.INFO):
        rankings = rank_with(method, papers, labels, setting_of(method, plm=str(folder), text=text))
    assert set(rankings["d1"].labels) == {"L1", "L2", "L5"}
    assert "not an OAG-BERT" not in caplog.text


def test_another_plm_is_named_and_takes_its_place(papers, labels, caplog):
    method = METHODS["oag-bert"]
    with caplog.at_level(logging.INFO):
        rankings = rank_with(method, papers, labels, setting_of(method, plm="fake"))
    assert rankings == rank_with(METHODS["scibert"], papers, labels, setting_of(METHODS["scibert"], plm="fake"))
    assert caplog.messages.count("fake is not an OAG-BERT: ranking by the cosine of its own vectors") == 1


def test_where_the_published_checkpoint_has_to_be(papers, labels):
    method = METHODS["oag-bert"]
    with pytest.raises(ModelError, match="give the folder with --plm FOLDER, or use --plm embedded"):
        rank_with(method, papers, labels, setting_of(method))


def test_no_fine_tuning(tmp_path):
    plm = load_folder(publish(tmp_path / "v2")[0])
    with pytest.raises(ModelError, match="not fine-tuned here"):
        plm.trainer(None)
    with pytest.raises(ModelError, match="cannot score pairs"):
        plm.score([("lung", "mouse")])


def without(name):
    def damage(folder):
        weights = torch.load(folder / "pytorch_model.bin", weights_only=True)
        del weights[name]
        torch.save(weights, folder / "pytorch_model.bin")

    return damage


def configured(**changes):
    def damage(folder):
        (folder / "bert_config.json").write_text(json.dumps(CONFIG | changes))

    return damage


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (without("bert.encoder.layer.1.output.dense.bias"), r"no 'bert\.encoder\.layer\.1\.output\.dense\.bias'"),
        (configured(hidden_size=10), r"is \(16, 8\), but by bert_config\.json it should be \(16, 10\)"),
        (configured(num_hidden_layers=10**9), "do not have 1000000000 layers"),
        (configured(hidden_act="swish"), "hidden_act is 'swish', not gelu or relu"),
        (configured(hidden_size="eight"), "cannot load the checkpoint in"),
        (lambda folder: (folder / "bert_config.json").write_text("{}"), r"bert_config\.json has no 'vocab_size'"),
        (lambda folder: (folder / "bert_config.json").write_text("[" * 10_000), "cannot load the checkpoint in"),
        (lambda folder: (folder / "pytorch_model.bin").unlink(), r"it has no pytorch_model\.bin"),
        (lambda folder: (folder / "pytorch_model.bin").write_bytes(b"x"), "cannot load the checkpoint in"),
        (lambda folder: (folder / "vocab.txt").unlink(), "the Chinese OAG-BERT is not read"),
    ],
)
def test_wrong_layouts_get_one_clear_line(tmp_path, damage, message):
    folder, _ = publish(tmp_path / "v2")
    damage(folder)
    with pytest.raises(ModelError, match=message) as caught:
        load_folder(folder)
    assert "\n" not in str(caught.value)


def test_code_in_pickled_weights_does_not_run(tmp_path):
    class Evil:
        def __reduce__(self):
            return (open, (str(tmp_path / "owned"), "w"))

    folder, _ = publish(tmp_path / "v2")
    torch.save({"evil": Evil()}, folder / "pytorch_model.bin")
    with pytest.raises(ModelError, match="cannot load the checkpoint in"):
        load_folder(folder)
    assert not (tmp_path / "owned").exists()

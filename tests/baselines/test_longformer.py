"""Longformer against transformers' own, encoders converted into one, and how far each can see."""

import logging
import shutil

import numpy as np
import pytest
import torch
from transformers import AutoModel, AutoTokenizer, LongformerConfig, LongformerModel

from futex.baselines.methods import METHODS, rank_with, setting_of
from futex.corpus.paper import Paper, section
from futex.errors import InputError, ModelError
from futex.labels.label import Label, LabelSpace
from futex.plm import checkpoints
from futex.plm.checkpoints import load_folder
from futex.plm.forward import plain_hidden_states
from futex.plm.longformer import LONGEST, LongEncoder, read_long, tiled
from futex.plm.packed import Sequences

WINDOW = 8
CONVERTIBLE = ["bert", "roberta", "mpnet"]


@pytest.fixture(scope="module")
def published(tiny_checkpoint, tmp_path_factory):
    """A Longformer as transformers saves it: projections of its own for the first token, a window of eight tokens."""
    folder = tmp_path_factory.mktemp("longformer")
    shutil.copytree(tiny_checkpoint("roberta"), folder, dirs_exist_ok=True)
    config = LongformerConfig(
        vocab_size=len(AutoTokenizer.from_pretrained(folder)),
        hidden_size=16,
        num_hidden_layers=3,
        num_attention_heads=2,
        intermediate_size=24,
        max_position_embeddings=131,
        pad_token_id=0,
        attention_window=[WINDOW] * 3,
    )
    torch.manual_seed(0)
    model = LongformerModel(config)
    for parameter in model.parameters():
        parameter.data.mul_(5)
    model.save_pretrained(folder)
    return folder


def states(model, ids):
    with torch.inference_mode():
        return plain_hidden_states(model, Sequences([ids], [[0] * len(ids)]), first_only=False)[0]


def tokens(count, seed=0):
    """The first token of a text, which is 1 here, and others at random."""
    others = torch.randint(4, 40, (count - 1,), generator=torch.Generator().manual_seed(seed))
    return [1, *others.tolist()]


@pytest.mark.parametrize("count", [1, 5, WINDOW // 2 + 1, WINDOW + 1, 64, 101])
def test_the_published_model_equals_that_of_transformers(published, count):
    ids = tokens(count)
    model = AutoModel.from_pretrained(published).eval()
    with torch.inference_mode():
        first = torch.tensor([[1] + [0] * (count - 1)])
        expected = model(torch.tensor([ids]), global_attention_mask=first).last_hidden_state[0]
    torch.testing.assert_close(states(LongEncoder(model), ids), expected, atol=1e-4, rtol=1e-4)


def test_a_batch_of_texts_of_many_lengths_equals_each_alone(published):
    encoder = LongEncoder(AutoModel.from_pretrained(published).eval())
    batch = [tokens(count, count) for count in (3, 20, 61)]
    with torch.inference_mode():
        together = plain_hidden_states(encoder, Sequences(batch, [[0] * len(ids) for ids in batch]), first_only=False)
    for ids, rows in zip(batch, together, strict=True):
        torch.testing.assert_close(rows, states(encoder, ids), atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("model_type", CONVERTIBLE)
def test_a_converted_encoder_is_the_source_where_all_fits_into_a_window(tiny_checkpoint, model_type):
    source = AutoModel.from_pretrained(tiny_checkpoint(model_type)).eval()
    ids = tokens(90)
    with torch.inference_mode():
        expected = source(torch.tensor([ids])).last_hidden_state[0]
    torch.testing.assert_close(states(LongEncoder(source), ids), expected, atol=1e-4, rtol=0)


@pytest.mark.parametrize("model_type", CONVERTIBLE)
def test_beyond_the_window_a_converted_encoder_is_masked_attention(tiny_checkpoint, model_type, monkeypatch):
    """The source itself, told by a full mask what each token may see: the first, and four to either side."""
    monkeypatch.setattr("futex.plm.longformer.WINDOW", WINDOW)
    source = AutoModel.from_pretrained(tiny_checkpoint(model_type), attn_implementation="eager").eval()
    ids = tokens(50)
    i, j = torch.meshgrid(torch.arange(50), torch.arange(50), indexing="ij")
    visible = (i == 0) | (j == 0) | ((i - j).abs() <= WINDOW // 2)
    mask = torch.where(visible, 0.0, torch.finfo(torch.float32).min)[None, None]
    with torch.inference_mode():
        expected = source(torch.tensor([ids]), attention_mask=mask).last_hidden_state[0]
        everything = source(torch.tensor([ids])).last_hidden_state[0]
    found = states(LongEncoder(source), ids)
    torch.testing.assert_close(found, expected, atol=1e-4, rtol=0)
    assert (found - everything).abs().max() > 1e-3


@pytest.mark.parametrize(("model_type", "first"), [("bert", 0), ("roberta", 1), ("mpnet", 1)])
def test_positions_are_tiled(tiny_checkpoint, model_type, first):
    source = AutoModel.from_pretrained(tiny_checkpoint(model_type))
    known = source.embeddings.position_embeddings.weight.detach().clone()
    encoder = LongEncoder(source)
    table = encoder.embeddings.position_embeddings.weight
    period = 96 - first
    assert len(table) == LONGEST + first
    assert encoder.config.max_position_embeddings == LONGEST
    for place in (0, 1, period - 1, period, 2 * period + 5, LONGEST - 1):
        assert torch.equal(table[first + place], known[first + place % period])
    assert torch.equal(source.embeddings.position_embeddings.weight, known)  # the source is left alone


def test_a_table_that_is_long_enough_stays(monkeypatch):
    monkeypatch.setattr("futex.plm.longformer.LONGEST", 4)
    table = torch.nn.Embedding(7, 2)
    assert torch.equal(tiled(table, 1).weight, table.weight)


def test_token_4000_is_seen_at_4096_tokens_and_not_at_512(tiny_checkpoint):
    """One layer: neither its window nor anything handed on brings the word to the first token, only the first's own
    attention to all."""
    plm = load_folder(tiny_checkpoint("bert"))
    plm.model.encoder.layer = plm.model.encoder.layer[:1]
    words = ["cell"] * 4090
    changed = [*words[:3999], "brain", *words[4000:]]
    for length, is_seen in ((512, False), (2048, False), (4096, True)):
        one, other = read_long(plm, LongEncoder(plm.model), length).embed([" ".join(words), " ".join(changed)])
        assert (np.abs(one - other).max() > 1e-6) == is_seen


def test_the_other_tokens_see_as_far_as_their_window(tiny_checkpoint):
    encoder = LongEncoder(load_folder(tiny_checkpoint("bert")).model)
    encoder.layers = encoder.layers[:1]
    ids = [1, *[5] * 1199]
    one, other = states(encoder, ids), states(encoder, [*ids[:700], 9, *ids[701:]])
    moved = (one - other).abs().amax(dim=1).nonzero()[:, 0].tolist()
    assert moved == [0, *range(700 - 256, 700 + 257)]


def test_a_paper_is_one_linear_text(tiny_checkpoint, tmp_path):
    space = LabelSpace([Label("M", "mouse"), Label("L", "lung")])
    long = " ".join(["cell"] * 600)
    papers = [
        Paper("a", "A mouse lung", "Of cells.", section("", [long, f"gene {word} " * 5])) for word in ("brain", "deep")
    ]
    method, folder = METHODS["longformer"], str(tiny_checkpoint("bert"))

    def scores(length):
        setting = setting_of(method, plm=folder, length=length, cache=tmp_path)
        return [rank_with(method, [paper], space, setting)["a"] for paper in papers]

    assert scores(None) == scores(512)
    assert scores(512)[0] == scores(512)[1]
    assert scores(1024)[0] != scores(1024)[1]
    plm = load_folder(tiny_checkpoint("bert"))
    encoder = LongEncoder(plm.model)
    h_l = read_long(plm, encoder, 512).embed(["mouse", "lung"])
    (h_d,) = read_long(plm, encoder, 1024).embed([f"A mouse lung\nOf cells.\n{long}\n" + "gene brain " * 5])
    expected = h_l @ h_d / np.linalg.norm(h_l, axis=1) / np.linalg.norm(h_d)
    assert dict(scores(1024)[0]) == pytest.approx({"M": expected[0], "L": expected[1]}, abs=1e-5)


def test_it_says_what_it_converts(tiny_checkpoint, published, papers, labels, caplog):
    method = METHODS["longformer"]
    with caplog.at_level(logging.INFO):
        rank_with(method, papers, labels, setting_of(method, plm=str(published)))
        assert "converting" not in caplog.text
        rank_with(method, papers, labels, setting_of(method, plm=str(tiny_checkpoint("mpnet"))))
    assert f"{tiny_checkpoint('mpnet')} is not a Longformer: converting it into one" in caplog.messages


def test_label_vectors_are_shared_between_lengths(tiny_checkpoint):
    plm = load_folder(tiny_checkpoint("bert"))
    prints = [read_long(plm, LongEncoder(plm.model), length).fingerprint for length in (512, 512, 1024)]
    assert prints[0] == prints[1] != prints[2]
    assert plm.fingerprint not in prints


def test_lengths_that_it_cannot_read():
    with pytest.raises(InputError, match="cannot read 600 tokens: --length can be 512, 1024, 2048, 4096"):
        setting_of(METHODS["longformer"], length=600)
    with pytest.raises(InputError, match="SciBERT cannot read 1024 tokens: --length can be 512"):
        setting_of(METHODS["scibert"], length=1024)


def test_what_cannot_be_converted_is_named(tiny_checkpoint, papers, labels):
    method = METHODS["longformer"]
    with pytest.raises(ModelError, match="fake cannot be made a Longformer: name a transformer"):
        rank_with(method, papers, labels, setting_of(method, plm="fake"))
    with pytest.raises(ModelError, match="only bert, roberta, mpnet can be made a Longformer, and this PLM is a d"):
        rank_with(method, papers, labels, setting_of(method, plm=str(tiny_checkpoint("distilbert"))))


def test_windows_that_differ_between_layers_are_refused(published):
    model = AutoModel.from_pretrained(published)
    model.config.attention_window = [8, 8, 16]
    with pytest.raises(ModelError, match=r"windows of \[8, 16\] tokens"):
        LongEncoder(model)


def test_a_hub_that_cannot_be_reached_is_one_clear_line(papers, labels, monkeypatch):
    monkeypatch.setattr(checkpoints, "_hub_answers", lambda: False)
    method = METHODS["longformer"]
    with pytest.raises(ModelError, match=r"cannot load allenai/longformer-base-4096 .*folder and give its path"):
        rank_with(method, papers, labels, setting_of(method))

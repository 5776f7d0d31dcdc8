"""Packed encoding against plain transformers, for every architecture we say we know and one we do not."""

import sys

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import AutoModel, AutoTokenizer

from futex.config import LEAST
from futex.plm.checkpoints import load_folder
from futex.plm.dropout import Dropout
from futex.plm.packed import SUPPORTED, Sequences, _attend_at_once, by_head, hidden_states, packs, supports
from futex.plm.protocol import Triple
from futex.plm.tokens import Tokens

TEXTS = [
    "the cell",
    "deep learning of protein networks and mouse brain cells, " * 4,
    "a",
    "",
    "mice and cancer of the lung " * 40,
]
ARCHITECTURES = ["bert", "roberta", "mpnet", "distilbert"]


def plain_states(folder, *texts, max_length=94):
    """What a user of transformers would write: one padded batch."""
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder).eval()
    inputs = tokenizer(*texts, padding=True, truncation=True, max_length=max_length, return_tensors="pt")
    if getattr(model.config, "type_vocab_size", 0) < 2:
        inputs.pop("token_type_ids", None)
    with torch.inference_mode():
        return model(**inputs).last_hidden_state, inputs["attention_mask"]


@pytest.mark.parametrize("model_type", ARCHITECTURES)
@pytest.mark.parametrize("pooling", ["cls", "mean"])
def test_embeddings_equal_plain_transformers(tiny_checkpoint, model_type, pooling):
    folder = tiny_checkpoint(model_type)
    plm = load_folder(folder, pooling=pooling, max_length=94)
    states, mask = plain_states(folder, TEXTS)
    expected = states[:, 0] if pooling == "cls" else (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
    np.testing.assert_allclose(plm.embed(TEXTS), expected.numpy(), atol=1e-5)


@pytest.mark.parametrize("model_type", ARCHITECTURES)
def test_pair_scores_equal_plain_transformers(tiny_checkpoint, model_type):
    folder = tiny_checkpoint(model_type)
    plm = load_folder(folder, max_length=94)
    plm.head = torch.randn(plm.dimension, generator=torch.Generator().manual_seed(1))
    seconds = ["lung cancer", "brain. the mouse brain", "gene", "x", "learning"]
    states, _ = plain_states(folder, TEXTS, seconds)
    np.testing.assert_allclose(plm.score(list(zip(TEXTS, seconds, strict=True))), states[:, 0] @ plm.head, atol=1e-5)


@pytest.mark.parametrize("model_type", ["bert", "roberta", "mpnet"])
def test_gradients_equal_plain_transformers(tiny_checkpoint, model_type):
    model = AutoModel.from_pretrained(tiny_checkpoint(model_type)).eval()
    plm = load_folder(tiny_checkpoint(model_type), max_length=94)
    sequences = plm.tokens.pairs([("the cell of the mouse", "lung"), ("gene", "protein network of the brain")])
    torch.cat(hidden_states(model, sequences, first_only=True)).pow(2).sum().backward()
    packed = {name: p.grad.clone() for name, p in model.named_parameters() if p.grad is not None}
    model.zero_grad()
    for ids, types in zip(sequences.ids, sequences.types, strict=True):
        inputs = {"input_ids": torch.tensor([ids])}
        if model_type == "bert":
            inputs["token_type_ids"] = torch.tensor([types])
        model(**inputs).last_hidden_state[0, 0].pow(2).sum().backward()
    for name, gradient in packed.items():
        plain = dict(model.named_parameters())[name].grad
        np.testing.assert_allclose(gradient, plain, atol=1e-4, err_msg=name)


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_the_attention_of_gpus_equals_the_loop():
    """It runs on a CPU too, only slowly."""
    torch.manual_seed(0)
    q, k, v = (torch.randn(17, 32) for _ in range(3))
    spans = [(0, 5), (5, 14), (14, 17)]
    expected = [
        torch.nn.functional.scaled_dot_product_attention(*(by_head(rows[start:end], 4) for rows in (q, k, v)))
        for start, end in spans
    ]
    expected = torch.cat([mixed[0].transpose(0, 1).flatten(1) for mixed in expected])
    torch.testing.assert_close(_attend_at_once(q, k, v, spans, 4), expected)


@pytest.mark.parametrize("model_type", sorted(SUPPORTED))
@pytest.mark.parametrize("pooling", ["cls", "mean"])
def test_a_vector_does_not_depend_on_its_companions(tiny_checkpoint, model_type, pooling):
    """To the last bit, also that of a single token."""
    plm = load_folder(tiny_checkpoint(model_type), pooling=pooling, max_length=94)
    alone = np.concatenate([plm.embed([text]) for text in TEXTS])
    np.testing.assert_array_equal(plm.embed(TEXTS), alone)


def test_dropout_acts_in_training_only(tiny_checkpoint):
    model = AutoModel.from_pretrained(tiny_checkpoint("bert")).eval()
    sequences = Sequences([[1, 5, 6, 7, 2]] * 2, [[0] * 5] * 2)

    def states(dropout=None):
        return torch.cat(hidden_states(model, sequences, first_only=True, dropout=dropout))

    assert torch.equal(states(), states())
    assert torch.equal(states(Dropout(1)), states(Dropout(1)))
    assert not torch.equal(states(Dropout(1)), states(Dropout(2)))
    assert not torch.equal(states(Dropout(1)), states())


def test_unknown_architectures_fall_back(tiny_checkpoint):
    assert not supports(AutoModel.from_pretrained(tiny_checkpoint("distilbert")))


@pytest.mark.parametrize("model_type", ARCHITECTURES)
def test_tokens_equal_the_tokenizer(tiny_checkpoint, model_type):
    tokenizer = AutoTokenizer.from_pretrained(tiny_checkpoint(model_type))
    tokens = load_folder(tiny_checkpoint(model_type), max_length=40).tokens
    singles = tokenizer(TEXTS, truncation=True, max_length=40)
    assert [list(ids) for ids in tokens.singles(TEXTS).ids] == singles["input_ids"]
    pairs = [(a, b) for a in TEXTS for b in ("lung cancer", TEXTS[1])]
    expected = tokenizer([a for a, _ in pairs], [b for _, b in pairs], truncation=True, max_length=40)
    found = tokens.pairs(pairs)
    assert list(found.ids) == expected["input_ids"]
    assert list(found.types) == expected["token_type_ids"]


def test_texts_of_pairs_are_not_kept(tiny_checkpoint):
    """A service reads abstracts of any length, for months."""
    tokens = load_folder(tiny_checkpoint("bert")).tokens
    text = " ".join(TEXTS)
    before = sys.getrefcount(text)
    tokens.pairs([(text, "lung cancer")])
    assert sys.getrefcount(text) == before


def test_each_paragraph_of_a_training_pair_is_cut_to_its_own_length(tiny_checkpoint):
    tokens = load_folder(tiny_checkpoint("bert"), max_length=94).tokens
    (ids,), _ = tokens.pairs([(TEXTS[4], TEXTS[4])], each=20)
    assert len(ids) == 40
    (ids,), _ = tokens.pairs([("cell", TEXTS[4])], each=20)
    assert len(ids) == 3 + 20


class Framing:
    """A tokenizer of single letters: <s> is 0, </s> is 1; between two texts BERT has one of these, RoBERTa two."""

    def __init__(self, between):
        self._between = [1] * between

    def __call__(self, text, other=None, *, add_special_tokens=True, **_):
        if isinstance(text, list):
            return {"input_ids": [list(map(ord, one)) for one in text]}
        ids, others = list(map(ord, text)), list(map(ord, other or ""))
        if not add_special_tokens:
            return {"input_ids": ids}
        return {"input_ids": [0, *ids, *(self._between + others if other else []), 1]}


@pytest.mark.parametrize("between", [1, 2])
@pytest.mark.parametrize("each", [None, 256])
def test_the_least_length_leaves_a_token_of_each_text_of_a_pair(between, each):
    least = LEAST["max_length"]
    (ids,), _ = Tokens(Framing(between), least).pairs([("aaaaaaaa", "bbbbbbbb")], each=each)
    assert len(ids) <= least
    assert {ord("a"), ord("b")} < set(ids)


def test_one_token_less_would_leave_nothing_of_a_text():
    (ids,), _ = Tokens(Framing(2), LEAST["max_length"] - 1).pairs([("aaaaaaaa", "bbbbbbbb")])
    assert not {ord("a"), ord("b")} < set(ids)


@given(st.lists(st.integers(1, 50), max_size=30), st.integers(1, 120))
def test_packs_cover_everything_within_the_budget(lengths, budget):
    runs = list(packs(lengths, budget))
    assert [i for run in runs for i in run] == list(range(len(lengths)))
    assert all(len(run) == 1 or sum(lengths[i] for i in run) <= budget for run in runs)


def test_affordable_triples_are_counted_from_arithmetic(tiny_checkpoint):
    """Twice the time pays for twice the triples, and longer paragraphs cost more."""
    plm = load_folder(tiny_checkpoint("bert"), max_length=94)
    short, long = [Triple("cell", "gene", "mouse")], [Triple(TEXTS[4], TEXTS[4], TEXTS[4])]
    assert plm.affordable_triples(20, short) == pytest.approx(2 * plm.affordable_triples(10, short), abs=1)
    assert plm.affordable_triples(10, long) < plm.affordable_triples(10, short)

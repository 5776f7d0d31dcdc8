"""`bf16:NAME`: the same model with matrix products in bfloat16, near to it, kept apart from it, and kept when saved."""

import logging

import numpy as np
import pytest
import torch

from futex.errors import ModelError
from futex.plm import bf16
from futex.plm.checkpoints import load_folder, load_plm
from futex.plm.names import check_name, is_transformer
from futex.plm.protocol import Schedule, Triple

TEXTS = ["cell gene protein", "deep learning", "mouse cancer lung brain cells in a graph network", "a"]


def cosines(a, b):
    return (a * b).sum(axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)


@pytest.fixture
def name(tiny_checkpoint):
    return f"bf16:{tiny_checkpoint('bert')}"


@pytest.mark.parametrize("kind", ["bert", "roberta", "mpnet", "distilbert"])
def test_vectors_are_near_those_in_float32(tiny_checkpoint, kind):
    """bfloat16 has 8 significant bits, so a product is off by up to 1/256 of itself; one by one they are off, too."""
    exact, near = (load_plm(f"{prefix}{tiny_checkpoint(kind)}") for prefix in ("", "bf16:"))
    ours, theirs = near.embed(TEXTS), exact.embed(TEXTS)
    assert cosines(ours, theirs).min() > 0.999
    assert not np.array_equal(ours, theirs)


def test_a_product_by_hand():
    """1 + 2⁻⁹ has no room in 8 bits and becomes 1; the sum of products is rounded once more."""
    layer = torch.nn.Linear(2, 1)
    layer.weight.data, layer.bias.data = torch.tensor([[1 + 2**-9, 2.0]]), torch.tensor([0.0])
    layer.__class__ = bf16.Bf16Linear
    assert layer(torch.tensor([[4.0, 1.0]])).tolist() == [[6.0]]
    assert layer(torch.tensor([[4.0, 1.0]])).dtype == torch.float32


def test_vectors_do_not_depend_on_their_company(name):
    plm = load_plm(name)
    np.testing.assert_array_equal(plm.embed(TEXTS), np.concatenate([plm.embed([text]) for text in TEXTS]))


def test_caches_keep_the_two_apart(tiny_checkpoint, name, tmp_path):
    prints = {load_plm(each, tmp_path, later=True).fingerprint for each in (name, str(tiny_checkpoint("bert")), name)}
    assert len(prints) == 2


def test_it_learns_and_is_saved_as_what_it_is(name, tmp_path):
    triples = [Triple(TEXTS[0], TEXTS[2], TEXTS[1])] * 2
    trainer = load_plm(name).trainer(Schedule(steps=2, warmup=1))
    trainer.step(triples)
    trainer.keep()
    tuned = trainer.best()
    tuned.save(tmp_path / "tuned")
    again = load_folder(tmp_path / "tuned")
    assert bf16.is_in_bf16(again.model)
    assert again.fingerprint == tuned.fingerprint
    np.testing.assert_array_equal(again.score([(TEXTS[0], TEXTS[1])]), tuned.score([(TEXTS[0], TEXTS[1])]))


def test_a_folder_that_was_saved_in_float32_is_not_copied_as_that(tiny_checkpoint, tmp_path):
    load_folder(tiny_checkpoint("bert")).save(tmp_path / "exact")
    for _ in range(2):  # the second time the cache has its facts
        near = load_plm(f"bf16:{tmp_path / 'exact'}", tmp_path / "cache", later=True)
        near.save(tmp_path / "near")
        assert load_folder(tmp_path / "near").fingerprint == near.fingerprint


@pytest.mark.parametrize("name", ["bf16:static", "bf16:fake", "bf16:none", "bf16:static:embedded"])
def test_what_multiplies_no_matrices_is_refused(name, tmp_path):
    with pytest.raises(ModelError, match="bf16:embedded"):
        load_plm(name, tmp_path)


def test_names():
    check_name("bf16:embedded")
    assert is_transformer("bf16:embedded")
    with pytest.raises(ModelError, match="no PLM 'nonsense'"):
        check_name("bf16:nonsense")


@pytest.mark.parametrize(("able", "said"), [(False, 1), (True, 0)])
def test_a_processor_that_cannot_is_told(name, monkeypatch, caplog, able, said):
    monkeypatch.setattr(bf16.torch.cpu, "get_capabilities", lambda: {"avx512_bf16": able, "avx2": True}, raising=False)
    with caplog.at_level(logging.WARNING, "futex"):
        load_plm(name)
    assert len([r for r in caplog.records if "no bfloat16 arithmetic" in r.getMessage()]) == said

"""Eq. (3) by hand, the paper's schedule, and a training run that can be broken off."""

import math

import numpy as np
import pytest
import torch

from futex.network.finetune import finetune
from futex.plm.checkpoints import load_folder
from futex.plm.optimisation import adamw, learning_rate_factor
from futex.plm.protocol import Schedule, Triple
from futex.plm.training import contrastive_loss

BIOLOGY, COMPUTING = ["cell gene protein", "mouse cancer lung", "mice brain cells"], ["deep learning", "graph network"]
TRIPLES = [
    Triple(same[i % len(same)], same[(i + 1) % len(same)], other[i % len(other)])
    for i in range(12)
    for same, other in ((BIOLOGY, COMPUTING), (COMPUTING, BIOLOGY))
]


def test_contrastive_loss_by_hand():
    """sim⁺ = 2, sim⁻ = 1: −log(e² / (e² + e)) = log(1 + e⁻¹) = 0.3133; equal scores give log 2."""
    loss = contrastive_loss(torch.tensor([2.0]), torch.tensor([1.0]))
    assert float(loss) == pytest.approx(-math.log(math.e**2 / (math.e**2 + math.e)))
    assert float(contrastive_loss(torch.tensor([3.0, 3.0]), torch.tensor([3.0, 3.0]))) == pytest.approx(2 * math.log(2))


def test_warm_up_and_decay():
    schedule = Schedule(steps=10, warmup=4)
    factors = [learning_rate_factor(step, schedule) for step in range(10)]
    assert factors == pytest.approx([1 / 4, 2 / 4, 3 / 4, 1, 6 / 6, 5 / 6, 4 / 6, 3 / 6, 2 / 6, 1 / 6])


@pytest.fixture
def plm(tiny_checkpoint):
    return load_folder(tiny_checkpoint("bert"), max_length=64)


def test_the_optimiser_is_the_papers(plm):
    trainer = plm.trainer(Schedule(steps=10, warmup=1))
    decayed, free = trainer._optimizer.param_groups
    assert (decayed["weight_decay"], free["weight_decay"], decayed["eps"]) == (0.01, 0.0, 1e-8)
    names = {id(p): name for name, p in trainer._model.named_parameters()}
    assert all(names[id(p)].endswith("bias") or "LayerNorm" in names[id(p)] for p in free["params"])
    assert not any("LayerNorm" in names.get(id(p), "") for p in decayed["params"])


@pytest.mark.parametrize("name", ["layer.0.sa_layer_norm.weight", "layers.1.attn_norm.weight", "LayerNorm.weight"])
def test_norms_are_not_decayed_whatever_an_architecture_calls_them(name):
    optimizer = adamw([(name, torch.nn.Parameter(torch.ones(1)))], Schedule(steps=1, warmup=1))
    assert [len(group["params"]) for group in optimizer.param_groups] == [0, 1]


def test_fine_tuning_learns_the_pair_task(plm):
    trainer = plm.trainer(Schedule(steps=60, warmup=6, learning_rate=1e-3))
    before = trainer.loss(TRIPLES)
    for step in range(60):
        trainer.step(TRIPLES[step * 8 % 24 :][:8])
    assert before == pytest.approx(math.log(2), abs=0.05)
    assert trainer.loss(TRIPLES) < 0.45


def test_a_step_in_portions_equals_a_step_at_once(plm, monkeypatch):
    """Gradients are summed over portions; without dropout the portions must not matter."""
    weights = []
    for portion in (1, 4):
        monkeypatch.setattr("futex.plm.training.TRIPLES_AT_ONCE", portion)
        trainer = plm.trainer(Schedule(steps=4, warmup=1))
        for lane in trainer._lanes:
            lane.model.config.hidden_dropout_prob = lane.model.config.attention_probs_dropout_prob = 0.0
        trainer.step(TRIPLES[:4])
        weights.append(trainer._w.detach().numpy())
    np.testing.assert_allclose(*weights, atol=1e-6)


def test_lanes_sum_to_the_same_gradient(plm, monkeypatch):
    """Dropout belongs to the portion, not to the core that computes it."""
    weights = []
    for cores in (1, 3):
        monkeypatch.setattr("futex.plm.lanes.cores", lambda cores=cores: cores)
        trainer = plm.trainer(Schedule(steps=4, warmup=1))
        assert len(trainer._lanes) == cores
        losses = [trainer.step(TRIPLES[:8]), trainer.step(TRIPLES[8:16])]
        weights.append([*losses, *trainer._w.detach().tolist()])
    np.testing.assert_allclose(*weights, atol=1e-5)


def test_a_broken_run_goes_on_to_the_same_weights(plm, tmp_path, monkeypatch):
    whole = finetune(plm, TRIPLES, TRIPLES[:4], seed=3, checkpoint=tmp_path / "whole")
    steps = 0
    original = type(plm.trainer(Schedule(steps=1, warmup=1))).step

    def dies(self, triples):
        nonlocal steps
        steps += 1
        if steps == 3:
            raise KeyboardInterrupt
        return original(self, triples)

    monkeypatch.setattr("futex.plm.training.ContrastiveTrainer.step", dies)
    with pytest.raises(KeyboardInterrupt):
        finetune(plm, TRIPLES, TRIPLES[:4], seed=3, checkpoint=tmp_path / "broken")
    monkeypatch.undo()
    resumed = finetune(plm, TRIPLES, TRIPLES[:4], seed=3, checkpoint=tmp_path / "broken")
    assert resumed.fingerprint == whole.fingerprint


def test_the_best_weights_are_those_that_were_kept_last(plm):
    """Steps after `keep` do not touch them, until it is called again."""
    trainer = plm.trainer(Schedule(steps=4, warmup=1, learning_rate=1e-2))
    trainer.step(TRIPLES[:8])
    trainer.keep()
    kept = trainer.best().fingerprint
    trainer.step(TRIPLES[8:16])
    assert trainer.best().fingerprint == kept
    trainer.keep()
    assert trainer.best().fingerprint != kept


def test_saved_and_loaded_it_scores_alike(plm, tmp_path):
    tuned = finetune(plm, TRIPLES[:8], TRIPLES[:4], seed=0)
    tuned.save(tmp_path / "plm")
    again = load_folder(tmp_path / "plm")
    pairs = [("lung cancer", "mouse"), ("deep graph", "network")]
    np.testing.assert_array_equal(tuned.score(pairs), again.score(pairs))
    assert again.fingerprint == tuned.fingerprint

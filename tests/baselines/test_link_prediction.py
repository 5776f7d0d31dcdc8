"""The in-batch loss by hand, its gradients against one backward pass, and runs that learn, end and go on alike."""

import copy
import math

import numpy as np
import pytest
import torch

from futex.baselines import micol
from futex.baselines.gat import GatEncoder
from futex.baselines.graphformers import GraphFormer
from futex.baselines.link_prediction import LinkTrainer, affordable_links, in_batch_loss
from futex.baselines.links import Link, Node
from futex.baselines.methods import METHODS, rank_with, setting_of
from futex.baselines.micol import DocumentEncoder
from futex.baselines.node_encoder import Graph, trainable_plm
from futex.baselines.setting import Setting
from futex.errors import ModelError
from futex.network.learning import learn
from futex.plm.dropout import Dropout
from futex.plm.fake import FakePLM
from futex.plm.protocol import Schedule

BIOLOGY = ["cell gene protein", "mouse cancer lung", "mice brain cells", "the lung of mice"]
COMPUTING = ["deep learning", "graph network", "learning of graphs", "deep graph of words"]
LINKS = [
    Link(Node(own[i % 4], (own[(i + 2) % 4],)), Node(own[(i + 1) % 4], (own[(i + 3) % 4],)))
    for i in range(8)
    for own in (BIOLOGY, COMPUTING)
]
TRAINED = ["micol", "micol-bi-encoder", "plm-gat", "graphformers"]


@pytest.fixture
def plm(lively_plm):
    return lively_plm()


def encoders(plm):
    return [DocumentEncoder(plm), GatEncoder(plm, 0), GraphFormer(plm, 0)]


def test_in_batch_loss_by_hand():
    """s = (2 1; 0 3): the mean of log(1 + e⁻¹) = 0.3133 and log(1 + e⁻³) = 0.0486."""
    loss = in_batch_loss(torch.tensor([[2.0, 1.0], [0.0, 3.0]]))
    assert float(loss) == pytest.approx((math.log1p(math.exp(-1)) + math.log1p(math.exp(-3))) / 2)
    assert float(in_batch_loss(torch.zeros(8, 8))) == pytest.approx(math.log(8))


def test_the_bi_encoder_of_micol_by_hand(plm):
    """cos / τ with τ = 0.05: cosines of 0.8 and 0.6 become 16 and 12, and each loss is log(1 + e⁻⁴)."""
    rows, others = torch.tensor([[3.0, 0.0], [0.0, 1.0]]), torch.tensor([[4.0, 3.0], [0.6, 0.8]])
    similarity = DocumentEncoder(plm).similarity(rows, others)
    torch.testing.assert_close(similarity, torch.tensor([[16.0, 12.0], [12.0, 16.0]]))
    assert float(in_batch_loss(similarity)) == pytest.approx(math.log1p(math.exp(-4)), rel=1e-4)


def test_gradients_node_by_node_equal_one_backward_pass(plm, monkeypatch):
    """The vectors first, then each node again with the same dropout, on two lanes: the gradient of the whole batch."""
    monkeypatch.setattr("futex.plm.lanes.cores", lambda: 2)
    nodes = [link.node for link in LINKS[:4]] + [link.linked for link in LINKS[:4]]
    for encoder in encoders(plm):
        whole = copy.deepcopy(encoder)
        vectors = torch.cat([whole(Graph.of([node], plm.tokens), Dropout(0, 0, i)) for i, node in enumerate(nodes)])
        in_batch_loss(whole.similarity(vectors[:4], vectors[4:])).backward()
        torch.nn.utils.clip_grad_norm_(whole.parameters(), 1.0)
        torch.optim.SGD(whole.parameters(), lr=1.0).step()

        trainer = LinkTrainer(encoder, plm.tokens, Schedule(steps=1, warmup=1))
        assert len(trainer._lanes) == 2
        trainer._optimizer = torch.optim.SGD(encoder.parameters(), lr=1.0)
        trainer._schedule = Schedule(steps=1, warmup=1, learning_rate=1.0)
        trainer.step(LINKS[:4])
        for (name, own), other in zip(encoder.named_parameters(), whole.parameters(), strict=True):
            torch.testing.assert_close(own, other, atol=1e-5, rtol=1e-4, msg=name)


def test_training_lowers_the_loss(lively_plm):
    plm = lively_plm(pooling="mean", std=0.1)
    batches = [LINKS[start : start + 2] for start in range(0, 8, 2)]
    for encoder in encoders(plm):
        trainer = LinkTrainer(encoder, plm.tokens, Schedule(steps=16, warmup=2, learning_rate=4e-3))
        before = sum(map(trainer.loss, batches))
        for batch in batches * 4:
            trainer.step(batch)
        assert sum(map(trainer.loss, batches)) < before / 2


def test_a_broken_run_goes_on_to_the_same_weights(plm, tmp_path):
    def trained(checkpoint, dies_at=None):
        trainer = LinkTrainer(GatEncoder(plm, 0), plm.tokens, Schedule(steps=2, warmup=1))
        step = trainer.step

        def maybe(links):
            if trainer._steps_done == dies_at:
                raise KeyboardInterrupt
            return step(links)

        trainer.step = maybe
        learn(trainer, LINKS, LINKS[:4], title="Learning", checkpoint=checkpoint)
        return trainer.best

    whole = trained(tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path / "broken", dies_at=1)
    resumed = trained(tmp_path / "broken")
    assert all(torch.equal(whole[name], resumed[name]) for name in whole)


@pytest.mark.parametrize("name", TRAINED)
def test_the_same_seed_gives_the_same_ranking_with_or_without_a_cache(name, papers, labels, tiny_checkpoint, tmp_path):
    def ranked(cache):
        setting = setting_of(METHODS[name], str(tiny_checkpoint("roberta")), triples=4, cache=cache)
        return rank_with(METHODS[name], papers[:4], labels, setting)

    first = ranked(tmp_path)
    assert ranked(tmp_path) == ranked(None) == first
    assert all(len(first[paper.id]) for paper in papers[:4])


@pytest.mark.parametrize("model_type", ["bert", "roberta", "mpnet"])
def test_every_architecture_is_trained(lively_plm, model_type):
    plm = lively_plm(model_type)
    for encoder in encoders(plm):
        before = {name: parameter.clone() for name, parameter in encoder.named_parameters()}
        LinkTrainer(encoder, plm.tokens, Schedule(steps=1, warmup=1, learning_rate=1e-2)).step(LINKS[:4])
        still = {name for name, parameter in encoder.named_parameters() if torch.equal(parameter, before[name])}
        assert not any("query" in name or "attn.q" in name for name in still), still


def test_affordable_links_are_counted_from_arithmetic(plm, monkeypatch):
    """Neighbours cost as much as nodes; twice the time pays for twice the links."""
    alone = [Link(Node("cell"), Node("gene"))]
    around = [Link(Node("cell", ("gene",)), Node("gene", ("cell",)))]
    monkeypatch.setattr("futex.baselines.link_prediction.PAPER_TRIPLES", 10**12)
    count = affordable_links(plm, alone, plm.tokens)
    assert affordable_links(plm, around, plm.tokens) == pytest.approx(count / 2, abs=1)
    monkeypatch.setattr("futex.baselines.link_prediction.CPU_BUDGET", 1200.0)
    assert affordable_links(plm, alone, plm.tokens) == pytest.approx(2 * count, abs=1)


@pytest.mark.parametrize("model_type", ["fake", "distilbert"])
def test_what_cannot_be_trained_is_said(model_type, tiny_checkpoint):
    name = model_type if model_type == "fake" else str(tiny_checkpoint(model_type))
    with pytest.raises(ModelError, match="trains a BERT, RoBERTa or MPNet encoder"):
        trainable_plm(Setting(plm=name))


def test_micol_is_ranked_by_the_fine_tuned_cross_encoder(papers, labels):
    """With the fake PLM its score is a weight times a cosine: training moves the weight off 1."""
    scores = rank_with(METHODS["micol"], papers, labels, Setting(plm="fake", triples=40))["d1"].scores
    untrained = rank_with(METHODS["scibert"], papers, labels, Setting(plm="fake"))["d1"].scores
    ratio = np.array(scores) / np.array(untrained)
    assert ratio == pytest.approx(ratio[0])
    assert ratio[0] > 1


@pytest.mark.parametrize("triples", [8, None])
def test_the_cross_encoder_of_micol_learns_from_titles_and_abstracts_alone(papers, labels, monkeypatch, triples):
    """Also where it counts how many triples it can afford."""
    read = []
    monkeypatch.setattr(FakePLM, "affordable_triples", lambda plm, seconds, sample: read.extend(sample) or 8)
    monkeypatch.setattr(micol, "tuned_once", lambda plm, triples, dev, *_: read.extend([*triples, *dev]) or plm)
    rank_with(METHODS["micol"], papers, labels, Setting(plm="fake", triples=triples))
    assert len(read) == (9 if triples else 9 + 64)
    assert {text for triple in read for text in triple} <= {paper.title_and_abstract for paper in papers}

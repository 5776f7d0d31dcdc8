"""Candidates in random order, names by tf-idf, cosine of encoders, and Parabel on gold."""

import math

import pytest

from futex.baselines.encoders import Fused
from futex.baselines.methods import METHODS, method_named, rank_with, setting_of
from futex.baselines.setting import Setting
from futex.baselines.supervised import SupervisedParabel, training_papers
from futex.corpus.paper import Paper, section
from futex.errors import InputError
from futex.evaluation.gold import Gold
from futex.hierarchy.bi_encoder import BiEncoder
from futex.labels.label import Label, LabelSpace
from futex.plm.fake import FakePLM
from futex.ranking import Ranking

LABELS = LabelSpace([Label("C", "cell"), Label("M", "mouse"), Label("L", "lung")])
PAPERS = [
    Paper("a", "A mouse lung", "The lung of a mouse.", section("", ["A cell of the lung. " * 5])),
    Paper("b", "A mouse", "A cell of a mouse."),
    Paper("c", "Nothing here"),
]


def ranked(name, **changes):
    method = METHODS[name]
    return rank_with(method, PAPERS, LABELS, setting_of(method, **({"plm": "fake"} | changes)))


def test_random_order_hangs_on_the_seed_alone():
    many = LabelSpace([Label(str(i), f"word{i}") for i in range(50)])
    paper = Paper("a", " ".join(f"word{i}" for i in range(50)))
    orders = [
        rank_with(METHODS["random"], [paper], many, Setting(plm="fake", seed=seed))["a"].labels for seed in (0, 0, 1)
    ]
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == sorted(many)


def test_lexical_counts_names_in_the_text_and_how_many_papers_have_them():
    full, abstract = ranked("lexical")["a"], ranked("lexical", text="abstract")["a"]
    # "mouse" stands twice in two of three papers, "lung" 2 + 5 times in one
    assert dict(full) == pytest.approx({"L": 7 * math.log(3), "M": 2 * math.log(3 / 2)})
    assert dict(abstract) == pytest.approx({"L": 2 * math.log(3), "M": 2 * math.log(3 / 2)})
    assert full.labels == ("L", "M")
    assert ranked("lexical")["c"] == Ranking()


def test_full_text_of_an_encoder_is_fused_with_its_abstract():
    """The abstract is nearer to the mouse, the paper to the lung: 1/1 + 1/2 each, and a tie is the abstract's."""
    paper = Paper("a", "Mouse mouse", "Mouse lung.", section("", ["lung " * 20]))
    abstract, full = (
        BiEncoder(FakePLM(), LABELS, text).rank([paper], {"a": ["M", "L"]})["a"] for text in ("abstract", "full")
    )
    assert (abstract.labels, full.labels) == (("M", "L"), ("L", "M"))
    method = METHODS["specter"]
    fused = rank_with(method, [paper], LABELS, setting_of(method, plm="fake", text="full"))["a"]
    assert (fused.labels, fused.scores) == (("M", "L"), (1.5, 1.5))


def test_fusion_adds_reciprocal_ranks():
    class Says:
        def __init__(self, *labels):
            self.ranking = Ranking(labels, tuple(range(len(labels), 0, -1)))

        def rank(self, papers, candidates):
            return {paper.id: self.ranking for paper in papers}

    fused = Fused([Says("A", "B", "C"), Says("B", "A", "C")]).rank(PAPERS[:1], {})["a"]
    assert dict(fused) == pytest.approx({"A": 1.5, "B": 1.5, "C": 2 / 3})


def test_unknown_methods_and_texts_are_named():
    with pytest.raises(InputError, match="choose one of random"):
        method_named("bert")
    with pytest.raises(InputError, match="reads abstract: leave out"):
        setting_of(METHODS["random"], text="full")


def test_parabel_learns_from_gold_which_words_mean_a_label():
    topics = {"C": "membrane nucleus", "M": "whisker tail", "L": "breath air"}
    papers = [
        Paper(f"{label}{i}", f"{words} common {words.split()[i % 2]}")
        for label, words in topics.items()
        for i in range(12)
    ]
    gold = Gold({paper.id: [paper.id[0]] for paper in papers})
    training = training_papers(papers, gold, 24)
    seen = {paper.id for paper in training}
    others = [paper for paper in papers if paper.id not in seen]
    rankings = SupervisedParabel(LABELS, training, gold).rank(others, {})
    assert {paper: ranking.labels[0] for paper, ranking in rankings.items()} == {p.id: p.id[0] for p in others}


def test_some_papers_must_be_left_to_rank():
    with pytest.raises(InputError, match="2 have gold"):
        training_papers(PAPERS, Gold({"a": ["C"], "b": ["M"], "c": []}), 2)

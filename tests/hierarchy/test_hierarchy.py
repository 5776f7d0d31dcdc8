"""Eqs. (6), (7) and (9) on numbers worked out by hand, and as properties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from futex.corpus.paper import Paper, Unit, section
from futex.hierarchy.aggregation import aggregate, cosine, leaf_weights
from futex.hierarchy.bi_encoder import BiEncoder
from futex.hierarchy.fusion import mrr
from futex.plm.fake import FakePLM
from futex.ranking import Ranking


def leaf(name: str) -> Unit:
    return Unit(text=name)


def test_aggregation_averages_children_not_paragraphs():
    """Two sections, one of two paragraphs and one of one: (( [1,0] + [0,1] )/2 + [4,2])/2 = [2.25, 1.25]."""
    tree = Unit(children=(Unit("A", children=(leaf("p1"), leaf("p2"))), Unit("B", children=(leaf("p3"),))))
    h = np.array([[1, 0], [0, 1], [4, 2]], np.float32)
    assert aggregate(tree, iter(h)).tolist() == [2.25, 1.25]


@given(st.recursive(st.just(leaf("p")), lambda units: st.lists(units, min_size=1, max_size=4).map(
    lambda children: Unit(children=tuple(children))), max_leaves=12))  # fmt: skip
def test_leaf_weights_are_those_of_the_aggregation(tree):
    """h_x is linear in the leaves: with unit vectors for leaves it shows their weights."""
    leaves = np.eye(sum(1 for _ in tree.leaves()), dtype=np.float32)
    assert leaf_weights(tree) == pytest.approx(aggregate(tree, iter(leaves)).tolist(), abs=1e-6)


def test_aggregation_at_three_levels():
    """root(sub(subsub(p1, p2), p3), p4): ((p1+p2)/2 + p3)/2 = (3+4)/2 = 3.5 and (3.5 + 1)/2 = 2.25."""
    subsub = Unit("x", children=(leaf("p1"), leaf("p2")))
    tree = Unit(children=(Unit("s", children=(subsub, leaf("p3"))), leaf("p4")))
    assert aggregate(tree, iter(np.array([[2.0], [4.0], [4.0], [1.0]], np.float32))).tolist() == [2.25]


def test_abstract_weighs_one_half():
    body = section("", sections=[section("S", ["one two three four five six seven eight nine ten"])])
    paper = Paper("d", "", "abstract", body)
    assert aggregate(paper.tree, iter(np.array([[1.0], [3.0]], np.float32))).tolist() == [2.0]


def test_sections_without_paragraphs_weigh_nothing():
    """Neither at the top nor below: (2 + (4 + 8)/2)/2 = 4."""
    hollow = Unit("Hollow", children=(Unit("Empty"),))
    body = Unit(children=(Unit("Empty"), Unit("A", children=(leaf("p1"), hollow, leaf("p2")))))
    h = iter(np.array([[2.0], [4.0], [8.0]], np.float32))
    assert aggregate(Paper("d", "", "abstract", body).tree, h).tolist() == [4.0]


def test_cosine_by_hand():
    """cos((3,4), (4,3)) = 24/25; orthogonal and zero vectors give 0."""
    rows = np.array([[4, 3], [-4, 3], [0, 0]], np.float32)
    found = cosine(np.array([3, 4], np.float32), rows)
    assert found.tolist() == pytest.approx([0.96, 0.0, 0.0])
    assert found.dtype == np.float32


def test_mrr_by_hand():
    """Eq. (9): A 1/1 + 1/2 = 1.5, B 1/2 + 1/3, C 1/3 + 1/1; the order is A, C, B."""
    x = Ranking(("A", "B", "C"), (9, 8, 7))
    b = Ranking(("C", "A", "B"), (9, 8, 7))
    fused = mrr([x, b])
    assert fused.labels == ("A", "C", "B")
    assert fused.scores == pytest.approx((1.5, 4 / 3, 5 / 6))


def test_mrr_ties_go_to_the_first_ranking():
    one, other = Ranking(("A", "B"), (1, 0)), Ranking(("B", "A"), (1, 0))
    assert mrr([one, other]).labels == ("A", "B")
    assert mrr([other, one]).labels == ("B", "A")


rankings = st.permutations("ABCDE").map(lambda labels: Ranking(tuple(labels), tuple(range(5, 0, -1))))


@given(st.lists(rankings, min_size=1, max_size=4))
def test_mrr_equals_the_formula(many):
    fused = mrr(many)
    expected = {label: sum(1 / (r.labels.index(label) + 1) for r in many) for label in "ABCDE"}
    assert dict(fused) == pytest.approx(expected)
    assert list(fused.scores) == sorted(fused.scores, reverse=True)


@given(rankings)
def test_fusing_a_ranking_with_itself_keeps_its_order(ranking):
    assert mrr([ranking, ranking]).labels == ranking.labels


def test_bi_encoder_ranks_by_cosine_of_tree_or_abstract(papers, labels):
    plm = FakePLM()
    candidates = {paper.id: list(labels) for paper in papers}
    full = BiEncoder(plm, labels, "full").rank(papers, candidates)
    abstract = BiEncoder(plm, labels, "abstract").rank(papers, candidates)
    paper = papers[1]
    leaves = plm.embed([unit.text for unit in paper.tree.leaves()])
    intro, methods, data = leaves[1], leaves[2], leaves[3]
    h_d = (leaves[0] + (intro + (methods + data) / 2) / 2) / 2
    expected = cosine(h_d, plm.embed([label.text for label in labels.values()]))
    assert dict(full[paper.id]) == pytest.approx(dict(zip(labels, expected.tolist(), strict=True)), abs=1e-6)
    expected = cosine(plm.embed([paper.title_and_abstract])[0], plm.embed([label.text for label in labels.values()]))
    assert dict(abstract[paper.id]) == pytest.approx(dict(zip(labels, expected.tolist(), strict=True)), abs=1e-6)

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from futex.ranking import Ranking
from futex.self_training.relabelling import relabel

scores = st.dictionaries(st.sampled_from("ABCDEFG"), st.floats(-5, 5), max_size=7)


def test_example_1_of_the_paper():
    """N = 2, MRR (A 2.00, B 1.00, C 0.67), Parabel (.80 .85 .30 .60 .90): the final rank is (A, B, E, D, C)."""
    initial = Ranking.of({"A": 2.00, "B": 1.00, "C": 0.67})
    parabel = Ranking.of({"A": 0.80, "B": 0.85, "C": 0.30, "D": 0.60, "E": 0.90})
    assert parabel.labels == ("E", "B", "A", "D", "C")
    assert relabel(initial, parabel, n=2).labels == ("A", "B", "E", "D", "C")


def test_candidates_that_parabel_does_not_know_come_last():
    initial = Ranking.of({"A": 2.0, "B": 1.0, "C": 0.5})
    assert relabel(initial, Ranking.of({"E": 0.9}), n=1).labels == ("A", "E", "B", "C")


def test_ties_keep_the_given_order():
    assert Ranking.of({"B": 1.0, "A": 1.0, "C": 2.0}).labels == ("C", "B", "A")


@given(scores, scores, st.integers(0, 8))
def test_then_keeps_the_first_and_never_repeats_or_rises(a, b, n):
    first, second = Ranking.of(a).top(n), Ranking.of(b)
    joined = first.then(second)
    assert joined.labels[: len(first)] == first.labels
    assert set(joined.labels) == set(first.labels) | set(second.labels)
    assert len(set(joined.labels)) == len(joined.labels)
    assert list(joined.scores) == sorted(joined.scores, reverse=True)
    rest = [label for label in second.labels if label not in first.labels]
    assert list(joined.labels[len(first) :]) == rest


def test_followers_of_a_zero_keep_what_sets_them_apart():
    assert Ranking.of({"A": 0.0}).then(Ranking.of({"B": 1.0, "C": -1.0})).scores == (0.0, 0.0, -1.0)


def test_a_label_without_a_score_is_an_error():
    with pytest.raises(ValueError, match="shorter"):
        list(Ranking(("A", "B"), (1.0,)))


@given(scores, scores)
def test_then_scales_followers_down_to_fit(a, b):
    """Where both sides are positive the followers keep their proportions."""
    first = Ranking.of({label: abs(score) + 1 for label, score in a.items()})
    second = Ranking.of({label: abs(score) + 1 for label, score in b.items()})
    joined = dict(first.then(second))
    rest = [(label, score) for label, score in second if label not in first.labels]
    for (one, x), (other, y) in pairwise(rest):
        assert joined[one] * y == pytest.approx(joined[other] * x)

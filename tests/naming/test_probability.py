"""Scores as probabilities and the cut-off, on numbers worked out by hand."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from futex.naming.probability import EVEN, STEEPNESS, number_that_apply, probability
from futex.ranking import Ranking

CERTAINTIES = st.lists(st.floats(0.001, 0.999), min_size=1, max_size=12)


def ranking(probabilities):
    return Ranking.of({f"L{i}": p for i, p in enumerate(probabilities)})


def test_the_odds_follow_a_power_of_the_score():
    found = probability(np.array([0.0, EVEN, 2 * EVEN]))
    assert found == pytest.approx([0, 1 / 2, 2**STEEPNESS / (1 + 2**STEEPNESS)])


def test_expected_f1_by_hand():
    """Σp = 2.1: 1.8/3.1 = .58 for one label, 3.4/4.1 = .83 for two, 4/5.1 = .78 for three."""
    assert number_that_apply(ranking([0.9, 0.8, 0.3, 0.1])) == 2


def test_nothing_named_nothing_applies():
    assert number_that_apply(Ranking()) == 0


@given(CERTAINTIES)
def test_no_other_number_is_expected_to_be_better(probabilities):
    def expected(k):
        return 2 * sum(sorted(probabilities, reverse=True)[:k]) / (k + sum(probabilities))

    chosen = number_that_apply(ranking(probabilities))
    assert expected(chosen) == pytest.approx(max(expected(k) for k in range(1, len(probabilities) + 1)))


@given(CERTAINTIES)
def test_a_higher_score_is_a_higher_probability(scores):
    ordered = probability(np.array(sorted(scores)) * 100)
    assert all(low <= high for low, high in pairwise(ordered))

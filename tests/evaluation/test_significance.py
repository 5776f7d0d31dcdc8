"""Tests over seeds, against scipy."""

import pytest
from scipy import stats

from futex.errors import InputError
from futex.evaluation.significance import stars, t_test, z_test

OURS = [0.512, 0.498, 0.507, 0.521, 0.503]
THEIRS = [0.480, 0.491, 0.502, 0.488, 0.479]


def test_t_test_agrees_with_scipy():
    for a, b in ((OURS, THEIRS), (THEIRS, OURS), (OURS, OURS[:3]), (OURS[:2], THEIRS)):
        assert t_test(a, b) == pytest.approx(stats.ttest_ind(a, b, equal_var=False).pvalue, rel=1e-9)


def test_z_test_agrees_with_the_normal_distribution_of_scipy():
    standard_error = stats.sem(OURS)
    for constant in (0.49, 0.505, 0.6):
        z = (sum(OURS) / 5 - constant) / standard_error
        assert z_test(OURS, constant) == pytest.approx(2 * stats.norm.sf(abs(z)), rel=1e-9)


def test_both_are_two_tailed():
    assert t_test(OURS, THEIRS) == pytest.approx(t_test(THEIRS, OURS))
    mean = sum(OURS) / 5
    assert z_test(OURS, mean - 0.01) == pytest.approx(z_test(OURS, mean + 0.01))


def test_stars_are_those_of_the_paper():
    assert [stars(p) for p in (0.0099, 0.01, 0.0499, 0.05, 1.0)] == ["**", "*", "*", "", ""]


def test_nothing_is_significant_where_all_seeds_agree():
    same = [0.1 + 0.2, 0.3, 0.3]  # 0.30000000000000004 is 0.3
    assert t_test(same, [0.3, 0.3]) == t_test(same, [0.4, 0.4]) == 1.0
    assert z_test(same, 0.3) == z_test(same, 0.2) == 1.0


def test_one_seed_cannot_be_tested():
    with pytest.raises(InputError, match="two or more"):
        t_test([0.5], THEIRS)
    with pytest.raises(InputError, match="two or more"):
        z_test([0.5], 0.4)

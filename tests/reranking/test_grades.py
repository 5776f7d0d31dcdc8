"""Whatever a language model writes, only the order of the labels it was asked about can change."""

import pytest

from futex.ranking import Ranking
from futex.reranking.grades import LONGEST, read_grades, regraded


@pytest.mark.parametrize(
    ("written", "grades"),
    [
        ('{"1": 3, "2": 0, "3": 1}', {1: 3, 2: 0, 3: 1}),
        ('```json\n{"1": 3}\n```', {1: 3}),
        ('<think>well</think> {"3": 2} as you wished', {3: 2}),
        ('<think>I answer like {"1": 2}, or {"1": {.</think>{"1": 3, "2": 1}', {1: 3, 2: 1}),
        ('{"2": 2, "4": 3, "0": 3, "-1": 3, "L1": 3, "two": 3}', {2: 2}),  # numbers that were never offered
        ('{"1": 4, "2": -1, "3": 2}', {3: 2}),  # grades that do not exist
        ('{"1": true, "2": "3", "3": 2.0}', {}),  # nor are these
        ('{"1": null, "2": [3], "3": {"1": 3}}', {}),
        ('["1", "2"]', {}),
        ('{"1": 3, "2"', {}),
        ("", {}),
        ("I cannot help with that.", {}),
        ("}{", {}),
        ('{"1":' * 100_000 + "}", {}),
    ],
)
def test_only_grades_of_labels_that_were_offered_are_read(written, grades):
    assert read_grades(written, labels=3) == grades


def test_of_an_answer_without_end_only_the_end_is_read():
    """To try every "{" of a megabyte of them would take minutes, for each paper."""
    assert read_grades(" " * LONGEST + '{"1": 3}', labels=1) == {1: 3}
    assert read_grades('{"1": 3}' + " " * LONGEST, labels=1) == {}


def test_scores_belong_to_places():
    """Monotone before, monotone after: the labels move, the numbers stay."""
    ranking = Ranking(("A", "B", "C", "D", "E"), (0.9, 0.8, 0.5, 0.5, 0.1))
    assert regraded(ranking, {"A": 0, "B": 1, "C": 1, "D": 3}) == Ranking(("D", "B", "C", "A", "E"), ranking.scores)


def test_labels_without_a_grade_stay_where_they_are():
    ranking = Ranking(("A", "B", "C", "D"), (4, 3, 2, 1))
    assert regraded(ranking, {"A": 0, "D": 3}).labels == ("D", "B", "C", "A")
    assert regraded(ranking, {}) == ranking
    assert regraded(ranking, {"X": 3}) == ranking

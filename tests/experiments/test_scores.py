"""Means over seeds, marks of significance, and what a table shows of them."""

import pytest

from futex.evaluation.gold import Gold
from futex.experiments.comparison import published_cell, with_best
from futex.experiments.jobs import Outcome
from futex.experiments.results import Cell, Row
from futex.experiments.scores import Scores, mark
from futex.ranking import Ranking

GOLD = Gold({f"d{i}": ["A"] for i in range(10)})


def scores(*hits: int, is_random: bool = True) -> Scores:
    """A seed for each number: in so many of ten papers the first label is right."""
    outcomes = []
    for right in hits:
        rankings = {f"d{i}": Ranking(("A" if i < right else "B",), (1.0,)) for i in range(10)}
        outcomes.append(Outcome(rankings, 1.0, 2.0))
    return Scores.of(outcomes, GOLD, is_random=is_random)


def test_mean_and_interval_are_over_seeds_and_papers():
    three = scores(4, 5, 6)
    cell = three.cell("P@1")
    assert cell.value == pytest.approx(0.5)
    assert 0.0 <= cell.low < 0.5 < cell.high <= 1.0
    assert three.seconds == 9.0
    assert scores(4, 4).cell("P@1").low == scores(4).cell("P@1").low


def test_stars_where_ours_is_better_and_daggers_where_it_is_worse():
    ours = scores(6, 7, 6, 7, 6)
    assert mark(ours, scores(2, 3, 2, 3, 2), "P@1") == "**"
    assert mark(ours, scores(9, 10, 9, 10, 9), "P@1") == "‡"
    assert mark(ours, scores(7, 6, 7, 6, 7), "P@1") == ""
    assert mark(ours, scores(6, is_random=False), "P@1") == ""
    assert mark(ours, scores(5, is_random=False), "P@1") == "**"
    assert mark(ours, scores(8, is_random=False), "P@1") == "‡"


def test_one_seed_gets_no_mark():
    assert mark(scores(9), scores(1, 2), "P@1") == ""
    assert mark(scores(9, 8), scores(1), "P@1") == ""
    assert mark(scores(9, 8), scores(1, is_random=False), "P@1") == "**"


def test_other_papers_cannot_be_compared():
    outcome = Outcome({"d0": Ranking(("B",), (1.0,))}, 0, 0)
    assert mark(scores(9, 8), Scores.of([outcome], GOLD, is_random=False), "P@1") == ""


def test_papers_can_be_chosen():
    outcome = Outcome({f"d{i}": Ranking(("A" if i < 5 else "B",), (1.0,)) for i in range(10)}, 0, 0)
    assert Scores.of([outcome], GOLD, is_random=False, papers={"d0", "d1"}).mean("P@1") == 1.0


def test_values_of_the_paper_keep_their_digits_and_stars():
    assert published_cell("0.6825**") == Cell(0.6825, mark="**", digits=4)
    assert published_cell("96,718").text == "96,718"
    assert published_cell("0.68.") == Cell(0.68, mark=".", digits=2)
    assert published_cell("") == published_cell("...") == Cell()


def test_the_best_of_each_column_is_marked_ties_too():
    rows = with_best([Row("a", (Cell(0.1 + 0.2), Cell(0.5))), Row("b", (Cell(0.3), Cell()))])
    assert [[cell.best for cell in row.cells] for row in rows] == [[True, True], [True, False]]


def test_a_row_on_other_papers_is_best_of_nothing_but_of_what_the_paper_published():
    rows = [Row("a", (Cell(0.3), Cell(0.5))), Row("on 20 papers", (Cell(0.9), Cell(0.6)))]
    marked = with_best(rows, apart=[1], own=1)
    assert [[cell.best for cell in row.cells] for row in marked] == [[True, False], [False, True]]

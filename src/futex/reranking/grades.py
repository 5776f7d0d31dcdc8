"""From what a language model wrote to a new order of the labels it was asked about, and of nothing else."""

import json
from collections.abc import Mapping
from typing import Any

from futex.ranking import Ranking
from futex.reranking.question import GRADES

LONGEST = 100_000
"""Characters of an answer that are read, the last ones: what a "{" costs that begins no object grows with the text."""

_DECODER = json.JSONDecoder()


def read_grades(content: str, labels: int) -> dict[int, int]:
    """Grades by number; numbers that were not asked about and grades that do not exist are left out.

    >>> read_grades('Here you are: {"1": 3, "2": 9, "7": 2, "3": 0}', labels=3)
    {1: 3, 3: 0}
    """
    answer = _last_object(content[-LONGEST:])
    return {number: answer[str(number)] for number in range(1, labels + 1) if _is_grade(answer.get(str(number)))}


def _last_object(content: str) -> dict[str, Any]:
    """What stands before it was thought aloud."""
    last: dict[str, Any] = {}
    start = content.find("{")
    while start >= 0:
        try:
            last, end = _DECODER.raw_decode(content, start)
        except ValueError:
            end = start + 1
        except RecursionError:  # nobody thinks like that
            return {}
        start = content.find("{", end)
    return last


def _is_grade(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value in GRADES


def regraded(ranking: Ranking, grades: Mapping[str, int]) -> Ranking:
    """Labels with a grade take the places of such labels in the order of their grades; equal grades keep their order.

    The others stay where they are, and so do the scores: they belong to the places.

    >>> regraded(Ranking(("A", "B", "C", "D"), (9, 5, 4, 1)), {"A": 1, "C": 3, "D": 1})
    Ranking(labels=('C', 'B', 'A', 'D'), scores=(9, 5, 4, 1))
    """
    by_grade = iter(sorted((label for label in ranking.labels if label in grades), key=lambda label: -grades[label]))
    return Ranking(tuple(next(by_grade) if label in grades else label for label in ranking.labels), ranking.scores)

"""How a paper names a label, counted by hand."""

import sys

import pytest

from futex.corpus.paper import Paper, section
from futex.labels.label import Label, LabelSpace
from futex.naming.counts import Counts, _normal, count_names
from futex.naming.matcher import LongestMatcher
from futex.naming.plurals import singular

LABELS = LabelSpace([Label("T", "tail"), Label("L", "lung", ("organ of breath",))])
FILLER = " and some words that stand for all the other words of it"


def counted(paper):
    """For each label that the paper names, its numbers by name."""
    (counts,) = count_names([paper], LongestMatcher(LABELS))
    rows = zip(*counts, strict=True)
    return {LABELS.ids[row[0]]: dict(zip(Counts._fields[1:], map(int, row[1:]), strict=True)) for row in rows}


def test_every_column_by_hand():
    body = [
        section("Lungs and more", [f"Lung, lungs, a lung{FILLER}", f"The organ of breath{FILLER}"]),
        section("Results", [f"Lungs{FILLER}"], [section("Of lungs", [f"Nothing{FILLER}"])]),
    ]
    assert counted(Paper("d", "A lung", "Lungs, a lung.", section("", (), body))) == {
        "L": {
            "mentions": 8,
            "words": 3,  # of its longest name
            "letters": 15,
            "in_title": 1,
            "in_abstract": 2,
            "in_headings": 2,
            "paragraphs": 3,
            "sections": 2,
            "most": 3,
            "by_own_name": 7,
            "capitalised": 3,
        }
    }


def test_a_section_may_be_called_abstract():
    body = section("", (), [section("abstract", [f"The lung{FILLER}"]), section("title", [f"The lung{FILLER}"])])
    row = counted(Paper("d", "None", "None.", body))["L"]
    assert (row["in_title"], row["in_abstract"], row["paragraphs"], row["sections"]) == (0, 0, 2, 2)


def test_a_paper_that_names_nothing_has_no_rows():
    assert counted(Paper("d", "None", "None.")) == {}


@pytest.mark.parametrize("read", [singular, _normal])
def test_endless_words_and_names_are_not_kept(read):
    """A service reads texts with words of any length, for months."""
    text = "-".join(["x"] * 1000)
    before = sys.getrefcount(text)
    read(text)
    assert sys.getrefcount(text) == before

"""What a paper abbreviates counts under its short form too."""

import pytest

from futex.candidates import mentions, passages
from futex.corpus.paper import Paper, section
from futex.labels.label import Label, LabelSpace
from futex.naming.abbreviations import stands_for, with_abbreviations
from futex.naming.matcher import LongestMatcher

LABELS = LabelSpace([Label("E", "epidermal growth factor"), Label("C", "Caenorhabditis elegans"), Label("A", "AC")])


def named(**parts):
    paper = Paper("d", **parts)
    found = mentions(paper, LongestMatcher(LABELS), "full")
    more = with_abbreviations(found, list(passages(paper, "full")))
    return {label: [mention.name for mention in places] for label, places in more.items()}


def test_the_short_form_counts_wherever_it_stands():
    body = section("", ["Two EGFs, an EGF-like one, EGFR and egf: one of them is an EGF."])
    assert named(title="On EGF", abstract="The epidermal growth factor (EGF) is one.", body=body) == {
        "E": ["epidermal growth factor", "EGF", "EGF", "EGFs", "EGF", "EGF"]
    }


def test_species_are_abbreviated_too():
    abstract = "Caenorhabditis elegans (C. elegans) is a worm. C. elegans is small."
    assert named(abstract=abstract)["C"] == ["Caenorhabditis elegans", "C. elegans", "C. elegans"]


def test_a_short_form_that_is_a_name_itself_is_counted_once():
    assert named(abstract="The anchor cell (AC) and the AC.") == {"A": ["AC", "AC"]}


@pytest.mark.parametrize("text", ["epidermal growth factor (see p)", "epidermal growth factor and EGF"])
def test_what_is_not_introduced_is_not_counted(text):
    assert named(abstract=f"{text}. EGF again.") == {"E": ["epidermal growth factor"]}
    assert named(abstract="EGF (EGF). EGF again.") == {}


@pytest.mark.parametrize(
    ("short", "name", "does"),
    [
        ("TNF", "tumor necrosis factor", True),
        ("NF-kB", "nuclear factor kappa B", True),
        ("TNF", "interleukin", False),
        ("FTN", "tumor necrosis factor", False),
        ("AB", "ab", False),
    ],
)
def test_letters_stand_in_their_order_from_the_first_on(short, name, does):
    assert stands_for(short, name) is does

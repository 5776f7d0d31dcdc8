"""What a paper abbreviates counts under its short form too."""

import re
from itertools import product

import pytest
from fuzzing.patience import patience
from hypothesis import given
from hypothesis import strategies as st

from futex.candidates import Mention, Passage, mentions, passages
from futex.corpus.paper import Paper, section
from futex.labels.label import Label, LabelSpace
from futex.naming.abbreviations import _Shorts, stands_for, with_abbreviations
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


SHORTS = ["E. coli", "EGF-R", "eGFP", "EGF", "EG", "AC"]


@given(st.lists(st.sampled_from([*SHORTS, "s", "-", " ", ".", "x"]), max_size=12).map("".join))
def test_short_forms_are_found_as_by_a_pattern_of_them_all(text):
    pattern = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, SHORTS))})s?(?!\w)")
    expected = [(found[1], *found.span()) for found in pattern.finditer(text)]
    assert list(_Shorts.of(SHORTS).standing_in(text)) == expected


def test_a_paper_may_introduce_thousands():
    """Each capital or not, but for the one that makes it a short form."""
    name = "deoxyribonucleic acid"
    either = product(*((letter, letter.upper()) for letter in "eoxyriboucle"))
    shorts = [f"d{''.join(letters[:8])}N{''.join(letters[8:])}" for letters in either]
    texts = [*(f"{name} ({short})." for short in shorts), "deoxyribo " * 3_000_000]
    places = tuple(Mention(name, (), 0, len(name), number) for number in range(len(shorts)))
    with patience():
        found = with_abbreviations({"D": places}, [Passage((), number, text) for number, text in enumerate(texts)])
    assert [mention.name for mention in found["D"]] == [name] * len(shorts) + shorts

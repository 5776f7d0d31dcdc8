"""Names as a reader sees them: the case each rule was made for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from futex.candidates import Matcher
from futex.labels.label import Label, LabelSpace
from futex.naming.matcher import LongestMatcher
from futex.naming.plurals import singular, singulars


def found(text, *names):
    """The names that are found, as they are written."""
    labels = LabelSpace([Label(str(i), name) for i, name in enumerate(names)])
    return [hit.name for hit in LongestMatcher(labels).find(text)]


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("cell", "cells"),
        ("study", "studies"),
        ("disease", "diseases"),
        ("stress", "stresses"),
        ("branch", "branches"),
        ("box", "boxes"),
    ],
)
def test_singular_and_plural_find_each_other(one, many):
    assert found(f"Many {many} of a kind.", one) == [many]
    assert found(f"Just one {one}.", many) == [one]


@pytest.mark.parametrize("word", ["mitosis", "virus", "mass", "gas", "as", "analysis"])
def test_words_that_only_look_like_plurals_stay(word):
    assert singular(word) == word


def test_only_the_longest_of_overlapping_names_counts():
    text = "Lung cancer cells and cancer of the lung"
    assert found(text, "lung cancer", "cancer", "lung", "cells") == ["Lung cancer", "cells", "cancer", "lung"]


def test_names_that_overlap_without_one_holding_the_other_all_count():
    assert found("breast cancer cell", "breast cancer", "cancer cell") == ["breast cancer", "cancer cell"]


def test_labels_that_share_a_name_all_match():
    labels = LabelSpace([Label("a", "Mercury"), Label("b", "mercury")])
    assert [hit.label for hit in LongestMatcher(labels).find("mercury")] == ["a", "b"]


def test_patients_are_humans_and_patients():
    labels = LabelSpace([Label("mesh:D006801", "Humans"), Label("mesh:D010361", "Patients")])
    assert [hit.label for hit in LongestMatcher(labels).find("Ten patients.")] == ["mesh:D006801", "mesh:D010361"]


def test_an_acronym_is_not_a_common_word():
    assert found("It acts as a gate, and CAT as well as CATs and cats do.", "AS", "CAT") == ["CAT", "CATs"]
    assert found("Rats and a Rat.", "Rat") == ["Rats", "Rat"]


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("GPCRs", "GPCR"),
        ("GPCR", "GPCRs"),
        ("IL-6", "IL–6"),
        ("IL-6", "IL 6"),
        ("TNF-α", "TNFα"),
        ("TNFα", "TNF-alpha"),
    ],
)
def test_an_acronym_may_be_written_with_other_signs(name, written):
    assert found(f"It has {written} in it.", name) == [written]


def test_all_names_of_a_label_that_are_the_same_in_the_singular_count():
    labels = LabelSpace([Label("r", "RNase", ("RNAses", "MMP", "mmps"))])
    for name in labels["r"].names:
        assert [hit.name for hit in LongestMatcher(labels).find(f"The {name} here.")] == [name]


@given(st.lists(st.from_regex(r"[A-Za-z]{1,4}[-α]?[A-Za-z0-9]{1,3}s?", fullmatch=True), min_size=1, max_size=4))
def test_every_name_of_a_label_is_found_in_itself(names):
    matcher = LongestMatcher(LabelSpace([Label("x", names[0], tuple(names[1:]))]))
    assert all([(hit.start, hit.end) for hit in matcher.find(name)] == [(0, len(name))] for name in names)


def test_what_is_found_is_what_is_written():
    text = "Crohn’s diseases; TNF-α, “β-cells”"
    assert found(text, "Crohn disease", "TNF alpha", "β cell") == ["Crohn’s diseases", "TNF-α", "β-cells"]


VOCABULARY = ["cell", "cells", "lung", "cancer", "stem", "AS", "as", "study", "studies", "the", ",", "."]
WORDS = st.lists(st.sampled_from(VOCABULARY), max_size=12).map(" ".join)


@given(WORDS, st.lists(WORDS.filter(str.strip), min_size=1, max_size=4))
def test_every_longest_match_is_one_of_the_plain_matches_of_the_folded_text(text, names):
    """Against the paper's matcher on texts and names that are already in the singular."""
    labels = LabelSpace([Label(str(i), singulars(name.lower())) for i, name in enumerate(names)])
    plain = singulars(text.lower())
    everything = {(hit.label, hit.start, hit.end) for hit in Matcher(labels).find(plain)}
    longest = {(hit.label, hit.start, hit.end) for hit in LongestMatcher(labels).find(plain)}
    assert longest <= everything
    assert all(any(a <= start and end <= b for _, a, b in longest) for _, start, end in everything)


def test_labels_that_differ_only_in_number_are_told_apart():
    labels = LabelSpace([Label("1", "Ubiquitin"), Label("2", "Ubiquitins"), Label("3", "Mouse", ("mice",))])
    matcher = LongestMatcher(labels)
    assert [hit.label for hit in matcher.find("Ubiquitin, then ubiquitins, in mice and a mouse")] == [
        "1",
        "2",
        "3",
        "3",
    ]


def test_labels_that_share_a_name_are_both_meant_in_any_number():
    labels = LabelSpace([Label("1", "ring", ("annulus",)), Label("2", "ring")])
    assert [hit.label for hit in LongestMatcher(labels).find("rings")] == ["1", "2"]

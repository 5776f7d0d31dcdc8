from itertools import chain
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from futex.candidates import Hit, Matcher, Mention, mentions, retrieve
from futex.corpus.paper import Paper, section
from futex.labels.label import Label, LabelSpace
from futex.labels.names import normal_form, variants
from futex.naming.matcher import LongestMatcher


def matcher(**names: str | tuple[str, ...]) -> Matcher:
    """A matcher of labels whose ids are the keywords."""
    labels = {key: (value,) if isinstance(value, str) else value for key, value in names.items()}
    return Matcher(LabelSpace(Label(key, name, tuple(synonyms)) for key, (name, *synonyms) in labels.items()))


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("Heart", "the heart.", ["heart"]),
        ("Heart", "the hearts", []),
        ("Heart", "sweetheart", []),
        ("Heart", "Heart heart HEART", ["Heart", "heart", "HEART"]),
        ("heart heart", "heart heart heart", ["heart heart", "heart heart"]),
        ("Heart lung", "a heart, lung", []),
        ("Heart lung", "the heart. Lung", []),
        ("Heart lung", "a heart-lung machine", ["heart-lung"]),
        ("Crohn Disease", "In Crohn’s disease,", ["Crohn’s disease"]),
        ("Crohn", "In Crohn’s disease,", ["Crohn"]),
        ("Sjögren", "Sjo\u0308gren's syndrome", ["Sjo\u0308gren"]),
        ("beta cell", "pancreatic β-cell", ["β-cell"]),
        ("TNF", "of TNFα and", ["TNFα"]),
        ("Hypertension", "hyper\u00adtension", ["hyper\u00adtension"]),
        ("C++", "in C++, C and C#", ["C++"]),
        ("C", "in C++, C and C#", ["C"]),
        ("D. melanogaster", "(D. melanogaster)", ["D. melanogaster"]),
        ("Abdomen, Acute", "acute abdomen", ["acute abdomen"]),
        ("Diabetes Mellitus, Type 2", "Type-2 diabetes mellitus", ["Type-2 diabetes mellitus"]),
        ("Boats, ships and trains", "boats, ships and trains", ["boats, ships and trains"]),
        ("Boats, ships and trains", "ships and trains boats", []),
        ("Heart", "Ｈｅａｒｔ", ["Ｈｅａｒｔ"]),
        ("AS", "as if AS", ["as", "AS"]),
        ("as", "As usual", ["As"]),
        ("–", "heart – lung", []),
        ("Heart", "\ud800heart\ud800", ["heart"]),
    ],
)
def test_find(name: str, text: str, found: list[str]) -> None:
    assert [hit.name for hit in matcher(label=name).find(text)] == found


def test_hits_come_by_start_then_longer_first_then_in_the_order_of_the_labels() -> None:
    found = matcher(z="cells", a=("Stem Cells", "cells"), m="stem").find("Stem cells")
    assert found == [
        Hit("a", "Stem cells", 0, 10),
        Hit("m", "Stem", 0, 4),
        Hit("z", "cells", 5, 10),
        Hit("a", "cells", 5, 10),
    ]


def test_two_names_in_one_word_are_one_hit() -> None:
    assert matcher(label=("1", "2")).find("½") == [Hit("label", "½", 0, 1)]


BODY = section(
    "",
    sections=[
        section(
            "Methods",
            ["We grew cells in the usual medium for two whole days."],
            [section("Animals", ["Every mouse had water and food at will for two days."])],
        )
    ],
)
PAPER = Paper(id="d1", title="Of mice", abstract="A mouse has cells; mice too.", body=BODY)
MATCHER = matcher(mouse=("Mice", "mouse"), cells="Cells", food="Food")


def test_mentions_in_title_and_abstract() -> None:
    assert mentions(PAPER, MATCHER, "abstract") == {
        "mouse": (
            Mention("mice", ("title",), 3, 7),
            Mention("mouse", ("abstract",), 2, 7),
            Mention("mice", ("abstract",), 19, 23),
        ),
        "cells": (Mention("cells", ("abstract",), 12, 17),),
    }


def test_mentions_in_the_full_text() -> None:
    found = mentions(PAPER, MATCHER, "full")
    assert list(found) == ["mouse", "cells", "food"]
    assert found["cells"][1:] == (Mention("cells", ("Methods",), 8, 13, paragraph=0),)
    assert found["food"] == (Mention("food", ("Methods", "Animals"), 26, 30, paragraph=1),)
    paragraphs = [place.text for place in PAPER.paragraphs()]
    assert paragraphs[1][26:30] == "food"


def test_a_paper_without_abstract_is_searched_in_full() -> None:
    paper = Paper(id="d2", title="Of mice", body=BODY)
    assert list(mentions(paper, MATCHER, "abstract")) == ["mouse", "cells", "food"]


def test_retrieve_has_an_entry_for_every_paper() -> None:
    found = retrieve([PAPER, Paper(id="d2", title="Of nothing", abstract="Nothing.")], MATCHER)
    assert {paper: list(labels) for paper, labels in found.items()} == {"d1": ["mouse", "cells"], "d2": []}


class Token(NamedTuple):
    form: str
    start: int
    end: int


WORDS = {
    "heart": ["heart"],
    "Heart": ["heart"],
    "lung": ["lung"],
    "c++": ["c++"],
    "C": ["c"],
    "Sjögren": ["sjogren"],
    "β": ["beta"],
    "beta": ["beta"],
    "TNFα": ["tnf", "alpha"],
    "alpha": ["alpha"],
}
GAPS = {" ": [], "-": [], "/": [], "  ": [], " – ": [], "'s ": [], ", ": ["|"], ". ": ["|"], " (": ["|"]}

texts = st.lists(st.tuples(st.sampled_from(list(WORDS)), st.sampled_from(list(GAPS))), max_size=25)
label_names = st.lists(
    st.lists(st.sampled_from(list(WORDS)), min_size=1, max_size=3).map(" ".join), min_size=1, max_size=3
).map(", ".join)
label_spaces = st.lists(st.lists(label_names, min_size=1, max_size=3), min_size=1, max_size=8).map(
    lambda labels: LabelSpace(Label(f"L{i}", name, tuple(synonyms)) for i, (name, *synonyms) in enumerate(labels))
)


def tokens(text: list[tuple[str, str]]) -> list[Token]:
    found: list[Token] = []
    at = 0
    for word, gap in text:
        found += [Token(form, at, at + len(word)) for form in WORDS[word]]
        at += len(word)
        found += [Token(form, at, at + len(gap)) for form in GAPS[gap]]
        at += len(gap)
    return found


def naive_forms(name: str) -> list[list[str]]:
    pieces = [[form for word in piece.split(" ") for form in WORDS[word]] for piece in name.split(", ")]
    as_written = [form for piece in pieces for form in ["|", *piece]][1:]
    return [as_written, list(chain(*reversed(pieces))), list(chain(*pieces))]


def naive_find(labels: LabelSpace, text: list[tuple[str, str]]) -> list[Hit]:
    there = tokens(text)
    written = "".join(word + gap for word, gap in text)
    hits = set()
    for label in labels.values():
        for form in [form for name in label.names for form in naive_forms(name)]:
            for i in range(len(there) - len(form) + 1):
                window = there[i : i + len(form)]
                if [token.form for token in window] == form:
                    start, end = window[0].start, window[-1].end
                    hits.add(Hit(label.id, written[start:end], start, end))
    return sorted(hits, key=lambda hit: (hit.start, -hit.end, labels.position[hit.label]))


@given(label_spaces, texts)
def test_find_agrees_with_a_naive_search_of_token_lists(labels: LabelSpace, text: list[tuple[str, str]]) -> None:
    assert Matcher(labels).find("".join(word + gap for word, gap in text)) == naive_find(labels, text)


@given(label_spaces, texts.filter(lambda text: "TNFα" not in dict(text)))  # two names may stand at one place there
def test_labels_are_named_in_the_order_of_their_first_hits(labels: LabelSpace, text: list[tuple[str, str]]) -> None:
    written = "".join(word + gap for word, gap in text)
    for matcher in (Matcher(labels), LongestMatcher(labels)):
        assert list(matcher.named(written)) == list(dict.fromkeys(hit.label for hit in matcher.find(written)))


@given(label_spaces, texts)
def test_what_is_found_is_a_name_of_the_label(labels: LabelSpace, text: list[tuple[str, str]]) -> None:
    for hit in Matcher(labels).find("".join(word + gap for word, gap in text)):
        forms = [form for name in labels[hit.label].names for form in variants(name)]
        # Words, not equality: "TNFα" is one word of the text but two in normal form, and a name may be one of them.
        assert any(f" {form} " in f" {normal_form(hit.name)} " for form in forms)


@given(st.text(), st.lists(st.text(), min_size=1, max_size=5))
def test_any_text_and_any_names(text: str, names: list[str]) -> None:
    found = Matcher(LabelSpace([Label("L", names[0], tuple(names[1:]))])).find(text)
    assert all(text[hit.start : hit.end] == hit.name for hit in found)


@given(st.text().filter(normal_form))
def test_every_name_is_found_in_itself(name: str) -> None:
    assert matcher(label=name).find(f"see {name} there")

import pytest
from hypothesis import given
from hypothesis import strategies as st

from futex.corpus import paper as paper_module
from futex.corpus.paper import MIN_WORDS, Paper, Unit, section, squeeze
from futex.errors import InputError

LONG = "one two three four five six seven eight nine ten"


def test_paragraphs_under_ten_words_are_dropped():
    assert len(LONG.split()) == MIN_WORDS
    kept = section("S", [LONG, "one two three four five six seven eight nine"])
    assert [leaf.text for leaf in kept.leaves()] == [LONG]


def test_empty_subsections_are_dropped_and_paragraphs_come_first():
    unit = section("S", [LONG], [section("empty"), section("sub", [LONG])])
    assert [child.heading for child in unit.children] == ["", "sub"]


def test_tree_weighs_abstract_and_body_alike():
    paper = Paper("d", "T", "A", section("", sections=[section("S", [LONG])]))
    abstract, body = paper.tree.children
    assert abstract.text == "T A"
    assert body is paper.body


def test_paper_without_abstract_lends_its_first_paragraph():
    paper = Paper("d", "T", "", section("", sections=[section("S", [LONG])]))
    assert paper.title_and_abstract == f"T {LONG}"
    assert not paper.is_empty


def test_paper_without_body_has_the_abstract_alone():
    paper = Paper("d", "T", "A")
    assert [leaf.text for leaf in paper.tree.leaves()] == ["T A"]
    assert not paper.is_empty
    assert Paper("d", "T").is_empty


def test_paths_follow_headings_and_skip_untitled_sections():
    deep = section("A", sections=[section("", sections=[section("B", [LONG])])])
    paper = Paper("d", body=section("", [LONG], [deep]))
    assert [place.path for place in paper.paragraphs()] == [(), ("A", "B")]


def test_a_unit_has_text_or_children():
    """Text beside children would be a leaf that no section counts."""
    with pytest.raises(InputError, match="text or children, not both"):
        Unit("h", "some text", (Unit(text="x"),))


def test_units_compare_by_value():
    assert Unit("h", children=(Unit(text="x"),)) == Unit("h", children=(Unit(text="x"),))


@given(st.text(st.sampled_from("ab \n\t\x1c\x85\xa0\u2003\u200b"), max_size=60), st.integers(1, 9))
def test_long_texts_are_squeezed_in_stretches_with_the_same_result(text, stretch):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paper_module, "_STRETCH", stretch)
        assert squeeze(text) == " ".join(text.split())

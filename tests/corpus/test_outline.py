from hypothesis import given
from hypothesis import strategies as st

from futex.corpus.outline import Outline
from futex.corpus.paper import MAX_DEPTH, Unit, section

LONG = "one two three four five six seven eight nine ten"


def body(*events):
    """Numbers are levels of headings named after their place, the rest are paragraphs."""
    outline = Outline()
    for place, event in enumerate(events):
        if isinstance(event, int):
            outline.heading(event, f"h{place}")
        else:
            outline.paragraph(event)
    return outline.body()


def test_levels_make_a_tree():
    assert body(LONG, 1, LONG, 2, LONG, 2, LONG, 1, LONG) == section(
        "",
        [LONG],
        [
            section("h1", [LONG], [section("h3", [LONG]), section("h5", [LONG])]),
            section("h7", [LONG]),
        ],
    )


def test_a_gap_in_the_levels_is_no_gap_in_the_tree():
    assert body(1, 3, LONG, 2, LONG) == section(
        "", sections=[section("h0", sections=[section("h1", [LONG]), section("h3", [LONG])])]
    )


def test_the_first_heading_may_be_a_deep_one():
    assert body(3, LONG, 1, LONG) == section("", sections=[section("h0", [LONG]), section("h2", [LONG])])


def test_short_paragraphs_and_empty_sections_are_dropped():
    assert body(1, "Too short.", 2, 1, LONG) == section("", sections=[section("h3", [LONG])])


def test_nothing_gives_an_empty_body():
    assert Outline().body() == Unit()


def test_a_tree_cannot_be_deeper_than_papers_are():
    unit, depth = body(*range(1, 10_000), LONG), 0
    while unit.children:
        (unit,), depth = unit.children, depth + 1
    assert depth == MAX_DEPTH + 1  # the paragraph is one more


@given(st.lists(st.integers(-3, 12) | st.just(LONG)))
def test_no_paragraph_is_lost_or_moved(events):
    paragraphs = [f"{event} {place}" for place, event in enumerate(events) if event == LONG]
    numbered = [f"{event} {place}" if event == LONG else event for place, event in enumerate(events)]
    assert [leaf.text for leaf in body(*numbered).leaves()] == paragraphs

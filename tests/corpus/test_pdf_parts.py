"""The rules that need no page: broken words, captions and what a reference cites."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from futex.corpus.formats.pdf.bibliography import MAX_ENTRY, cited
from futex.corpus.formats.pdf.blocks import Block
from futex.corpus.formats.pdf.headings import section_numbers
from futex.corpus.formats.pdf.hyphenation import Hyphenation
from futex.corpus.formats.pdf.lines import Column, Line, Style


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["a meas-", "ure of it"], "a measure of it"),
        (["a well-", "known fact"], "a well-known fact"),
        (["the state-of-", "the-art"], "the state-of-the-art"),
        (["in New-", "York"], "in New-York"),
        (["from 10-", "20 mm"], "from 10-20 mm"),
        (["one -", "two"], "one - two"),
        (["no", "hyphen"], "no hyphen"),
        (["see https://example.org/a/", "b1.html now"], "see https://example.org/a/b1.html now"),
        (["doi:10.1000/abc-", "123."], "doi:10.1000/abc-123."),
        (["doi:10.1000/abc-", "def."], "doi:10.1000/abc-def."),
        (["doi:10.1000/abc.", "And so on"], "doi:10.1000/abc. And so on"),
        (["we do it.", "3 times"], "we do it. 3 times"),
        ([], ""),
    ],
)
def test_lines_are_joined(lines, expected):
    assert Hyphenation(["it is well-known", "a measure", "state-of-the-art"]).joined(lines) == expected


def test_a_word_that_is_also_written_as_one_is_joined():
    assert Hyphenation(["data-base and database"]).joined(["a data-", "base"]) == "a database"


@given(st.lists(st.text(st.characters(categories=["L"]), min_size=1, max_size=8), min_size=1))
def test_words_that_are_not_broken_survive(words):
    assert Hyphenation(words).joined(words) == " ".join(words)


def test_headings_in_ever_new_fonts_do_not_nest_without_end():
    column = Column(page=0, number=0, left=0.0, right=100.0)
    styles = (Style(10.0, font) for font in range(1000))
    headed = [Block([Line("A heading", style, 0.0, 50.0, 0.0, False, column)], "A heading") for style in styles]
    numbers = section_numbers(dict(enumerate(headed)))
    assert [numbers[place] for place in (0, 1, 2, 9)] == ["1", "1.1", "1.1.1", "1.1.1.1.1.1.1.1.2"]
    assert max(number.count(".") for number in numbers.values()) == 8


@pytest.mark.parametrize(
    "entry",
    [
        "[1] A. Author and B.-C. Other. Growth of bubbles in water. In Proc. of Tests, 2015.",
        "2. A. Author, “Growth of bubbles in water,” IEEE Trans. Tests, vol. 3, 2015.",
        "Author A, Other BC. Growth of bubbles in water. J Tests. 2015;3(4):5–6.",
        "Author A, Other B: Growth of bubbles in water. Tests 2015, 3:4.",
        "Author A, Other B (2015) Growth of bubbles in water. Tests 3: 4–5.",
        "Author, A. B., & Other, C. (2015). Growth of bubbles in water. Tests, 3, 4.",
        "7. Author, A., Other, B. & Third, C. Growth of bubbles in water. Tests 3, 4–5 (2015).",
        "Author, A.; Other, B.C.; et al. Growth of bubbles in water. Tests 2015, 3, 4.",
        "Jane Author and Bob Other. 2015. Growth of bubbles in water. In Proc. of Tests.",
    ],
)
def test_the_title_is_found_in_many_styles(entry):
    assert cited(entry) == "title:growth of bubbles in water"


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("[1] A. Author. Growth of bubbles in water. doi: 10.1000/X.1.", "10.1000/x.1"),
        ("https://doi.org/10.1000/x", "10.1000/x"),
        ("The manual of the lamp, third edition", None),
        ("[4] See also above.", None),
        ("", None),
    ],
)
def test_a_doi_is_better_and_no_key_better_than_a_wrong_one(entry, expected):
    assert cited(entry) == expected


@pytest.mark.parametrize(
    "entry", ["A, B. " * 9000, "(" * 99999, "a; " * 9999, "“" * 9999, "A.-" * 9999, "10.1000/" * 9999]
)
def test_long_entries_are_read_in_linear_time(entry):
    assert cited(entry) == cited(entry[:MAX_ENTRY])

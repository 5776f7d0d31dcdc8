"""What the press has set comes back: sections, paragraphs in order, captions and references."""

import random

import pytest
from corpus.pdf_press import HEIGHT, MARGIN, SHY, SMALL, SUBSECTION, TITLE, WIDTH, Font, Press, read
from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from futex.corpus.formats import pdf
from futex.corpus.reading import read_documents

NAMES = Font("Times-Italic", 11)
WORDS = (
    f"bub{SHY}bles wa{SHY}ter lamps mea{SHY}sured micro{SHY}scope weeks no{SHY}body ex{SHY}pect{SHY}ed"
    f" diam{SHY}e{SHY}ter shrink tem{SHY}per{SHY}a{SHY}ture rose there{SHY}fore re{SHY}peat{SHY}ed"
    " experiment fresh found same again second team knew nothing first saw until light switched on and with of the in"
).split()


def prose(sentences, start=0):
    """A paragraph of random words, which may be broken at their soft hyphens."""
    choice = random.Random(f"{sentences} {start}").choices
    return " ".join(" ".join(["We", *choice(WORDS, k=14)]) + "." for _ in range(sentences))


def whole(text):
    return text.replace(SHY, "")


def front(press, abstract="Abstract"):
    press.across("On the growth of bubbles in cold water", TITLE, centred=True)
    press.across("A. Author and B. Author, University of Tests", NAMES, centred=True)
    if abstract:
        press.across(abstract, SUBSECTION)
        press.across(prose(4))
    return press


def paper(columns):
    press = front(Press(columns, "Journal of Tests 3 (2020)"))
    press.heading("1 Introduction")
    press.block(prose(9))
    press.block(prose(9, 1), indent=12)
    press.heading("2 Methods")
    press.heading("2.1 Growing", "subsection")
    press.block(prose(20, 2))
    press.figure("Figure 1: Bubbles of many sizes as they were seen under the microscope, before and after.")
    press.block(prose(20, 3), indent=12)
    press.heading("2.2 Counting", "subsection")
    press.block(prose(12))
    press.heading("3 Discussion")
    press.block(prose(15, 1))
    press.heading("Acknowledgements")
    press.block("We thank the second team for the loan of its lamp and for many talks.")
    press.heading("References")
    press.block(
        "[1] A. Author and B. Other. Bubbles in warm water and in other liquids. In Tests, 2015.", SMALL, hanging=14
    )
    press.block("[2] C. Third. No title that matters, 2016. doi:10.1000/ABC-1.", SMALL, hanging=14)
    press.block("[3] D. Fourth, “The light of lamps in the night,” Tests, vol. 3, 2017.", SMALL, hanging=14)
    return press


@pytest.mark.parametrize("columns", [1, 2])
def test_a_paper_comes_back_from_its_pages(columns):
    found = read(paper(columns)).paper
    assert found.id == "some"
    assert found.title == "On the growth of bubbles in cold water"
    assert found.abstract == whole(prose(4))
    assert [(place.path, place.text) for place in found.paragraphs()] == [
        (("Introduction",), whole(prose(9))),
        (("Introduction",), whole(prose(9, 1))),
        (("Methods", "Growing"), whole(prose(20, 2))),
        (("Methods", "Growing"), "Bubbles of many sizes as they were seen under the microscope, before and after."),
        (("Methods", "Growing"), whole(prose(20, 3))),
        (("Methods", "Counting"), whole(prose(12))),
        (("Discussion",), whole(prose(15, 1))),
    ]
    assert found.references == (
        "title:bubbles in warm water and in other liquids",
        "10.1000/abc-1",
        "title:the light of lamps in the night",
    )
    assert found.metadata == {"aliases": ["title:on the growth of bubbles in cold water"]}


LENGTHS = st.lists(st.lists(st.integers(2, 30), min_size=1, max_size=3), min_size=1, max_size=3)


@settings(max_examples=8)
@given(st.integers(1, 2), LENGTHS)
def test_any_paper_comes_back_from_its_pages(columns, lengths):
    press, expected = front(Press(columns, "Journal of Tests")), []
    for name, paragraphs in zip("ABCD", [[30], *lengths], strict=False):
        press.heading(f"{'ABCD'.index(name) + 1} Part {name}")
        for index, length in enumerate(paragraphs):
            text = prose(length, 10 * len(expected))
            press.block(text, indent=12 if index else 0)
            expected.append(((f"Part {name}",), whole(text)))
    assert [tuple(place) for place in read(press).paper.paragraphs()] == expected


# --- the page


def test_a_paragraph_goes_on_around_a_wide_figure_and_on_the_next_page():
    press = front(Press(2))
    press.heading("1 Results")
    press.block(prose(45))
    found = read(press).paper
    assert [leaf.text for leaf in found.body.leaves()] == [whole(prose(45))]


def test_page_numbers_and_running_heads_are_dropped_wherever_they_stand():
    press = Press(1)
    front(press).heading("1 Results")
    for page in range(4):
        press.draw("A. Author et al." if page % 2 else "Bubbles", 250, 810, SMALL)
        press.draw(f"Page {page + 1} of 4", 500, 30, SMALL)
        press.block(prose(10, page))
        press.room_for(1000)
    text = read(press).paper.full_text()
    assert "Page" not in text
    assert "Author" not in text
    assert text.count("Bubbles") == 0


def test_a_stamp_in_the_margin_is_dropped():
    press = front(Press(1))
    press.canvas.saveState()
    press.canvas.rotate(90)
    press.draw(
        "arXiv:2001.00001v1 [cs.DL] 1 Jan 2020 as everyone who prints it can see", 200, -30, Font("Times-Roman", 20)
    )
    press.canvas.restoreState()
    press.heading("1 Introduction")
    press.block(prose(5))
    found = read(press).paper
    assert found.title == "On the growth of bubbles in cold water"
    assert "arXiv" not in found.full_text()


def test_a_page_that_is_printed_sideways_is_read_sideways():
    upright, turned = Press(1), Press(1)
    turned.canvas.setPageSize((HEIGHT, WIDTH))
    turned.canvas.translate(HEIGHT, 0)
    turned.canvas.rotate(90)
    for press in (upright, turned):
        front(press).heading("1 Introduction")
        press.block(prose(5))
    assert read(turned) == read(upright)


def test_notes_in_the_margin_do_not_get_into_the_lines_beside_them():
    press = front(Press(2))
    press.heading("1 Introduction")
    press.block(prose(30))
    for row in range(8):
        press.draw("Received 2019", 2, 500 - 12.5 * row, Font("Helvetica", 7))
    assert [leaf.text for leaf in read(press).paper.body.leaves()] == [whole(prose(30))]


def test_the_second_column_of_the_last_page_may_have_only_begun():
    press = Press(2)
    front(press).heading("1 Introduction")
    press.block(prose(89))
    found = read(press).paper
    assert [leaf.text for leaf in found.body.leaves()] == [whole(prose(89))]


# --- the text


def test_ligatures_are_letters():
    pdfmetrics.registerFont(TTFont("Vera", "Vera.ttf"))
    press = front(Press(1))
    press.heading("1 Introduction")
    press.block("The \ufb01rst \ufb02ow of water was found by the o\ufb01cer in a pro\ufb01le.", Font("Vera", 10))
    assert [leaf.text for leaf in read(press).paper.body.leaves()] == [
        "The first flow of water was found by the oficer in a profile."
    ]


def test_hyphens_that_belong_to_a_word_stay():
    press = front(Press(1))
    press.heading("1 Introduction")
    press.draw("A well-known method of the state-of-the-art is what we use here, and it is well-", MARGIN, 400)
    press.draw("known for its results, which no-", MARGIN, 388)
    press.draw("body has seen in New-", MARGIN, 376)
    press.draw("York before.", MARGIN, 364)
    (leaf,) = read(press).paper.body.leaves()
    assert leaf.text.endswith("and it is well-known for its results, which nobody has seen in New-York before.")


def test_raised_reference_marks_are_words_of_their_own():
    press = front(Press(1))
    press.heading("1 Introduction")
    line = press.canvas.beginText(MARGIN, 400)
    runs = [
        ("Bubbles in all of the waters", 10, 0),
        ("12,13", 6, 4),
        (" grow, and so do those of CO", 10, 0),
        ("2", 6, -2),
        (" in a bottle.", 10, 0),
    ]
    for text, size, rise in runs:
        line.setFont("Times-Roman", size)
        line.setRise(rise)
        line.textOut(text)
    press.canvas.drawText(line)
    (leaf,) = read(press).paper.body.leaves()
    assert leaf.text == "Bubbles in all of the waters 12,13 grow, and so do those of CO2 in a bottle."


# --- front matter


def test_an_abstract_may_stand_in_the_line_of_its_name_and_keywords_below_it():
    press = front(Press(1), abstract="")
    press.across(f"Abstract. {prose(3)}")
    press.across("Keywords: bubbles; cold water; lamps.")
    press.heading("1 Introduction")
    press.block(prose(5))
    document = read(press)
    assert document.paper.abstract == whole(prose(3))
    assert document.subjects.keywords == ("bubbles", "cold water", "lamps")
    assert [leaf.text for leaf in document.paper.body.leaves()] == [whole(prose(5))]


def test_an_abstract_may_speak_of_abstracts():
    text = "We read the abstract of every paper about bubbles, and one summary: that of the lamps."
    press = front(Press(1), abstract="")
    press.across("Abstract", SUBSECTION)
    press.across(text)
    press.heading("1 Introduction")
    press.block(prose(5))
    assert read(press).paper.abstract == text


def test_a_structured_abstract_ends_where_its_headings_start_again():
    press = front(Press(1), abstract="")
    press.heading("Abstract")
    for index, part in enumerate(["Background", "Results"]):
        press.heading(part, "subsection")
        press.block(prose(1, index))
    press.heading("Background")
    press.block(prose(5))
    found = read(press).paper
    assert found.abstract == whole(f"{prose(1)} {prose(1, 1)}")
    assert [tuple(place) for place in found.paragraphs()] == [(("Background",), whole(prose(5)))]


def test_an_abstract_without_name_is_the_first_long_paragraph():
    press = front(Press(1), abstract="")
    press.across(prose(4), Font("Times-Bold", 10))
    press.block(prose(7, 1))
    press.heading("1 Results")
    press.block(prose(5))
    found = read(press).paper
    assert found.abstract == whole(prose(4))
    assert [leaf.text for leaf in found.body.leaves()] == [whole(prose(7, 1)), whole(prose(5))]


def test_the_doi_of_the_paper_is_another_key_of_it():
    press = front(Press(1, "Journal of Tests 3 (2020), doi:10.1000/OWN.1"))
    press.heading("1 Results")
    press.block(prose(60))
    assert read(press).paper.metadata["aliases"] == ["10.1000/own.1", "title:on the growth of bubbles in cold water"]


# --- headings


def headings(unit):
    return {child.heading: headings(child) for child in unit.children if child.heading}


def test_headings_without_numbers_nest_by_their_fonts():
    press = front(Press(2))
    for text, kind in [
        ("Introduction", "section"),
        ("Methods", "section"),
        ("Growing", "subsection"),
        ("Warm water", "subsubsection"),
        ("Cold water", "subsubsection"),
        ("Counting", "subsection"),
        ("Results", "section"),
    ]:
        press.heading(text, kind)
        press.block(prose(3))
    assert headings(read(press).paper.body) == {
        "Introduction": {},
        "Methods": {"Growing": {"Warm water": {}, "Cold water": {}}, "Counting": {}},
        "Results": {},
    }


def test_a_heading_may_fill_lines_and_is_not_a_formula_or_the_start_of_a_figure():
    press = front(Press(2))
    press.heading("1 Everything that anybody ever wanted to know about bubbles in cold water")
    press.block(prose(3))
    press.heading("x ± y = 12 mm and so on")
    press.block(prose(3, 1))
    press.heading("Figure 3")
    press.block(prose(3, 2))
    found = read(press).paper.body
    assert list(headings(found)) == ["Everything that anybody ever wanted to know about bubbles in cold water"]


def test_an_appendix_after_the_references_is_text():
    press = front(Press(1))
    press.heading("1 Results")
    press.block(prose(3))
    press.heading("References")
    for number in range(1, 4):
        press.block(f"[{number}] A. Author. Of bubbles and lamps of kind {number}. Tests, 2015.", SMALL, hanging=14)
    press.heading("Appendix A")
    press.block(prose(4))
    found = read(press).paper
    assert list(headings(found.body)) == ["Results", "Appendix A"]
    assert len(found.references) == 3


# --- what is no text


def test_footnotes_and_tables_are_left_out():
    press = front(Press(1))
    press.heading("1 Results")
    press.block(prose(3))
    for row in range(8):
        for column in range(4):
            press.draw(f"{row}.{column} mm", MARGIN + 110 * column, 400 - 12 * row)
    press.draw("1 A footnote of more than ten words, which tells where all the money came from.", MARGIN, 90, SMALL)
    assert [leaf.text for leaf in read(press).paper.body.leaves()] == [whole(prose(3))]


def test_back_matter_is_left_out_also_without_heading():
    press = front(Press(1))
    press.heading("1 Results")
    press.block(prose(3))
    press.block("Funding: This work was paid for by a friend of all of the authors and by nobody else.")
    press.heading("Author contributions")
    press.block("The first author wrote all of it and the second one was kind enough to read it.")
    assert [leaf.text for leaf in read(press).paper.body.leaves()] == [whole(prose(3))]


def test_a_caption_is_told_from_a_sentence_about_its_figure():
    press = front(Press(1))
    press.heading("1 Results")
    press.block("Figure 2 shows that all the bubbles have gone, and nobody knows where they are now.")
    press.figure("Fig. 2 | Where the bubbles were before all of them went away for good.")
    assert [leaf.text for leaf in read(press).paper.body.leaves()] == [
        "Figure 2 shows that all the bubbles have gone, and nobody knows where they are now.",
        "Where the bubbles were before all of them went away for good.",
    ]


# --- the file


@pytest.mark.parametrize(
    ("head", "name", "expected"),
    [
        (b"%PDF-1.4\n", "", True),
        (b"\n %PDF-2.0", "", True),
        (b"junk %PDF-1.4", "a.PDF", True),
        (b"junk %PDF-1.4", "a.txt", False),
        (b'{"title": "%PDF-1.4"}', "a.jsonl", False),
        (b"<article>", "a.pdf", False),
        (b"", "a.pdf", False),
    ],
)
def test_recognises_pdf(head, name, expected):
    assert pdf.recognises(head, name) is expected


@pytest.mark.parametrize("workers", [1, 2])
def test_pdfs_are_found_among_other_files(tmp_path, workers):
    (tmp_path / "one.pdf").write_bytes(paper(2).content())
    (tmp_path / "two.pdf").write_bytes(b"%PDF-1.4 nothing")
    skipped = []
    found = [document.paper.id for document in read_documents(str(tmp_path), workers=workers, on_skip=skipped.append)]
    assert found == ["one"]
    assert ["two.pdf: not a readable PDF" in line for line in skipped] == [True]

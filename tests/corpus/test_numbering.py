import pytest
from hypothesis import given
from hypothesis import strategies as st

from futex.corpus.numbering import NumberedOutline, number_parts, split_number

LONG = "one two three four five six seven eight nine ten"


def paths(*headings):
    """Where the one paragraph under each heading ends up; headings are written as "2.1 Title" or "- Title"."""
    outline = NumberedOutline()
    for heading in headings:
        number, _, title = heading.partition(" ")
        outline.numbered(number.strip("-"), title)
        outline.paragraph(LONG)
    return tree(outline.body())


def tree(unit):
    """Headings in brackets of their parents: "Methods(Cells Media)"."""
    inner = " ".join(tree(child) for child in unit.children if not child.text)
    return f"{unit.heading}({inner})" if inner else unit.heading


@pytest.mark.parametrize(
    ("headings", "expected"),
    [
        (["1 Intro", "2 Model", "2.1 Data", "2.1.1 Text", "2.2 Loss", "3 End"], "(Intro Model(Data(Text) Loss) End)"),
        (["I. Intro", "II. Model", "A. Data", "1) Text", "2) Images", "B. Loss", "III. End"],
         "(Intro Model(Data(Text Images) Loss) End)"),
        (["I. One", "A. Two", "II. Three"], "(One(Two) Three)"),
        (["1 Intro", "A Proofs", "A.1 Lemma", "B Data"], "(Intro Proofs(Lemma) Data)"),
        (["II. Model", "II.A Data", "II-B Loss"], "(Model(Data Loss))"),
        (["2 Model", "2.1 Data", "a) Text", "b) Images", "2.2 Loss"], "(Model(Data(Text Images) Loss))"),
        (["- Intro", "- Model", "- End"], "(Intro Model End)"),
    ],
)  # fmt: skip
def test_numbers_of_every_kind_nest(headings, expected):
    assert paths(*headings) == expected


def test_letters_that_are_also_roman_numerals_follow_their_alphabet():
    letters = [f"{letter}. {letter}" for letter in "ABCDEFGHIJ"]
    assert paths("I. One", *letters, "II. Two", "A. a") == "(One(A B C D E F G H I J) Two(a))"
    assert paths("1 One", *letters) == "(One A B C D E F G H I J)"


def test_a_number_may_stand_in_the_title():
    assert paths("- 1 Intro", "- 2 Model", "- 2.1 Data", "3 End") == "(Intro Model(Data) End)"


def test_a_heading_without_number_belongs_to_the_numbered_section_before_it():
    assert paths("4 Experiments", "4.1 Setup", "- Datasets", "- Baselines", "4.2 Runs", "- Speed", "5 Outlook") == (
        "(Experiments(Setup(Datasets Baselines) Runs(Speed)) Outlook)"
    )


def test_headings_of_main_sections_need_no_number():
    assert paths("- Introduction", "2 Model", "2.1 Data", "- Conclusion", "- Remarks") == (
        "(Introduction Model(Data) Conclusion Remarks)"
    )
    assert (
        paths("1 Data", "- Methods", "2.1 Cells", "- Appendix", "A.1 Proof") == "(Data Methods(Cells) Appendix(Proof))"
    )


def test_headings_that_only_begin_like_main_sections_are_parts():
    assert (
        paths("3 Model", "3.1 Search", "- Method A", "- Results of others")
        == "(Model(Search(Method A Results of others)))"
    )


def test_subsections_of_a_lost_section_stay_together():
    assert paths("1 Intro", "2.1 Cells", "2.2 Media", "3 End") == "(Intro (Cells Media) End)"
    assert paths("1 Intro", "1.1 Aim", "1.2.1 Deep", "1.2.2 Deeper") == "(Intro(Aim (Deep Deeper)))"
    assert paths("2.1 Cells") == "((Cells))"


@pytest.mark.parametrize(
    "title",
    [
        "Acknowledgments",
        "ACKNOWLEDGEMENT",
        "Funding",
        "Author contributions",
        "Authors’ contributions",
        "CRediT author statement",
        "Conflict of interest statement",
        "Competing interests",
        "Declaration of Competing Interest",
        "Data availability",
        "Availability of data and materials",
        "Ethics statement",
        "References",
        "Supplementary Material",
    ],
)
def test_back_matter_is_left_out(title):
    assert paths("1 Intro", f"- {title}", "- Remarks") == "(Intro Remarks)"
    assert paths("1 Intro", f"2 {title}", "A.1 Proof") == "(Intro (Proof))"


def test_what_is_below_back_matter_is_left_out_with_it():
    assert paths("6 Declarations", "6.1 Patients", "6.1.1 Ethics", "7 Outlook") == "(Outlook)"
    outline = NumberedOutline()
    for level, title in [(1, "Methods"), (2, "Funding"), (3, "Patients"), (2, "Cells"), (1, "Declarations"), (2, "Us")]:
        outline.numbered("", title, level)
        outline.paragraph(LONG)
    assert tree(outline.body()) == "(Methods(Cells))"


@pytest.mark.parametrize(
    "title", ["Contributions", "Acknowledging errors", "References to time", "Abbreviations and synonyms in texts"]
)
def test_what_only_looks_like_back_matter_is_kept(title):
    assert paths(f"- {title}") == f"({title})"


def test_an_unplaced_section_stands_on_its_own():
    outline = NumberedOutline()
    outline.numbered("2.1", "Cells")
    outline.main("")
    outline.paragraph(LONG)
    outline.numbered("", "More")
    outline.paragraph(LONG)
    assert [unit.heading for unit in outline.body().children] == ["", "More"]


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("2.1 Cells", ("2.1", "Cells")),
        ("2. Cells", ("2.", "Cells")),
        (" 2  Cells ", ("2", "Cells")),
        ("II. METHODS", ("II.", "METHODS")),
        ("A.1 Proof", ("A.1", "Proof")),
        ("A. Proof", ("A.", "Proof")),
        ("1) Proof", ("1)", "Proof")),
        ("Methods", ("", "Methods")),
        ("A new method", ("", "A new method")),
        ("I Robot", ("", "I Robot")),
        ("A. thaliana lines", ("", "A. thaliana lines")),
        ("3 weeks after infection", ("", "3 weeks after infection")),
        ("3D printing", ("", "3D printing")),
        ("16S rRNA", ("", "16S rRNA")),
        ("2019 Elections", ("", "2019 Elections")),
        ("2.1", ("", "2.1")),
        ("", ("", "")),
    ],
)
def test_numbers_in_headings(heading, expected):
    assert split_number(heading) == expected


@given(st.lists(st.tuples(st.text("123.AIVXab)", max_size=5), st.sampled_from(["Data", "Results", "Funding", ""]))))
def test_any_numbers_make_a_tree_with_all_paragraphs_in_order(headings):
    outline = NumberedOutline()
    kept = []
    left_out = None
    for i, (number, title) in enumerate(headings):
        outline.numbered(number, title)
        outline.paragraph(f"{LONG} {i}")
        parts = number_parts(number)
        if left_out and parts != left_out and parts[: len(left_out)] == left_out:
            continue
        left_out = parts if title == "Funding" else None
        kept += [f"{LONG} {i}"] * (title != "Funding")
    assert [leaf.text for leaf in outline.body().leaves()] == kept


@pytest.mark.parametrize(
    ("number", "parts"),
    [
        ("2", ("2",)),
        ("2.", ("2",)),
        ("2.1", ("2", "1")),
        (" 2.1.3. ", ("2", "1", "3")),
        ("(2)", ("2",)),
        ("1)", ("1",)),
        ("§4.2", ("4", "2")),
        ("IV", ("IV",)),
        ("XXXVIII.", ("XXXVIII",)),
        ("II.B", ("II", "B")),
        ("II-B", ("II", "B")),
        ("A", ("A",)),
        ("A.1", ("A", "1")),
        ("a)", ("a",)),
        ("S1", ("S1",)),
        ("S1.2:", ("S1", "2")),
    ],
)
def test_section_numbers(number, parts):
    assert number_parts(number) == parts


@pytest.mark.parametrize(
    "text", ["", " ", ".", "Methods", "2 Methods", "2019", "2..1", "IIII", "MIX", "3D", "1.x1y", "٣.١", "1." * 1000]
)
def test_what_is_no_section_number_has_no_parts(text):
    assert number_parts(text) == ()


@given(st.text(max_size=60) | st.text("123.-AIVXab()", max_size=60))
def test_any_text_has_few_parts(text):
    assert len(number_parts(text)) <= 20

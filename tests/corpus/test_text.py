import pytest
from corpus.text_source import source
from fuzzing.patience import patience
from hypothesis import given
from hypothesis import strategies as st

from futex.corpus import text_files
from futex.corpus.document import Document, Subjects
from futex.corpus.formats import text
from futex.errors import DamagedPaper

LONG = "one two three four five six seven eight nine ten"


def read(content, name="texts/paper.txt", **beside):
    (document,) = text.read(source(content, name, **beside))
    return document


def places(content):
    return [tuple(place) for place in read(content).paper.paragraphs()]


ARTICLE = f"""
Bubbles in water
and their life

Abstract
We grew bubbles.

1. Introduction

Bubbles are round,
{LONG}.

2.1 Growth in Glasses

They grew, {LONG}.

3 weeks after this they burst.

Results and Discussion:
All of them burst, {LONG}.

References

[1] J. Doe. A book of many pages, {LONG}.

Appendix

Nothing here is read, {LONG}.
"""


def test_title_abstract_and_sections():
    paper = read(ARTICLE).paper
    assert (paper.id, paper.title) == ("paper", "Bubbles in water and their life")
    assert paper.abstract == "We grew bubbles."
    assert [tuple(place) for place in paper.paragraphs()] == [
        (("Introduction",), f"Bubbles are round, {LONG}."),
        (("Introduction", "Growth in Glasses"), f"They grew, {LONG}."),
        (("Results and Discussion",), f"All of them burst, {LONG}."),
    ]


def test_without_blank_lines_every_line_is_a_paragraph():
    assert places(f"A title\na {LONG}\nb {LONG}") == [((), f"a {LONG}"), ((), f"b {LONG}")]


def test_a_long_first_paragraph_is_no_title_and_a_single_one_neither():
    assert read(f"{LONG} " * 10 + f"\n\n{LONG}").paper.title == ""
    assert (read(LONG).paper.title, places(LONG)) == ("", [((), LONG)])


@pytest.mark.parametrize(
    "line",
    ["1. We took one glass.", "2 glasses of water", "see 1.2 Methods", "Methods of the day", "1.2", "IX", "a" * 120],
)
def test_other_short_lines_are_no_headings(line):
    assert places(f"Title\n\n{line}\n\n{LONG}") == [((), LONG)]


def test_subjects_of_annif_lie_beside():
    assert read(ARTICLE, paper__key="networking\r\n\ncomputer science\nnetworking").subjects == Subjects(
        paths=(("networking",), ("computer science",))
    )
    tsv = "\ufeff<http://x.org/1>\tnetworking\textra\n<http://x.org/2>\tInternet\nno uri\n"
    assert read(ARTICLE, paper__tsv=tsv, paper__key="never read").subjects == Subjects(
        paths=(("no uri",),), ids=("http://x.org/1", "http://x.org/2")
    )
    assert read(ARTICLE).subjects == Subjects()


def test_a_file_of_subjects_has_an_end(monkeypatch):
    monkeypatch.setattr(text_files, "MAX_LINES", 10)
    with pytest.raises(DamagedPaper, match=r"^paper\.key beside .*: more than 10 lines"):
        read(LONG, paper__key="a\n" * 11)


def test_many_subjects_cost_no_more_than_their_number():
    with patience():
        found = read(LONG, paper__key="".join(f"<{i}>\nlabel {i}\n" for i in range(200_000))).subjects
    assert (len(found.ids), len(found.paths)) == (200_000, 200_000)


def test_recognised_by_name_only():
    assert text.recognises(b"anything", "a/b.TXT.gz")
    for name, head in [("b.md", b"a"), ("b", b"a"), ("LICENSE.txt", b"a"), ("authors.txt", b"12\tname\n")]:
        assert not text.recognises(head, name)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings(encoding):
    assert places(f"Title\r\n\r\nMüller {LONG}\x00".encode(encoding)) == [((), f"Müller {LONG}")]


@given(st.binary(max_size=300), st.text(max_size=100))
def test_anything_ends_well(content, subjects):
    files = {"paper__tsv": subjects.encode("utf-8", "ignore").decode()}
    assert isinstance(read(content, **files), Document)

import pytest
from corpus.text_source import source
from fuzzing.patience import patience
from hypothesis import given
from hypothesis import strategies as st

from futex.corpus.document import Document
from futex.corpus.formats import markdown

LONG = "one two three four five six seven eight nine ten"


def read(content, name="notes/paper.md"):
    (document,) = markdown.read(source(content, name))
    return document.paper


def texts(content):
    return [place.text for place in read(content).paragraphs()]


ARTICLE = f"""# Bubbles in *Water*

Before all sections {LONG}.

## Abstract

We grew bubbles.
They burst.

1. Introduction
---------------

Bubbles are **round** and [soft](https://example.org "A page"), {LONG}.

```python
# not a heading
```

### 1.1 Related work ###

We know [other][ref] work[^1] of `code_name` and snake_case, {LONG}.

[ref]: https://example.org
[^1]: A footnote of many words, {LONG}.

## Acknowledgements

We thank everyone for {LONG}.

### Patients

They gave their consent to {LONG}.

## References

- Doe, J. A book of many pages, {LONG}.

## Appendix

| a | table |
|---|-------|

> Quoted {LONG}.
"""


def test_headings_make_a_tree_of_paragraphs_without_marks():
    paper = read(ARTICLE)
    assert (paper.id, paper.title, paper.abstract) == ("paper", "Bubbles in Water", "We grew bubbles. They burst.")
    assert [(place.path, place.text) for place in paper.paragraphs()] == [
        ((), f"Before all sections {LONG}."),
        (("Introduction",), f"Bubbles are round and soft, {LONG}."),
        (("Introduction", "Related work"), f"We know other work of code_name and snake_case, {LONG}."),
        (("Appendix",), f"Quoted {LONG}."),
    ]
    assert paper.metadata == {}


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ('"On bubbles"', "On bubbles"),
        ('Of the "map"', 'Of the "map"'),
        ("'The' and \"the\"", "'The' and \"the\""),
        ('"On the growth\n  of bubbles"', "On the growth of bubbles"),
        *(
            (f"{sign}\n  On the growth\n  of bubbles", "On the growth of bubbles")
            for sign in ("", ">", ">-", "|+", "|2-")
        ),
        ('"', '"'),
        ("Of x>5", "Of x>5"),
    ],
)
def test_titles_in_front_matter(written, title):
    assert read(f"---\ntitle: {written}\n---\n{LONG}").title == title


def test_front_matter():
    paper = read(
        f"---\ntitle: 'On the *growth* of bubbles'\nabstract: |\n  We grew\n  bubbles.\n---\n# A\n\n{LONG}\n\n# B\n"
    )
    assert paper.title == "On the growth of bubbles"
    assert paper.abstract == "We grew bubbles."
    assert [place.path for place in paper.paragraphs()] == [("A",)]
    assert paper.metadata == {"aliases": ["title:on the growth of bubbles"]}


def test_of_several_main_headings_none_is_the_title():
    paper = read(f"# A\n\na {LONG}\n\n# B\n\nb {LONG}")
    assert (paper.title, [place.path for place in paper.paragraphs()]) == ("", [("A",), ("B",)])


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("*a* **b** _c_ __d__ ***e*** ~~f~~ 2 * 3 x_i_j", "a b c d e f 2 * 3 x_i_j"),
        ("__A sentence.__ _Another._ snake__case", "A sentence. Another. snake__case"),
        (r"\*not emphasis\* \# \\", r"*not emphasis* # \ "[:-1]),
        ("![A picture](a.png) <b>bold</b> <https://x.org/> &amp; <!-- no -->", "A picture bold https://x.org/ &"),
        ("a < b and c > d", "a < b and c > d"),
    ],
)
def test_marks_inside_a_line(written, expected):
    assert texts(f"{LONG} {written}") == [f"{LONG} {expected}"]


@pytest.mark.parametrize("fence", ["```", "~~~", "  ````"])
def test_listings_are_left_out_even_if_never_closed(fence):
    assert texts(f"a {LONG}\n\n{fence}\n``\n{LONG}\n{fence}\n\nb {LONG}\n{fence}\n{LONG}") == [f"a {LONG}", f"b {LONG}"]


def test_a_list_is_one_paragraph_alone_or_within_another():
    assert texts("- a b c d e\n\n- f g h\n  i j\n\n  1. k\n") == ["a b c d e f g h i j k"]
    assert texts(f"We list:\n* {LONG}\n\n* and\n\nNot {LONG}") == [f"We list: {LONG} and", f"Not {LONG}"]


def test_recognised_by_name_only():
    assert markdown.recognises(b"", "a/b.md")
    assert markdown.recognises(b"anything", "papers.zip:b.markdown.gz")
    for name in ("b.txt", "md", "README.md", "docs/Changelog.md"):
        assert not markdown.recognises(b"# Title", name)


@given(st.lists(st.sampled_from([*"#=-*_`~>|[]()!<&\\ \n\t", "\n\n", "---", "```", "<!--", "-->", "1. ", "word"])))
def test_marks_in_any_order_end_well(pieces):
    assert isinstance(next(markdown.read(source("".join(pieces), "a.md"))), Document)


@given(st.binary(max_size=200))
def test_random_bytes_end_well(content):
    assert isinstance(next(markdown.read(source(content, "a.md"))), Document)


@pytest.mark.parametrize(
    "piece", ["[", "![", "[a](", "*", "_", "<!--", "<a", "`", "> ", "- ", "\\", "# ", "---\n", "[^", " "]
)
def test_time_grows_with_the_length_only(piece):
    with patience():
        read(piece * 50_000)
        read(f"a{piece * 50_000}b")


def test_front_matter_of_many_lines_takes_linear_time():
    with patience():
        assert read("---\ntitle: >\n" + f"  {'word' * 15}\n" * 300_000 + "---\nx\n").title.startswith("word")

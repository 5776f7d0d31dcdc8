import io
import tracemalloc

import pytest
from corpus.tei_paper import LONG, PAPER, documents, in_body, in_header, places, read
from hypothesis import given, settings
from hypothesis import strategies as st

from futex.corpus import content
from futex.corpus.document import Document
from futex.corpus.formats import jats, tei, xml
from futex.corpus.paper import MAX_DEPTH, section
from futex.corpus.sources import Source
from futex.errors import DamagedPaper


def test_header():
    paper, subjects = read(PAPER)
    assert paper.id == "10.1234/test.1"
    assert paper.title == "Rapid growth of E. coli bubbles"
    assert paper.abstract == "We grew bubbles. They burst [1]."
    assert paper.metadata == {
        "year": 2015,
        "venue": "Journal of Tests",
        "authors": ["Ann B Author", "Writer"],
        "aliases": ["pmid:777", "title:rapid growth of e coli bubbles"],
    }
    assert subjects.keywords == ("bubbles", "E. coli")


def test_numbers_nest_the_sections_and_captions_follow_their_first_mention():
    assert [("/".join(place.path), place.text) for place in read(PAPER).paper.paragraphs()] == [
        ("", f"Before all sections {LONG}."),
        ("Introduction", f"Cells [1] in Figure 2 {LONG}."),
        ("Introduction", f"A caption {LONG}."),
        ("Introduction", f"Second {LONG}."),
        ("Methods/Growth", f"Sentence {LONG}. Another."),
        ("Methods/Growth/Media", f"Media {LONG}: x = y where x is small."),
        ("Methods/Growth/Media", f"Next {LONG}."),
        ("Results", f"Results {LONG}, see Table 1."),
        ("Results", f"Cells {LONG}."),
        ("Results", "a b c d e f g h i j"),
        ("Proofs", f"Appended {LONG}."),
        ("Proofs/Lemma", f"Lemma {LONG}."),
        ("", f"Unmentioned {LONG}."),
    ]


def test_references_are_keys_in_order_without_the_paper_itself():
    assert read(PAPER).paper.references == (
        "10.1000/a",
        "10.1000/b",
        "10.1000/c",
        "pmid:5",
        "title:the e coli genome a map",
        "title:the molecular biology of bubbles",
        "10.48550/arxiv.2105.05862",
    )


# --- body


def test_back_matter_among_nested_sections_is_left_out():
    part = f"<div><head>Patients</head><p>{LONG}</p></div>"
    inside = f"<div><head>A</head>{part}</div><div><head>Acknowledgements</head><p>{LONG}</p>{part}</div>"
    assert places(inside) == [("A/Patients", LONG)]


def test_sections_that_are_nested_already_stay_so():
    inside = (
        f"<div><head n='1'>A</head><p>{LONG}</p><div><head n='7'>2. B</head><p>{LONG}</p></div></div>"
        f"<div><head n='1.1'>C</head><figure><figDesc>Here {LONG}</figDesc></figure><p>{LONG}</p></div>"
    )
    assert places(inside) == [("A", LONG), ("A/B", LONG), ("C", f"Here {LONG}"), ("C", LONG)]


def test_a_section_without_heading_goes_on_with_the_one_before():
    assert places(f"<div><head>A</head><p>{LONG}</p></div><div><p>{LONG}</p></div>") == [("A", LONG), ("A", LONG)]


def test_paragraphs_may_stand_outside_of_any_section():
    assert places(f"<p>{LONG}</p><ab>{LONG}</ab>") == [("", LONG), ("", LONG)]


def test_back_matter_inside_the_body_is_left_out():
    mention = "<ref type='figure' target='#f'>Figure 1</ref>"
    inside = f"<div><head>A</head><p>{LONG}</p></div><div><head>Funding</head><p>{LONG} {mention}</p></div>"
    figure = f"<figure xml:id='f'><figDesc>Caption {LONG}</figDesc></figure>"
    assert places(inside + figure) == [("A", LONG), ("", f"Caption {LONG}")]


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (f"<p>H<hi rend='sub'>2</hi>O {LONG}</p>", [f"H2O {LONG}"]),
        (f"<p>{LONG}<lb/>next</p>", [f"{LONG} next"]),
        (f"<p>{LONG}<note>a note</note>.</p>", [f"{LONG}."]),
        (f"<p>{LONG}<!-- hidden --><?pi hidden?>.</p>", [f"{LONG}."]),
        (f"<p>{LONG}</p><formula>x<label>(1)</label></formula><p>Then {LONG}</p>", [f"{LONG} x", f"Then {LONG}"]),
        (f"<p>{LONG}</p><p>lower {LONG}</p>", [LONG, f"lower {LONG}"]),
        (f"<formula>x</formula><p>lower {LONG}</p>", [f"x lower {LONG}"]),
        (f"<quote><p>{LONG}</p></quote><table><row><cell>{LONG}</cell></row></table>", [LONG]),
        (f"<p>{LONG} <figure><figDesc>Caption {LONG}</figDesc></figure>after.</p>",
         [f"{LONG} after.", f"Caption {LONG}"]),
        (f"<p>{LONG}</p><note><p>{LONG}</p></note>", [LONG]),
    ],
)  # fmt: skip
def test_text_of_a_paragraph(inside, expected):
    assert [text for _, text in places(f"<div>{inside}</div>")] == expected


@pytest.mark.parametrize(
    ("head", "description"),
    [
        ("Figure 1 .", f"Figure 1. Growth {LONG}"),
        ("Fig. 1. Growth", f"Growth {LONG}"),
        ("FIGURE 1 | Growth", LONG),
        ("Table II", f"Growth {LONG}"),
        ("", f"Supplementary Figure S1: Growth {LONG}"),
    ],
)
def test_labels_are_no_part_of_captions(head, description):
    figure = f"<figure><head>{head}</head><figDesc>{description}</figDesc></figure>"
    assert places(figure) == [("", f"Growth {LONG}")]


# --- header in other shapes


def test_an_empty_header_gives_what_there_is():
    paper, subjects = read(in_body(f"<p>{LONG}</p>"), "x.zip:dir/2105.05862.grobid.tei.xml")
    assert (paper.id, paper.title, paper.abstract, paper.metadata) == ("2105.05862", "", "", {})
    assert paper.body == section("", [LONG])
    assert subjects.keywords == ()


@pytest.mark.parametrize("name", ["some.xml", "a/some.tei.xml", "a.tar:b/some.grobid.tei.xml", "some.tei", "some"])
def test_without_any_identifier_the_file_name_is_the_id(name):
    assert read(in_header(""), name).paper.id == "some"


def test_the_id_is_the_best_there_is():
    ids = "<idno type='PMCID'>PMC34</idno><idno type='arXiv'>2105.05862</idno><idno type='ISSN'>1234</idno>"
    paper = read(in_header(f"<fileDesc><publicationStmt>{ids}</publicationStmt></fileDesc>")).paper
    assert paper.id == "pmc:34"
    assert paper.metadata["aliases"] == ["10.48550/arxiv.2105.05862"]


def test_authors_may_be_named_with_the_title():
    header = "<fileDesc><titleStmt><author>An Author</author><title>Any</title></titleStmt></fileDesc>"
    paper = read(in_header(header)).paper
    assert (paper.title, paper.metadata["authors"]) == ("Any", ["An Author"])


def test_keywords_may_be_a_text():
    header = "<profileDesc><textClass><keywords>foam; bubbles, E. coli</keywords></textClass></profileDesc>"
    assert read(in_header(header)).subjects.keywords == ("foam", "bubbles", "E. coli")


def test_the_first_abstract_with_a_text_is_taken():
    abstracts = "<abstract/><abstract>Just <hi>text</hi>.</abstract><abstract xml:lang='fr'>Du texte.</abstract>"
    assert read(in_header(f"<profileDesc>{abstracts}</profileDesc>")).paper.abstract == "Just text."


def test_a_corpus_gives_each_paper():
    one = in_header("<fileDesc><idno type='PMID'>{}</idno></fileDesc>")
    corpus = f"<teiCorpus xmlns='http://www.tei-c.org/ns/1.0'><teiHeader/>{one.format(1)}{one.format(2)}</teiCorpus>"
    assert [document.paper.id for document in documents(corpus)] == ["pmid:1", "pmid:2"]


def test_papers_inside_papers_are_taken_once():
    inner = in_body(f"<p>{LONG}</p>")
    corpus = f"<teiCorpus><teiHeader/>{in_body(f'<p>{LONG}</p>{inner}')}</teiCorpus>"
    assert len(list(read(corpus).paper.paragraphs())) == 2


def test_recognises_tei_and_nothing_else():
    assert tei.recognises(PAPER.encode()[:4096])
    assert tei.recognises(b"<tei:TEI xmlns:tei='http://www.tei-c.org/ns/1.0'>")
    assert tei.recognises('<?xml version="1.0" encoding="utf-16"?><TEI/>'.encode("utf-16"))
    assert not jats.recognises(PAPER.encode()[:4096])
    assert not any(map(tei.recognises, [b"", b"{}", b"<article>", b"<TEIx>", b"<!-- <TEI> -->", b"<html><TEI>"]))


# --- hostile and damaged files


@pytest.mark.parametrize(
    ("written", "what"),
    [
        (b"", "not well-formed XML"),
        (b"<TEI>\n<teiHeader>\n</TEI>", "line 3"),
        (b"<TEI><text/></TEI>", "no <teiHeader>"),
        (b"<teiCorpus/>", "no <TEI> inside"),
        (b"<TEI>" * 5000, "depth"),
        (b"<!DOCTYPE TEI [<!ENTITY a 'b'>]><TEI><teiHeader>&a;</teiHeader></TEI>", "entities"),
    ],
)
def test_damaged_files_are_refused_in_one_line_that_names_the_file(written, what):
    with pytest.raises(DamagedPaper) as refused:
        documents(written)
    assert str(refused.value).startswith("papers/some.tei.xml: ")
    assert what in str(refused.value)
    assert "\n" not in str(refused.value)


def test_files_beyond_the_size_limit_are_refused(monkeypatch):
    monkeypatch.setattr(content, "MAX_BYTES", len(PAPER.encode()))
    assert documents(PAPER)
    with pytest.raises(DamagedPaper, match="longer than"):
        documents(PAPER + " ")


def test_files_with_too_many_tags_are_refused(monkeypatch):
    monkeypatch.setattr(xml, "SMALLEST_NODE", 0)
    monkeypatch.setattr(xml, "MAX_NODES", PAPER.count("<") - PAPER.count("</") + PAPER.count("="))
    assert documents(PAPER)
    with pytest.raises(DamagedPaper, match=r"more than .* tags"):
        documents(PAPER + "<!-- -->")


def test_deep_nesting_is_flattened():
    deep = "<div><head>A</head>" * 200 + f"<p>{LONG}</p>" + "</div>" * 200
    (place,) = read(in_body(deep)).paper.paragraphs()
    assert len(place.path) == MAX_DEPTH


def ends_well(written):
    try:
        found, message = documents(written), ""
    except DamagedPaper as refused:
        found, message = [], str(refused)
    assert all(isinstance(document, Document) for document in found)
    assert bool(found) != bool(message)
    assert "\n" not in message


def test_annexes_and_figures_that_are_nested_are_read_once():
    annexes = "<div type='annex'>" * 50 + f"<p>Appended {LONG}.</p>" + "</div>" * 50
    figures = "<figure><figDesc>" * 50 + f"Caption {LONG}." + "</figDesc></figure>" * 50
    tei = f"<TEI><teiHeader/><text><body>{figures}</body><back>{annexes}</back></text></TEI>"
    assert [place.text for place in read(tei).paper.paragraphs()] == [f"Appended {LONG}.", f"Caption {LONG}."]


def test_references_that_are_nested_are_read_once():
    closing = "".join(f"<idno type='DOI'>10.1000/{i}</idno></biblStruct></listBibl>" for i in range(50))
    tei = f"<TEI><teiHeader/><text><body/><back>{'<listBibl><biblStruct>' * 50}{closing}</back></text></TEI>"
    assert read(tei).paper.references == ("10.1000/49",)


def test_identifiers_that_are_nested_are_not_all_kept():
    nested = "".join(f"<idno type='{i}'>" for i in range(100)) + "x" * 100_000 + "</idno>" * 100
    tracemalloc.start()
    try:
        read(in_header(f"<fileDesc>{nested}</fileDesc>"))
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


@given(st.binary(max_size=200))
def test_random_bytes_end_well(written):
    assert tei.recognises(written) in {True, False}
    ends_well(written)


@settings(max_examples=100)
@given(st.integers(0, len(PAPER.encode())), st.booleans())
def test_truncated_papers_end_well(length, closed):
    ends_well(PAPER.encode()[:length] + b"</TEI>" * closed)


PIECES = [b"<div>", b"</div>", b"<p>", b"&nbsp;", b"&x;", b"<!--", b"-->", b"<figure>", b"<head n='1.'>", b"<formula/>"]


@settings(max_examples=200)
@given(st.data())
def test_mutated_papers_end_well(data):
    written = bytearray(PAPER.encode())
    for _ in range(data.draw(st.integers(1, 8))):
        start = data.draw(st.integers(0, len(written)))
        piece = data.draw(st.binary(max_size=6) | st.sampled_from(PIECES))
        written[start : start + data.draw(st.integers(0, 40))] = piece
    ends_well(bytes(written))


TAGS = [
    "div",
    "p",
    "head",
    "list",
    "item",
    "figure",
    "figDesc",
    "formula",
    "label",
    "note",
    "ref",
    "table",
    "s",
    "quote",
]
TREES = st.recursive(
    st.sampled_from(["", LONG, "a", "&alpha;", "<!-- c -->", "2.1 A", "Funding", "10.1000/x"]),
    lambda inner: st.tuples(st.sampled_from(TAGS), st.lists(inner, max_size=4)).map(
        lambda made: f"<{made[0]} n='2.1' target='#f'>{''.join(made[1])}</{made[0]}>"
    ),
    max_leaves=30,
)


@settings(max_examples=200)
@given(TREES, TREES)
def test_elements_in_any_order_end_in_a_document(body, back):
    written = f"<TEI><teiHeader/><text><body>{body}</body><back><div type='annex'>{back}</div></back></text></TEI>"
    assert isinstance(read(written), Document)


def test_a_damaged_paper_of_a_corpus_does_not_keep_from_the_others():
    paper = "<TEI><teiHeader/></TEI>"
    found = tei.read(Source("some.tei.xml", io.BytesIO(f"<teiCorpus><TEI/>{paper}{paper}</teiCorpus>".encode())))
    assert [next(found).paper.id, next(found).paper.id] == ["some-2", "some-3"]
    with pytest.raises(DamagedPaper, match=r"^some\.tei\.xml, article 1 of 3: no <teiHeader>"):
        next(found)

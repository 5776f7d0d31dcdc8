"""One paper, many formats: whatever it is written in, it is recognised by its content and comes out the same."""

import json

import pytest
from corpus.s2orc_paper import standoff

from futex.corpus.paper import Paper, section
from futex.corpus.reading import read_documents

TITLE = "Rapid growth of small bubbles in warm water"
ABSTRACT = "We grew bubbles in warm water. Most of them burst."
INTRODUCTION = "Bubbles are round, as everyone knows who has ever seen one of them."
METHODS = "All bubbles were grown in the same glass, which was cleaned every morning."
WATER = "The water was warm, but never warmer than what a hand can bear."
CAPTION = "The glass in which the bubbles were grown, seen from above at noon."
SOAP = "We used soap of a single maker, as cheap as it could be had."
RESULTS = "Of one hundred bubbles, ninety burst within the first minute of their life."
PROOF = "That a bubble is round follows from the law of the least surface."

PAPER = Paper(
    id="10.1234/bubbles",
    title=TITLE,
    abstract=ABSTRACT,
    body=section(
        "",
        sections=[
            section("Introduction", [INTRODUCTION]),
            section("Methods", [METHODS], [section("Water", [WATER, CAPTION]), section("Soap", [SOAP])]),
            section("Results", [RESULTS]),
            section("Proofs", [PROOF]),
        ],
    ),
    references=("10.1000/first", "10.1000/second", "title:on the shape of small bubbles"),
)

JATS = f"""<article><front><article-meta>
<article-id pub-id-type="doi">10.1234/bubbles</article-id>
<title-group><article-title>{TITLE}</article-title></title-group>
<abstract><p>{ABSTRACT}</p></abstract></article-meta></front>
<body>
<sec><label>1</label><title>Introduction</title><p>{INTRODUCTION}</p></sec>
<sec><label>2</label><title>Methods</title><p>{METHODS}</p>
<sec><label>2.1</label><title>Water</title><p>{WATER}</p>
<fig id="f1"><label>Figure 1.</label><caption><p>{CAPTION}</p></caption><graphic/></fig></sec>
<sec><label>2.2</label><title>Soap</title><p>{SOAP}</p></sec></sec>
<sec><label>3</label><title>Results</title><p>{RESULTS}</p></sec>
</body>
<back><ack><title>Acknowledgements</title><p>We thank everyone who lent us a glass of water or two.</p></ack>
<app-group><app><title>Proofs</title><p>{PROOF}</p></app></app-group>
<ref-list>
<ref><element-citation><article-title>First</article-title><pub-id pub-id-type="doi">10.1000/FIRST</pub-id>
</element-citation></ref>
<ref><mixed-citation>Second, 2001. https://doi.org/10.1000/second</mixed-citation></ref>
<ref><element-citation><article-title>On the shape of small bubbles</article-title></element-citation></ref>
</ref-list></back></article>"""

TEI = f"""<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc>
<titleStmt><title level="a" type="main">{TITLE}</title></titleStmt>
<sourceDesc><biblStruct><idno type="DOI">10.1234/bubbles</idno></biblStruct></sourceDesc></fileDesc>
<profileDesc><abstract><div><p>{ABSTRACT}</p></div></abstract></profileDesc></teiHeader>
<text><body>
<div><head n="1">Introduction</head><p>{INTRODUCTION}</p></div>
<div><head n="2">Methods</head><p>{METHODS}</p></div>
<div><head n="2.1">Water</head><p>{WATER.replace("water", '<ref type="figure" target="#fig_0">water</ref>')}</p></div>
<div><head n="2.2">Soap</head><p>{SOAP}</p></div>
<div><head n="3">Results</head><p>{RESULTS}</p></div>
<figure xml:id="fig_0"><head>Figure 1 .</head><label>1</label><figDesc>Figure 1. {CAPTION}</figDesc></figure></body>
<back><div type="acknowledgement"><div><head>Acknowledgements</head><p>We thank everyone.</p></div></div>
<div type="annex"><div><head n="A">Proofs</head><p>{PROOF}</p></div></div>
<div type="references"><listBibl>
<biblStruct><analytic><title level="a">First</title><idno type="DOI">10.1000/FIRST</idno></analytic></biblStruct>
<biblStruct><note type="raw_reference">Second, 2001. https://doi.org/10.1000/second</note></biblStruct>
<biblStruct><analytic><title level="a">On the shape of small bubbles</title></analytic></biblStruct>
</listBibl></div></back></text></TEI>"""

SECTIONS = [
    ("1", "Introduction", INTRODUCTION),
    ("2", "Methods", METHODS),
    ("2.1", "Water", WATER),
    ("2.2", "Soap", SOAP),
    ("3", "Results", RESULTS),
    ("A", "Proofs", PROOF),
]


def s2orc_older(with_numbers):
    """Older releases have numbers in a field of their own or at the start of the heading."""
    headings = [(title, number) if with_numbers else (f"{number}. {title}", None) for number, title, _ in SECTIONS]
    body = [
        {"section": heading, "sec_num": number, "text": text, "ref_spans": [{"ref_id": "FIGREF0"}] * (text == WATER)}
        for (heading, number), (*_, text) in zip(headings, SECTIONS, strict=True)
    ]
    return {
        "paper_id": "1",
        "metadata": {"title": TITLE, "doi": "10.1234/bubbles"},
        "abstract": [{"section": "Abstract", "text": ABSTRACT}],
        "body_text": body,
        "back_matter": [{"section": "Acknowledgements", "text": "We thank everyone who lent us a glass of water."}],
        "bib_entries": {
            "BIBREF0": {"title": "First", "other_ids": {"DOI": ["10.1000/FIRST"]}},
            "BIBREF1": {"title": "", "raw_text": "Second, 2001. https://doi.org/10.1000/second"},
            "BIBREF2": {"title": "On the shape of small bubbles"},
        },
        "ref_entries": {"FIGREF0": {"text": f"Figure 1. {CAPTION}", "type": "figure"}},
    }


def s2orc_newer():
    mention = [("figureref", "water", {"ref_id": "fig_0"})]
    blocks = [
        part
        for number, title, text in SECTIONS
        for part in [
            ("sectionheader", title, {"n": number}, []),
            ("paragraph", text, None, mention if text == WATER else []),
        ]
    ]
    return standoff(
        ("title", TITLE, None, []),
        ("abstract", ABSTRACT, None, []),
        *blocks,
        ("sectionheader", "Acknowledgements", None, []),
        ("paragraph", "We thank everyone who lent us a glass of water or two.", None, []),
        ("figure", f"Figure 1. {CAPTION}", {"id": "fig_0"}, [("figurecaption", f"Figure 1. {CAPTION}", None)]),
        ("bibentry", "First", {"doi": "10.1000/FIRST"}, []),
        ("bibentry", "Second, 2001. https://doi.org/10.1000/second", None, []),
        ("bibentry", "On the shape of small bubbles", None, [("bibtitle", "On the shape of small bubbles", None)]),
        externalids={"doi": "10.1234/bubbles"},
    )


UNARXIVE = {
    "paper_id": "2105.00001",
    "_source_hash": "b7d5",
    "metadata": {"title": TITLE, "doi": "10.1234/bubbles"},
    "abstract": {"section": "Abstract", "text": ABSTRACT},
    "body_text": [
        {
            "section": title,
            "sec_number": number,
            "sec_type": "subsection" if "." in number else "section",
            "content_type": "paragraph",
            "text": f"{text} {{{{figure:f-1}}}} {{{{cite:1}}}}" if text == WATER else text,
        }
        for number, title, text in SECTIONS
    ],
    "bib_entries": {
        "1": {"bib_entry_raw": "First", "ids": {"doi": "https://doi.org/10.1000/FIRST"}},
        "2": {"bib_entry_raw": "Second, 2001. https://doi.org/10.1000/second"},
        "3": {"bib_entry_raw": "A. Author, On the shape of small bubbles, J. Tests (2001)."},
    },
    "ref_entries": {"f-1": {"type": "figure", "caption": CAPTION}},
}

FUTEX = {
    "id": "10.1234/bubbles",
    "title": TITLE,
    "abstract": ABSTRACT,
    "sections": [
        {"title": "Introduction", "paragraphs": [INTRODUCTION]},
        {
            "title": "Methods",
            "paragraphs": [METHODS],
            "sections": [{"title": "Water", "paragraphs": [WATER, CAPTION]}, {"title": "Soap", "paragraphs": [SOAP]}],
        },
        {"title": "Results", "paragraphs": [RESULTS]},
        {"title": "Proofs", "paragraphs": [PROOF]},
    ],
    "references": ["10.1000/first", "10.1000/second", "title:on the shape of small bubbles"],
}

WRITTEN = {
    "jats": JATS,
    "tei": TEI,
    "s2orc, older": json.dumps(s2orc_older(with_numbers=True)),
    "s2orc, older, spread over lines": json.dumps(s2orc_older(with_numbers=True), indent=2),
    "s2orc, older, numbers in headings": json.dumps(s2orc_older(with_numbers=False)),
    "s2orc, newer": json.dumps(s2orc_newer()),
    "unarxive": json.dumps(UNARXIVE),
    "jsonl": json.dumps(FUTEX),
}


@pytest.mark.parametrize("format", WRITTEN)
def test_the_same_paper_comes_out_of_every_format(tmp_path, format):
    file = tmp_path / "paper"
    file.write_text(WRITTEN[format])
    (document,) = read_documents(str(file))
    paper = document.paper
    assert paper.title == PAPER.title
    assert paper.abstract == PAPER.abstract
    assert paper.body == PAPER.body
    # unarXive does not parse references: a work without an identifier has no key there
    assert paper.references == (PAPER.references[:2] if format == "unarxive" else PAPER.references)


@pytest.mark.parametrize("format", WRITTEN)
def test_a_format_that_is_named_is_the_one_that_is_recognised(tmp_path, format):
    file = tmp_path / "paper"
    file.write_text(WRITTEN[format])
    assert list(read_documents(str(file), format=format.partition(",")[0])) == list(read_documents(str(file)))


@pytest.mark.parametrize("format", WRITTEN)
def test_a_paper_is_found_by_its_doi_whatever_it_was_written_in(tmp_path, format):
    file = tmp_path / "paper"
    file.write_text(WRITTEN[format])
    ((paper, _),) = read_documents(str(file))
    assert PAPER.id in (paper.id, *paper.metadata.get("aliases", []))

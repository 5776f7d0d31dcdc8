import io
import json

import pytest
from corpus.s2orc_paper import CORD_19, OLDER, VALUES, with_one_value_changed
from hypothesis import given, settings
from hypothesis import strategies as st

from futex.corpus.document import Document
from futex.corpus.formats import s2orc, unarxive
from futex.corpus.formats.formulas import MAX_FORMULA
from futex.corpus.sources import Source
from futex.errors import InputError

LONG = "one two three four five six seven eight nine ten"
EINSTEIN, LENGTHY, FIGURE, TABLE = "7fd88bcd-9013-433d", "0a-1", "9b1c-fig", "9b1c-tab"


def paragraph(section, number, text, kind="section", content="paragraph"):
    where = {"section": section, "sec_number": number, "sec_type": kind, "content_type": content}
    return {**where, "text": text, "cite_spans": [], "ref_spans": []}


PAPER = {
    "paper_id": "2105.05862",
    "_pdf_hash": None,
    "_source_hash": "b7d5f27b5c8abc3bd8a44d875899fdc0d945a604",
    "_source_name": "2105.05862.gz",
    "metadata": {
        "id": "2105.05862",
        "submitter": "Ann Author",
        "authors": "Ann B. Author and W. Writer",
        "title": "Rapid growth of\n  gravitational bubbles",
        "comments": "15 pages",
        "journal-ref": "J. Tests 5 (2022) 1",
        "doi": "10.1234/TEST.1",
        "report-no": None,
        "categories": "gr-qc astro-ph.HE gr-qc",
        "versions": [
            {"version": "v1", "created": "Wed, 12 May 2021 18:00:00 GMT"},
            {"version": "v2", "created": "2022"},
        ],
        "update_date": "2022-01-01",
        "authors_parsed": [["Author", "Ann B.", ""], ["Writer", "W.", "Jr."]],
    },
    "discipline": "Physics",
    "abstract": {"section": "Abstract", "text": "  We grew bubbles {{cite:ab12}}.\nThey burst.\n", "cite_spans": []},
    "body_text": [
        paragraph(
            "Introduction",
            "1",
            f"Let {{{{formula:{EINSTEIN}}}}} be small ({{{{cite:ab12}}}}, {{{{cite:cd34}}}}) {LONG}.\n",
        ),
        paragraph(
            "Introduction", "1", f"Second {{{{formula:{LENGTHY}}}}} and {{{{formula:gone}}}} {LONG} {{{{cite:ab12}}}} ."
        ),
        paragraph("Method", "2", f"Fig. {{{{figure:{FIGURE}}}}} shows (see {{{{cite:cd34}}}}) {LONG}."),
        paragraph("Wave form", "2.1", f"Waves {LONG}.", "subsection"),
        paragraph("Wave form", "2.1", f"print('{LONG}')", "subsection", "listing"),
        paragraph("Setting", "", f"Setting {LONG}.", "subsection"),
        paragraph("Outlook", None, f"Outlook {LONG}."),
        paragraph("Acknowledgements", None, f"Thanks {LONG}."),
    ],
    "bib_entries": {
        "ab12": {
            "bib_entry_raw": "A. Author, A title, J. Tests 1 (2001).",
            "contained_arXiv_ids": [],
            "contained_links": [{"url": "https://doi.org/10.1000/A", "text": "J. Tests 1", "start": 20, "end": 30}],
            "ids": {"open_alex_id": "https://openalex.org/W1", "sem_open_alex_id": "", "doi": "", "pubmed_id": ""},
        },
        "cd34": {"bib_entry_raw": "B, doi:10.1000/B.", "ids": {"open_alex_id": "", "doi": ""}},
        "e": {
            "bib_entry_raw": "C",
            "contained_links": [],
            "ids": {"doi": "https://doi.org/10.1000/C", "pubmed_id": "7"},
        },
        "f": {"bib_entry_raw": "D", "ids": {"pubmed_id": "https://pubmed.ncbi.nlm.nih.gov/5"}},
        "g": {
            "bib_entry_raw": "E",
            "contained_arXiv_ids": [{"id": "hep-th/9901001", "text": "x", "start": 0, "end": 1}],
        },
        "h": {"bib_entry_raw": "F", "contained_links": [{"url": "http://arxiv.org/abs/2001.00001v2"}]},
        "i": {"bib_entry_raw": "G", "ids": {"open_alex_id": "https://openalex.org/W2741809807"}},
        "j": {"bib_entry_raw": "Ourselves", "ids": {"doi": "10.1234/test.1"}},
        "k": {"bib_entry_raw": "A work that nobody knows, J. Lost 1 (1900)."},
    },
    "ref_entries": {
        EINSTEIN: {"type": "formula", "latex": "S_{\\mu \\nu }"},
        LENGTHY: {"type": "formula", "latex": "x" * (MAX_FORMULA + 1)},
        FIGURE: {"type": "figure", "caption": f"A caption of {{{{formula:{EINSTEIN}}}}} {LONG}."},
        TABLE: {"type": "table", "caption": f"Unmentioned {LONG}."},
    },
}


def documents(*records):
    lines = "\n".join(record if isinstance(record, str) else json.dumps(record) for record in records)
    return list(unarxive.read(Source("arXiv_src_2105_034.jsonl", io.BufferedReader(io.BytesIO(lines.encode())))))


def read(record):
    (document,) = documents(record)
    return document


def test_front_matter():
    paper, subjects = read(PAPER)
    assert paper.id == "2105.05862"
    assert paper.title == "Rapid growth of gravitational bubbles"
    assert paper.abstract == "We grew bubbles. They burst."
    assert paper.metadata == {
        "year": 2021,
        "venue": "J. Tests 5 (2022) 1",
        "authors": ["Ann B. Author", "W. Writer Jr."],
        "aliases": [
            "10.1234/test.1",
            "10.48550/arxiv.2105.05862",
            "title:rapid growth of gravitational bubbles",
        ],
    }
    assert subjects.paths == (("gr-qc",), ("astro-ph", "astro-ph.HE"))


def test_body_with_short_formulas_and_without_citations():
    assert [("/".join(place.path), place.text) for place in read(PAPER).paper.paragraphs()] == [
        ("Introduction", f"Let S_{{\\mu \\nu }} be small {LONG}."),
        ("Introduction", f"Second and {LONG}."),
        ("Method", f"Fig. shows (see) {LONG}."),
        ("Method", f"A caption of S_{{\\mu \\nu }} {LONG}."),
        ("Method/Wave form", f"Waves {LONG}."),
        ("Method/Setting", f"Setting {LONG}."),
        ("Outlook", f"Outlook {LONG}."),
        ("", f"Unmentioned {LONG}."),
    ]


def test_references():
    assert read(PAPER).paper.references == (
        "10.1000/a",
        "10.1000/b",
        "10.1000/c",
        "pmid:5",
        "10.48550/arxiv.hep-th/9901001",
        "10.48550/arxiv.2001.00001",
        "openalex:w2741809807",
    )


def test_texts_without_placeholders_are_left_as_they_are():
    text = f"f () , [] and { {1, 2} } {LONG} ."
    body = [paragraph("A", "1", text)]
    assert [leaf.text for leaf in read({"paper_id": "1", "body_text": body}).paper.body.leaves()] == [text]


@pytest.mark.parametrize("abstract", ["Words.", {"text": "Words."}, None, {}])
def test_the_abstract_may_be_a_text_a_block_or_among_the_metadata(abstract):
    assert read({"paper_id": "1", "abstract": abstract, "metadata": {"abstract": "Words."}}).paper.abstract == "Words."


def test_authors_may_be_a_text():
    assert read({"paper_id": "1", "metadata": {"authors": "A. Author, B. Writer"}}).paper.metadata == {
        "authors": ["A. Author", "B. Writer"]
    }


def test_papers_of_old_identifiers_are_cited_by_them():
    paper = read({"paper_id": "astro-ph0001001", "metadata": {"id": "astro-ph/0001001"}}).paper
    assert (paper.id, paper.metadata["aliases"]) == ("astro-ph0001001", ["10.48550/arxiv.astro-ph/0001001"])


def test_one_paper_a_line():
    assert [document.paper.id for document in documents(PAPER, {**PAPER, "paper_id": "2"})] == ["2105.05862", "2"]


def test_recognises_its_own_and_not_s2orc():
    head = json.dumps(PAPER).encode()[:4096]
    assert unarxive.recognises(head)
    others = [b"", b"{}", b"[]", b'{"paper_id": "1"}', json.dumps(CORD_19).encode(), json.dumps(OLDER).encode()[:4096]]
    assert not any(map(unarxive.recognises, others))
    assert s2orc.recognises(others[-1])


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"body_text": []}, 'line 1: the paper has no "paper_id"'),
        ({"paper_id": "1", "body_text": {}}, '"body_text" must be a list of objects'),
        ({"paper_id": "1", "abstract": 5}, '"abstract" must be an object, not a int'),
        ({"paper_id": "1", "ref_entries": {"a": None}}, '"ref_entries" must hold objects'),
        ('{"paper_id": "1"', "line 1: broken JSON"),
    ],
)
def test_bad_files_give_one_clear_line(record, message):
    with pytest.raises(InputError) as refused:
        documents(record)
    assert str(refused.value).startswith("arXiv_src_2105_034.jsonl")
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def ends_well(written):
    try:
        found, message = documents(written), ""
    except InputError as refused:
        found, message = [], str(refused)
    assert all(isinstance(document, Document) for document in found)
    assert "\n" not in message


@settings(max_examples=150)
@given(st.data())
def test_any_value_anywhere_ends_well(data):
    ends_well(with_one_value_changed(PAPER, data))


@given(st.integers(0, len(json.dumps(PAPER))))
def test_truncated_files_end_well(length):
    ends_well(json.dumps(PAPER)[:length])


@given(VALUES, st.text("{}:cite formula-ab12()[] ,.", max_size=60))
def test_any_text_ends_well(value, text):
    ends_well(
        {"paper_id": "1", "metadata": {"title": text}, "abstract": text, "body_text": [{"text": text, "x": value}]}
    )


def test_placeholders_made_to_be_ambiguous_are_read_in_linear_time():
    text = "{{cite:" * 20_000 + "(" * 20_000 + " ,;" * 20_000 + "{{cite:a}}"
    assert read({"paper_id": "1", "abstract": text}).paper.abstract


def test_each_formula_is_looked_at_once(monkeypatch):
    seen = []
    monkeypatch.setattr(unarxive, "formula_text", lambda latex: seen.append(latex) or "x")
    entries = {"f": {"type": "formula", "latex": "y"}}
    record = {"paper_id": "1", "ref_entries": entries, "body_text": [{"text": "{{formula:f}} " * 20}]}
    list(unarxive.read(Source("a.jsonl", io.BufferedReader(io.BytesIO(json.dumps(record).encode())))))
    assert seen == ["y"]


def test_a_formula_is_not_written_without_end(monkeypatch):
    monkeypatch.setattr(unarxive, "MAX_WRITTEN", 5)
    entries = {"f": {"type": "formula", "latex": "xy"}}
    abstract = "{{formula:f}} and {{formula:f}} and {{formula:f}}"
    assert read({"paper_id": "1", "ref_entries": entries, "abstract": abstract}).paper.abstract == "xy and xy and"

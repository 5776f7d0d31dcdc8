import json

import pytest
from corpus.s2orc_paper import (
    CORD_19,
    LONG,
    NEWER,
    OLDER,
    block,
    documents,
    places,
    read,
    standoff,
    with_one_value_changed,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from futex.corpus import content, json_records
from futex.corpus.document import Document
from futex.corpus.formats import jsonl, s2orc
from futex.corpus.paper import MAX_DEPTH
from futex.errors import InputError


def test_front_matter_of_the_older_layout():
    paper = read(OLDER)
    assert paper.id == "18980380"
    assert paper.title == "Rapid growth of E. coli bubbles"
    assert paper.abstract == "We grew bubbles. They burst."
    assert paper.metadata == {
        "year": 2015,
        "venue": "Journal of Tests",
        "authors": ["Ann B Author", "Writer"],
        "aliases": ["10.1234/test.1", "title:rapid growth of e coli bubbles", "s2:18980380"],
    }


def test_body_of_the_older_layout():
    assert places(read(OLDER)) == [
        ("", f"Before all sections {LONG}."),
        ("Introduction", f"Cells [1] in Figure 2 {LONG}."),
        ("Introduction", f"A caption {LONG}."),
        ("Introduction", f"Second {LONG}."),
        ("Methods/Growth", f"Let x = y be {LONG}."),
        ("Methods/Growth/Media", f"Media {LONG}."),
        ("Results", f"Results {LONG}."),
        ("annex", f"Appended {LONG}."),
        ("", f"Unmentioned {LONG}."),
    ]


def test_references_of_the_older_layout_are_keys_without_the_paper_itself():
    assert read(OLDER).references == (
        "10.1000/a",
        "10.1000/b",
        "pmid:5",
        "title:the e coli genome a map",
        "10.48550/arxiv.2105.05862",
        "s2:94551546",
    )


def test_the_layout_of_cord_19():
    paper = read(CORD_19)
    assert (paper.id, paper.title, paper.abstract) == ("PMC7417471", "On bubbles", "We grew bubbles. They burst.")
    assert paper.metadata == {"authors": ["Ann Author"], "aliases": ["pmc:7417471"]}
    assert places(paper) == [
        ("Methods/Cells", f"First {LONG}."),
        ("Methods/Media", f"Second {LONG}."),
        ("Methods/Media", f"Third {LONG}."),
        ("Methods/Media/Deep", f"Fourth {LONG}."),
        ("Results", f"Fifth {LONG}."),
    ]


def sections(*names, paper_id="1"):
    body = [block(name, f"{i} {LONG}") for i, name in enumerate(names)]
    return [path for path, _ in places(read({"paper_id": paper_id, "abstract": [], "body_text": body}))]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (
            ["Introduction", "Methods ::: Cells", "Methods ::: Media"],
            ["Introduction", "Methods/Cells", "Methods/Media"],
        ),
        (["2 Methods::2.1 Cells", "2 Methods::2.2 Media"], ["Methods/Cells", "Methods/Media"]),
        (["Cells ::: Methods", "Media ::: Methods"], ["Methods/Cells", "Methods/Media"]),
        (["Methods", "Methods ::: Cells", "Methods"], ["Methods", "Methods/Cells", "Methods"]),
        (["A ::: B ::: C", "A ::: B", "A ::: D"], ["A/B/C", "A/B", "A/D"]),
        (["Funding", "Methods ::: Cells"], ["Methods/Cells"]),
        (["Declarations ::: Funding", "Declarations ::: Patients", "A ::: Funding", "A ::: B"], ["A/B"]),
        (["2 Methods", "2.1 Cells", "3 Results"], ["Methods", "Methods/Cells", "Results"]),
        ([None, "Methods", None], ["", "Methods", "Methods"]),
    ],
)
def test_sections_are_named_in_many_ways(names, expected):
    assert sections(*names) == expected


def test_a_path_of_too_many_headings_is_cut():
    (path,) = sections("::".join(f"s{i}" for i in range(1000)))
    assert path == "/".join(f"s{i}" for i in range(MAX_DEPTH))


def test_a_single_subsection_is_read_as_its_source_writes_it():
    assert sections("Methods ::: Cells") == ["Methods/Cells"]
    assert sections("Cells ::: Methods", paper_id="PMC1") == ["Methods/Cells"]


def test_the_layout_of_2019_with_the_text_under_its_parser():
    about = {"title": "T", "abstract": "Gold.", "year": 2017, "doi": None, "pmc_id": "PMC5", "pubmed_id": 28424663}
    parse = {"abstract": [block("Abstract", "Parsed.")], "body_text": [block(None, LONG)], "bib_entries": {}}
    paper = read({"paper_id": 10002293, "metadata": about, "grobid_parse": parse, "latex_parse": {"body_text": []}})
    assert (paper.id, paper.title, paper.abstract) == ("10002293", "T", "Gold.")
    assert paper.metadata == {"year": 2017, "aliases": ["pmid:28424663", "pmc:5", "s2:10002293"]}
    assert places(paper) == [("", LONG)]


def test_a_parse_of_latex_is_preferred_to_one_of_the_pdf():
    parse = {"body_text": [block("", f"LaTeX {LONG}")]}
    assert places(read({**OLDER, "latex_parse": parse})) == [("", f"LaTeX {LONG}")]


# --- the newer layout


def test_front_matter_of_the_newer_layout():
    paper = read(NEWER)
    assert paper.id == "254640939"
    assert paper.title == "Rapid growth of E. coli bubbles"
    assert paper.abstract == "We grew bubbles. They burst."
    assert paper.metadata == {
        "venue": "Journal of Tests",
        "authors": ["Ann Author", "Writer"],
        "aliases": [
            "10.1234/test.1",
            "pmid:777",
            "pmc:888",
            "title:rapid growth of e coli bubbles",
            "s2:254640939",
        ],
    }


def test_body_of_the_newer_layout():
    assert places(read(NEWER)) == [
        ("", f"Before all sections {LONG}."),
        ("Introduction", f"Cells [1] in Figure 2 {LONG}."),
        ("Introduction", f"A caption {LONG}."),
        ("Methods/Growth", f"Growth {LONG}."),
        ("Methods/Growth/Media", f"Media {LONG}."),
        ("Results", f"Results {LONG}."),
        ("", f"Unmentioned {LONG}."),
    ]


def test_references_of_the_newer_layout():
    assert read(NEWER).references == ("10.1000/a", "10.1000/b", "title:the e coli genome a map", "s2:94551546")


def test_external_identifiers_may_be_in_capitals():
    paper = read(standoff(("title", "T", None, []), externalids={"DOI": "10.1000/X", "CorpusId": "5", "ArXiv": None}))
    assert paper.metadata["aliases"] == ["10.1000/x", "s2:254640939"]


def annotated(**annotations):
    text = f"Title\n{LONG}\n{LONG}"
    return {"corpusid": 1, "content": {"text": text, "annotations": annotations}}


SECOND = {"start": 6 + len(LONG) + 1, "end": 6 + 2 * len(LONG) + 1}


@pytest.mark.parametrize(
    "broken",
    [
        {"start": -5, "end": 3},
        {"start": 10, "end": 2},
        {"start": 2, "end": 2},
        {"start": 0, "end": 10**9},
        {"start": 10**40, "end": 10**41},
        {"start": "0", "end": "5"},
        {"start": None, "end": None},
        {"start": 1.5, "end": 2.5},
        {"end": 5},
        {},
        {"start": SECOND["start"] + 1, "end": SECOND["end"]},
        SECOND,
    ],
)
def test_broken_and_repeated_spans_are_passed_over(broken):
    assert places(read(annotated(paragraph=json.dumps([SECOND, broken])))) == [("", LONG)]


def test_a_text_is_never_taken_twice():
    everything = [{"start": start, "end": 5 + 2 * len(LONG)} for start in range(50)]
    assert len(places(read(annotated(paragraph=everything)))) == 1


def test_annotations_may_be_missing_null_or_lists():
    assert read(annotated()).is_empty
    assert read({"corpusid": 1, "content": None}).is_empty
    assert read({"corpusid": 1, "content": {"text": None, "annotations": {"paragraph": None}}}).is_empty
    assert places(read(annotated(paragraph=[SECOND]))) == [("", LONG)]


def test_offsets_count_characters():
    text = f"\U0001f600 é {LONG}"
    span = {"start": 4, "end": len(text)}
    assert places(read({"corpusid": 1, "content": {"text": text, "annotations": {"paragraph": [span]}}})) == [
        ("", LONG)
    ]


# --- files


@pytest.mark.parametrize("paper", [OLDER, NEWER, CORD_19])
def test_one_paper_in_a_file_or_on_each_line(paper):
    expected = read(paper)
    assert read(json.dumps(paper, indent=4)) == expected
    assert read("\ufeff" + json.dumps(paper, indent=1)) == expected
    assert [document.paper for document in documents(f"{json.dumps(paper)}\n\n{json.dumps(paper)}\n")] == [expected] * 2


@pytest.mark.parametrize("paper", [OLDER, NEWER, CORD_19])
@pytest.mark.parametrize("indent", [None, 4])
def test_recognises_its_own(paper, indent):
    assert s2orc.recognises(json.dumps(paper, indent=indent).encode()[:4096])


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"[]",
        b"<article>",
        b'{"id": "a", "abstract": "x"}',
        b'{"id": "a", "abstract": "\\"paper_id\\" \\"body_text\\""}',
        b'{"paper_id": "5", "title": "T", "abstract": "x", "has_pdf_parse": true}',
        b'{"corpusid": 5, "externalids": {}, "title": "T"}',
        b'{"paper": "5", "abstract": "x"}',
    ],
)
def test_does_not_recognise_other_files(head):
    assert not s2orc.recognises(head)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ({"body_text": []}, 'line 1: the paper has no "paper_id"'),
        ({"content": {}}, 'line 1: the paper has no "corpusid"'),
        ({"paper_id": "1", "body_text": "text"}, '"body_text" must be a list of objects'),
        ({"paper_id": "1", "body_text": [5]}, '"body_text" must be a list of objects'),
        ({"paper_id": "1", "body_text": [{"text": 5}]}, '"text" must be text, not 5'),
        ({"paper_id": "1", "metadata": []}, '"metadata" must be an object, not a list'),
        ({"paper_id": "1", "bib_entries": {"b": 5}}, '"bib_entries" must hold objects'),
        ({"corpusid": 1, "content": {"annotations": {"paragraph": "[{"}}}, "paragraph: broken JSON"),
        ({"corpusid": 1, "content": {"annotations": {"paragraph": "[" * 10**5}}}, "paragraph: nested too deeply"),
        ({"corpusid": 1, "content": {"annotations": {"paragraph": "5"}}}, '"paragraph" must be a list of objects'),
        ("{\n", "broken JSON"),
        ("{\n" * 10, "broken JSON"),
        ('{"paper_id": "1"}\n{', "line 2: broken JSON"),
        (b'{\n"paper_id": "\xff"}', "not UTF-8"),
        ('{\n"paper_id": ' + "[" * 10**5, "nested too deeply"),
    ],
)
def test_bad_files_give_one_clear_line(written, message):
    with pytest.raises(InputError) as refused:
        documents(written)
    assert str(refused.value).startswith("papers/some.json")
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_size_and_number_of_values_are_limited(monkeypatch):
    monkeypatch.setattr(content, "MAX_BYTES", 1000)
    with pytest.raises(InputError, match="longer than"):
        documents('{\n"paper_id": "' + "a" * 1000)
    monkeypatch.setattr(json_records, "MAX_VALUES", 100)
    with pytest.raises(InputError, match="more than 100 values"):
        documents('{"paper_id": "1", "body_text": [' + "{}," * 100 + "{}]}")


def test_half_surrogates_become_writable():
    half = "x\ud800"
    body = [block(f"A {half}", f"{half} {LONG}")]
    bibliography = {half: {"title": half, "other_ids": {"DOI": [f"10.1000/{half}"], half: [half]}}}
    author = {"first": half, "middle": [half], "last": half}
    older = read({"paper_id": half, "authors": [author], "body_text": body, "bib_entries": bibliography})
    newer = read(standoff(("title", half, None, []), ("bibentry", half, {"doi": f"10.1000/{half}"}, [])))
    for paper in (older, newer):
        assert paper.references
        assert json.dumps(jsonl.as_record(paper), ensure_ascii=False).encode()


# --- hostile and damaged files


def ends_well(written):
    try:
        found, message = documents(written), ""
    except InputError as refused:
        found, message = [], str(refused)
    assert all(isinstance(document, Document) for document in found)
    assert "\n" not in message


@given(st.binary(max_size=200))
def test_random_bytes_end_well(written):
    assert s2orc.recognises(written) in {True, False}
    ends_well(written)


@settings(max_examples=200)
@given(st.sampled_from([OLDER, NEWER, CORD_19]), st.data())
def test_any_value_anywhere_ends_well(record, data):
    ends_well(json.dumps(with_one_value_changed(record, data)))


SPANS = st.lists(
    st.fixed_dictionaries(
        {"start": st.integers(-5, 200), "end": st.integers(-5, 200)},
        optional={"attributes": st.fixed_dictionaries({"n": st.sampled_from(["1", "2.1", "A", ""])})},
    ),
    max_size=8,
)


@settings(max_examples=100)
@given(st.dictionaries(st.sampled_from(["abstract", "sectionheader", "paragraph", "figure", "bibentry"]), SPANS))
def test_any_spans_end_in_a_document_without_more_text_than_there_was(annotations):
    paper = read(annotated(**{kind: json.dumps(spans) for kind, spans in annotations.items()}))
    assert sum(len(leaf.text) for leaf in paper.body.leaves()) <= 7 + 2 * len(LONG)


@settings(max_examples=100)
@given(st.sampled_from([OLDER, NEWER]), st.sampled_from([None, 1]), st.data())
def test_truncated_files_end_well(record, indent, data):
    written = json.dumps(record, indent=indent)
    ends_well(written[: data.draw(st.integers(0, len(written)))])

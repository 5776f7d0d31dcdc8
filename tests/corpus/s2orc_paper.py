"""A paper in each layout of S2ORC, with one of everything, for the tests of its reader."""

import io
import json

from hypothesis import strategies as st

from futex.corpus.formats import s2orc
from futex.corpus.sources import Source

LONG = "one two three four five six seven eight nine ten"


def block(section, text, number=None, **spans):
    empty = {"cite_spans": [], "ref_spans": [], "eq_spans": []}
    return {"text": text, **empty, **spans, "section": section, "sec_num": number}


OLDER = {
    "paper_id": "18980380",
    "header": {"generated_with": "S2ORC 1.0.0", "date_generated": "2021-02-12T10:00:43.166943Z"},
    "title": "Rapid growth of E. coli bubbles",
    "authors": [
        {"first": "Ann", "middle": ["B"], "last": "Author", "suffix": "", "affiliation": {}, "email": ""},
        {"first": "", "middle": [], "last": "Writer", "suffix": ""},
    ],
    "year": "2015-03",
    "venue": "Journal of Tests",
    "doi": "10.1234/TEST.1",
    "pubmed_id": None,
    "abstract": "We grew bubbles. ::: They burst.",
    "pdf_parse": {
        "paper_id": "18980380",
        "_pdf_hash": "",
        "abstract": [block("Abstract", "Parsed less well.")],
        "body_text": [
            block("", f"Before all sections {LONG}."),
            block(
                "Introduction", f"Cells [1] in Figure 2 {LONG}.", "1", ref_spans=[{"start": 13, "ref_id": "FIGREF0"}]
            ),
            block("Introduction", f"Second {LONG}.", "1"),
            block("Methods", "", "2"),
            block(
                "Growth",
                f"Let EQUATION be EQUATION {LONG}.",
                "2.1",
                eq_spans=[
                    {"start": 4, "end": 12, "text": "EQUATION", "latex": "x = y", "ref_id": "EQREF"},
                    {"start": 16, "end": 24, "text": "EQUATION", "raw_str": "long " * 50, "ref_id": "EQREF"},
                    {"start": 20, "end": 10**30, "text": "EQUATION", "latex": "bad", "ref_id": "EQREF"},
                ],
            ),
            block("Media", f"Media {LONG}."),
            block("3. Results", f"Results {LONG}."),
            block("Short", "Too few words."),
        ],
        "back_matter": [block("acknowledgement", f"Thanks {LONG}."), block("annex", f"Appended {LONG}.")],
        "bib_entries": {
            "BIBREF0": {"ref_id": "b0", "title": "A", "other_ids": {"DOI": ["10.1000/A"], "PMID": ["1"]}, "link": "5"},
            "BIBREF1": {"title": "Of words enough here", "other_ids": {}, "raw_text": "B. 2001. doi:10.1000/B."},
            "BIBREF2": {"title": "Of words enough here", "other_ids": {"PMID": ["5"]}},
            "BIBREF3": {"title": "The E. coli genome: a map", "authors": [], "year": 2001, "venue": "", "link": None},
            "BIBREF4": {"title": "", "other_ids": {"arXiv": ["arXiv:2105.05862"]}},
            "BIBREF5": {"title": "Short", "link": "94551546"},
            "BIBREF6": {"title": "", "other_ids": {}},
            "BIBREF7": {"title": "Rapid growth of E. coli bubbles"},
        },
        "ref_entries": {
            "FIGREF0": {"text": f"Fig. 2. A caption {LONG}.", "latex": None, "type": "figure"},
            "TABREF0": {"text": f"Unmentioned {LONG}.", "type_str": "table", "content": LONG},
            "SECREF0": {"text": f"No caption {LONG}.", "type": "section"},
        },
    },
    "latex_parse": None,
}


def standoff(*parts, externalids=None, corpusid=254640939):
    """A record of the newer layout out of (kind, text, attributes, kinds inside); None is text without annotation."""
    text, annotations = "\n", {"publisher": None}
    for kind, written, attributes, inner in parts:
        start = len(text)
        for inner_kind, inner_text, inner_attributes in inner:
            at = start + written.index(inner_text)
            span = {"attributes": inner_attributes, "end": at + len(inner_text), "start": at}
            annotations.setdefault(inner_kind, []).append(span)
        text += f"{written}\n\n"
        if kind:
            span = {"end": start + len(written), "start": start}
            annotations.setdefault(kind, []).append({"attributes": attributes, **span} if attributes else span)
    encoded = {kind: spans and json.dumps(spans) for kind, spans in annotations.items()}
    content = {"source": {"pdfurls": None, "pdfsha": "b57a"}, "text": text, "annotations": encoded}
    return {"corpusid": corpusid, "externalids": externalids or {}, "content": content, "updated": None}


NEWER = standoff(
    ("title", "Rapid growth of\nE. coli bubbles", None, []),
    ("author", "Ann B Author\nA Place", None, [("authorfirstname", "Ann", None), ("authorlastname", "Author", None)]),
    ("author", "Writer", None, [("authorlastname", "Writer", None)]),
    ("venue", "Journal of Tests", None, []),
    (None, "OPEN ACCESS", None, []),
    ("abstract", "We grew bubbles.\nThey burst.", None, []),
    ("paragraph", f"Before all sections {LONG}.", None, []),
    ("sectionheader", "Introduction", {"n": "1"}, []),
    (
        "paragraph",
        f"Cells [1] in Figure 2 {LONG}.",
        None,
        [("bibref", "[1]", {"ref_id": "b0"}), ("figureref", "Figure 2", {"ref_id": "fig_0"})],
    ),
    ("sectionheader", "Methods", {"n": "2."}, []),
    ("sectionheader", "Growth", {"n": "2.1"}, []),
    ("paragraph", f"Growth {LONG}.", None, []),
    ("sectionheader", "Media", None, []),
    ("paragraph", f"Media {LONG}.", None, []),
    ("sectionheader", "3. Results", None, []),
    ("paragraph", f"Results {LONG}.", None, []),
    ("sectionheader", "Author contributions", None, []),
    ("paragraph", f"We both {LONG}.", None, []),
    ("figure", f"Fig. 2. A caption {LONG}.", {"id": "fig_0"}, [("figurecaption", f"Fig. 2. A caption {LONG}.", None)]),
    ("figure", f"Unmentioned {LONG}.", None, [("figurecaption", f"Unmentioned {LONG}.", None)]),
    ("bibentry", "A. Author. A. 2001.", {"doi": "10.1000/A", "id": "b0", "matched_paper_id": 5}, []),
    ("bibentry", "B. doi:10.1000/B.", {"id": "b1"}, []),
    ("bibentry", "C. The E. coli genome: a map. 2001", {"id": "b2"}, [("bibtitle", "The E. coli genome: a map", None)]),
    ("bibentry", "D. Short", {"id": "b3", "matched_paper_id": 94551546}, [("bibtitle", "Short", None)]),
    ("bibentry", "E", None, []),
    externalids={"arxiv": None, "mag": None, "pubmed": "777", "pubmedcentral": "888", "doi": "10.1234/TEST.1"},
)


CORD_19 = {
    "paper_id": "PMC7417471",
    "metadata": {"title": "On bubbles", "authors": [{"first": "Ann", "middle": [], "last": "Author"}]},
    "abstract": [{"text": "We grew bubbles.", "section": "Abstract"}, {"text": "They burst.", "section": "Abstract"}],
    "body_text": [
        {"text": f"First {LONG}.", "section": "Cells ::: Methods", "cite_spans": [], "ref_spans": []},
        {"text": f"Second {LONG}.", "section": "Media ::: Methods"},
        {"text": f"Third {LONG}.", "section": "Media ::: Methods"},
        {"text": f"Fourth {LONG}.", "section": "Deep ::: Media ::: Methods"},
        {"text": f"Fifth {LONG}.", "section": "Results"},
    ],
    "bib_entries": {},
}


def source(content, name="papers/some.json"):
    if isinstance(content, dict):
        content = json.dumps(content)
    return Source(name, io.BufferedReader(io.BytesIO(content.encode() if isinstance(content, str) else content)))


def documents(content):
    return list(s2orc.read(source(content)))


def read(content):
    (document,) = documents(content)
    return document.paper


def places(paper):
    return [("/".join(place.path), place.text) for place in paper.paragraphs()]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["1", LONG]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def with_one_value_changed(record, data):
    """A copy of the record in which a value, drawn at any depth, is another."""
    here = copy = json.loads(json.dumps(record))
    while True:
        key = data.draw(st.sampled_from(sorted(here) if isinstance(here, dict) else range(len(here))))
        if not isinstance(here[key], dict | list) or not here[key] or data.draw(st.integers(0, 5)) == 0:
            here[key] = data.draw(VALUES)
            return copy
        here = here[key]

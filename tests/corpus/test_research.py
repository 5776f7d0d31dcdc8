import json

import pytest
from corpus.text_source import source
from hypothesis import given
from hypothesis import strategies as st

from futex.conversion import convert
from futex.corpus.document import Subjects
from futex.corpus.formats import research
from futex.corpus.paper import section
from futex.corpus.reading import read_documents
from futex.errors import InputError

LONG = "one two three four five six seven eight nine ten"
FUTEX = {
    "paper": "2140839178",
    "s2orc_id": "2874113",
    "title": "bubbles in water",
    "abstract": "we grew bubbles",
    "paragraphs": [
        {"section": "i. introduction (0)", "text": f"a {LONG}"},
        {"section": "methods (0)", "text": f"b {LONG}"},
        {"section": "methods (1)", "text": f"c {LONG}"},
        {"section": "i. introduction (0)", "text": f"d {LONG}"},
        {"section": "", "text": "too short"},
    ],
    "label": ["73836528", "185429906"],
    "reference": ["2151730221", "2133698785", "2151730221"],
}
MAPLE = {
    "paper": "2333162778",
    "venue": "103229351",
    "year": "1987",
    "title": "bubbles in water",
    "label": ["D005810"],
    "author": ["2162173344"],
    "reference": ["132232344"],
    "abstract": "we grew bubbles",
    "title_raw": "Bubbles in Water",
    "abstract_raw": "We grew bubbles.",
}
CANDIDATES = {"paper": "2140839178", "matched_label": ["26668531"]}
LABEL = {"label": "10389098", "name": ["batch file"], "definition": "", "combined_text": "batch file"}


def lines(*records):
    return "".join(f"{json.dumps(record)}\n" for record in records)


def read(*records):
    return list(research.read(source(lines(*records), "MAGCS/MAGCS_paper.json")))


def test_papers_of_the_research_code():
    ((paper, subjects),) = read(FUTEX)
    assert (paper.id, paper.title, paper.abstract) == ("2140839178", "bubbles in water", "we grew bubbles")
    assert paper.body == section(
        "",
        sections=[
            section("i. introduction", [f"a {LONG}", f"d {LONG}"]),
            section("methods", [f"b {LONG}"]),
            section("methods", [f"c {LONG}"]),
        ],
    )
    assert paper.references == ("2151730221", "2133698785")
    assert subjects == Subjects(ids=("73836528", "185429906"))


def test_papers_of_maple():
    ((paper, subjects),) = read(MAPLE)
    assert (paper.title, paper.abstract) == ("Bubbles in Water", "We grew bubbles.")
    assert paper.metadata == {"year": 1987, "venue": "103229351", "authors": ["2162173344"]}
    assert subjects.ids == ("D005810",)


def test_a_folder_of_theirs_gives_its_papers_and_their_gold(tmp_path):
    folder = tmp_path / "MAGCS"
    folder.mkdir()
    (folder / "MAGCS_paper.json").write_text(lines({**FUTEX, "abstract": LONG * 200}))
    (folder / "MAGCS_candidates.json").write_text(lines({**CANDIDATES, "matched_label": ["1"] * 2000}))
    (folder / "MAGCS_label.json").write_text(lines(LABEL))
    (folder / "labels.txt").write_text("2780583484\tpapyrus\t2\n")
    skipped = []
    assert [document.paper.id for document in read_documents(str(folder), on_skip=skipped.append)] == ["2140839178"]
    assert skipped == []
    gold = tmp_path / "gold.jsonl"
    convert(
        str(folder), papers=tmp_path / "p.jsonl", labels=None, gold=gold, terms="subjects", format=None, limit=None,
        on_skip=skipped.append,
    )  # fmt: skip
    assert json.loads(gold.read_text()) == {"id": "2140839178", "labels": ["185429906", "73836528"]}
    with pytest.raises(InputError, match="by ids only; take the vocabulary"):
        convert(
            str(folder), papers=tmp_path / "p.jsonl", labels=tmp_path / "l.jsonl", gold=None, terms="subjects",
            format=None, limit=None, on_skip=skipped.append,
        )  # fmt: skip


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"paper": ""}, 'line 1: the paper has no "paper"'),
        ({"title": 5}, '"title" must be text'),
        ({"label": "x"}, '"label" must be a list of texts'),
        ({"paragraphs": ["x"]}, '"paragraphs" must be a list of objects'),
    ],
)
def test_faults_are_named_in_one_line(change, what):
    with pytest.raises(InputError) as refused:
        read({**FUTEX, **change})
    assert what in str(refused.value)


@pytest.mark.parametrize("head", [b'{"paper_id": 1}', b'{"id": "1"}', b'{"label": 1, "name": 2}', b"[]", b""])
def test_does_not_recognise_other_files(head):
    assert not research.recognises(head)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*FUTEX, *MAPLE, "section"]), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from([*FUTEX, *MAPLE]), JSON))
def test_any_values_end_in_documents_or_one_clear_line(change):
    try:
        found, message = read({**MAPLE, **change}), ""
    except InputError as refused:
        found, message = [], str(refused)
    assert len(found) == (not message)
    assert "\n" not in message

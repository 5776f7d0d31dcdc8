"""Full papers in every format, and the evidence that comes back with their labels."""

import json

import numpy as np
import pytest
from corpus.jats_article import ARTICLE as JATS
from corpus.latex_article import ARTICLE as LATEX
from corpus.pubmed_record import RECORD as PUBMED
from corpus.pubmed_record import article_set
from corpus.s2orc_paper import NEWER
from corpus.tei_paper import PAPER as TEI
from corpus.test_markdown import ARTICLE as MARKDOWN
from corpus.test_pdf_hostile import PAPER as PDF
from serve.running import LABELS, a_paper

from futex.corpus.formats.jsonl import as_record
from futex.corpus.paper import Paper, section
from futex.hierarchy.bi_encoder import BiEncoder
from futex.pipeline import FuTex

CLASSIFY = "/api/projects/my-run/classify"
BRAIN = "The brain of ten old animals was cut into thin slices."
TEXT = f"On pulmonary tumours\n\nAbstract\n\nMice are treated.\n\nMethods\n\n{BRAIN}"


def sent(client, content: str | bytes, media: str, **query: int):
    return client.post(CLASSIFY, content=content, headers={"content-type": media}, params=query)


@pytest.mark.parametrize(
    ("media", "content"),
    [
        ("application/xml", JATS),
        ("text/xml", TEI),
        ("application/pdf", PDF),
        ("application/x-tex", LATEX),
        ("application/json", json.dumps(NEWER)),
        ("application/json", json.dumps(as_record(a_paper(1)))),
        ("text/markdown", MARKDOWN),
        ("text/plain; charset=utf-8", TEXT),
    ],
)
def test_every_format_as_body_and_as_file(client, media, content):
    body = sent(client, content, media)
    assert body.status_code == 200, body.text
    assert body.json()["paper"]["paragraphs"]
    form = client.post(CLASSIFY, files={"file": ("a", content, media)})
    assert form.json() == body.json()


def test_a_pubmed_record_is_a_paper_without_paragraphs(client):
    paper = sent(client, article_set(PUBMED), "text/xml").json()["paper"]
    assert (paper["abstract"], paper["paragraphs"]) == ("We grew E. coli. They burst.", [])
    several = sent(client, article_set(PUBMED, PUBMED), "text/xml")
    assert (several.status_code, "several" in several.text) == (422, True)


def test_a_file_of_unknown_type_goes_by_the_end_of_its_name(client):
    files = {"file": ("Paper.NXML", JATS, "application/octet-stream")}
    assert client.post(CLASSIFY, files=files).json() == sent(client, JATS, "application/xml").json()


def test_evidence_to_the_letter(client):
    answer = sent(client, TEXT, "text/plain").json()
    paper, labels = answer["paper"], {label["id"]: label for label in answer["labels"]}
    assert paper["sections"] == [{"heading": "Methods", "depth": 1, "parent": None, "first": 0, "count": 1}]
    assert labels["L1"]["indicated_by"] == "abstract"  # by a synonym in the title
    assert labels["L6"]["indicated_by"] == "full-text"
    (mention,) = labels["L1"]["mentions"]
    assert mention == {"name": "pulmonary tumours", "field": "title", "paragraph": None, "start": 3, "end": 20}
    (mention,) = labels["L6"]["mentions"]
    assert mention["field"] == "paragraph"
    assert paper["paragraphs"][mention["paragraph"]][mention["start"] : mention["end"]] == "brain"
    assert [step["name"] for step in labels["L1"]["path"]] == ["Topics", "Cancer", "Lung cancer"]
    assert labels["L1"]["source"] == "matching"
    assert labels["L6"]["source"] == "self-training"


def test_contributions_are_the_cosine_of_paper_and_label(client, run_folder):
    """score_B of Eq. (7), by the ranker itself."""
    paper = a_paper(3)
    answer = sent(client, json.dumps(as_record(paper)), "application/json").json()
    model = FuTex.from_pretrained(run_folder / "model")
    ranking = BiEncoder(model.plm, LABELS).rank([paper], {paper.id: [label["id"] for label in answer["labels"]]})
    score_b = dict(ranking[paper.id])
    for label in answer["labels"]:
        parts = label["contributions"]
        assert parts["abstract"] + sum(parts["paragraphs"]) == pytest.approx(score_b[label["id"]], abs=1e-5)
        introduction, methods, data = parts["sections"]
        assert introduction == pytest.approx(parts["paragraphs"][0], abs=1e-5)
        assert methods == pytest.approx(sum(parts["paragraphs"][1:]), abs=1e-5)
        assert data == pytest.approx(parts["paragraphs"][2], abs=1e-5)


def test_similarities_are_cosines(client, run_folder):
    paper = a_paper(3)
    answer = sent(client, json.dumps(as_record(paper)), "application/json").json()
    plm = FuTex.from_pretrained(run_folder / "model").plm
    label = answer["labels"][0]
    h_l, *h_p = plm.embed([LABELS[label["id"]].text, *(place.text for place in paper.paragraphs())])
    expected = [float(h @ h_l / np.linalg.norm(h) / np.linalg.norm(h_l)) for h in h_p]
    assert label["similarities"] == pytest.approx(expected, abs=1e-5)


def test_the_ranking_is_that_of_the_model(client, run_folder):
    paper = a_paper(2)
    expected = FuTex.from_pretrained(run_folder / "model").rank([paper])[paper.id]
    answer = sent(client, json.dumps(as_record(paper)), "application/json", top=4).json()
    assert tuple(label["id"] for label in answer["labels"]) == expected.labels[:4]
    assert [label["score"] for label in answer["labels"]] == pytest.approx(
        [score / 2 for score in expected.scores[:4]], abs=1e-5
    )


def test_nested_sections(client):
    body = section(
        "", ["A paragraph of enough words that stands before all sections of the paper."], a_paper(1).body.children
    )
    record = as_record(Paper("x", "T", "A.", body))
    sections = sent(client, json.dumps(record), "application/json").json()["paper"]["sections"]
    assert [(s["heading"], s["depth"], s["parent"], s["first"], s["count"]) for s in sections] == [
        ("Introduction", 1, None, 1, 1),
        ("Methods", 1, None, 2, 2),
        ("Data", 2, 1, 3, 1),
    ]


def test_texts_get_an_id_by_their_content(client):
    first, again = (sent(client, TEXT, "text/plain").json()["paper"]["id"] for _ in range(2))
    other = sent(client, TEXT + " More.", "text/plain").json()["paper"]["id"]
    assert first == again != other
    assert first.startswith("upload-")

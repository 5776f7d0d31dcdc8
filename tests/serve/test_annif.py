"""The client of Annif, as the registry has it, against our service."""

import io

import pytest
import requests
from annif_client import AnnifClient
from serve.running import BIOLOGY, a_service, listening_at


@pytest.fixture(scope="module")
def address(run_folder, tmp_path_factory):
    with listening_at(a_service([run_folder], feedback=tmp_path_factory.mktemp("learnt") / "f.sqlite")) as address:
        yield address


@pytest.fixture
def annif(address):
    return AnnifClient(f"{address}/v1/")


def test_info_and_projects(annif):
    assert annif.api_info["version"]
    (project,) = annif.projects
    assert project["project_id"] == "my-run"
    assert (project["name"], project["language"], project["is_trained"]) == ("My Run", "en", True)
    assert project["backend"] == {"backend_id": "futex"}
    assert project["vocab"] == {"vocab_id": "my-run", "languages": ["en"], "size": 9, "loaded": True}
    assert annif.get_project("my-run") == project


def test_unknown_project(annif):
    for ask in (annif.get_project, lambda name: annif.suggest(name, "text"), lambda name: annif.learn(name, [])):
        with pytest.raises(ValueError, match="Project 'none' not found"):
            ask("none")


def test_suggest(annif):
    found = annif.suggest("my-run", BIOLOGY)
    assert set(found[0]) == {"uri", "label", "notation", "score"}
    assert {"L1", "L2", "L5"} <= {label["uri"] for label in found}
    scores = [label["score"] for label in found]
    assert scores == sorted(scores, reverse=True)
    assert 1 >= scores[0] > 0
    assert annif.suggest("my-run", io.StringIO(BIOLOGY)) == found


def test_limit_and_threshold(annif):
    found = annif.suggest("my-run", BIOLOGY)
    assert annif.suggest("my-run", BIOLOGY, limit=2) == found[:2]
    threshold = found[1]["score"]
    kept = annif.suggest("my-run", BIOLOGY, threshold=threshold)
    assert kept == [label for label in found if label["score"] >= threshold]


def test_a_batch_has_what_its_texts_have_alone(annif):
    texts = [BIOLOGY, "Nothing of ours.", "The mouse and its brain."]
    answers = annif.suggest_batch("my-run", [{"text": text, "document_id": str(i)} for i, text in enumerate(texts)])
    assert [answer["document_id"] for answer in answers] == ["0", "1", "2"]
    assert [answer["results"] for answer in answers] == [annif.suggest("my-run", text) for text in texts]


def test_title_in_metadata_is_read(annif, address):
    """The one text has no name of a label in it; its title has."""
    url = f"{address}/v1/projects/my-run/suggest"
    form = {"text": "Nothing of ours.", "metadata_title": "Pulmonary tumours", "limit": 1}
    assert requests.post(url, data=form).json()["results"][0]["uri"] == "L1"
    batch = [{"text": "Nothing of ours.", "metadata": {"title": "Pulmonary tumours"}}]
    assert annif.suggest_batch("my-run", batch, limit=1)[0]["results"][0]["uri"] == "L1"


def test_other_metadata_is_left_aside(annif, address):
    """However it is called, it does not make the text look like a paper of another format."""
    names = ("references", "sections", "paragraphs")
    batch = [{"text": BIOLOGY, "metadata": {name: "x"}} for name in names]
    expected = annif.suggest("my-run", BIOLOGY)
    assert [answer["results"] for answer in annif.suggest_batch("my-run", batch)] == [expected] * 3
    form = {"text": BIOLOGY, "metadata_references": "x", "no_metadata_title": "The brain"}
    assert requests.post(f"{address}/v1/projects/my-run/suggest", data=form).json()["results"] == expected


def test_a_field_is_as_long_as_a_form_may_be(annif, address):
    """Each of these letters is six bytes of a form."""
    assert annif.suggest("my-run", "мышь " * 45_000 + "mouse", limit=1)[0]["uri"] == "L2"
    fields = {f"metadata_{i}": "x" for i in range(1000)}
    response = requests.post(f"{address}/v1/projects/my-run/suggest", data={"text": "x", **fields})
    assert (response.status_code, response.json()["detail"]) == (400, "more than 1,000 fields")


def test_learn_keeps_texts_and_subjects(annif, address):
    subjects = [{"uri": "L2", "label": "Mice"}, {"uri": "unknown"}]
    response = annif.learn("my-run", [{"text": "A mouse in a house.", "subjects": subjects}, {"text": "no subjects"}])
    assert response.status_code == 204
    gold = requests.get(f"{address}/api/projects/my-run/feedback/gold").text
    papers = requests.get(f"{address}/api/projects/my-run/feedback/papers").text
    assert '"labels": ["L2"]' in gold
    assert "A mouse in a house." in papers
    assert "no subjects" not in papers


def test_language_of_another_vocabulary(address):
    response = requests.post(f"{address}/v1/projects/my-run/suggest", data={"text": "x", "language": "fi"})
    assert response.status_code == 400
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["detail"] == 'language "fi" not supported by vocabulary'


def test_languages_are_not_detected(annif):
    """The client tells it as it would of an unknown project."""
    with pytest.raises(ValueError, match="Not Found"):
        annif.detect_language("Some text", ["en", "fi"])


def test_vocabularies(address):
    vocabs = requests.get(f"{address}/v1/vocabs").json()["vocabs"]
    assert vocabs == [{"vocab_id": "my-run", "languages": ["en"], "size": 9, "loaded": True}]

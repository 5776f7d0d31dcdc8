"""The papers of a run, filtered; the corpus as a whole. Expected values come from predictions.jsonl itself."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from serve.running import SCRIPT, a_paper, a_service, answering

from futex.evaluation.predictions import predictions_in
from futex.files import replacing
from futex.labels.label import Label, LabelSpace
from futex.serve import answering as module
from futex.serve import projection
from futex.serve.corpus import _texts
from futex.serve.coverage import Coverage
from futex.serve.projection import principal_components

PAPERS = "/api/projects/my-run/papers"
CORPUS = "/api/projects/my-run/corpus"


@pytest.fixture(scope="module")
def predicted(run_folder):
    """Label to confidence for each paper: scores are sums of two reciprocal ranks."""
    return {
        line["paper"]: {label["id"]: label["score"] / 2 for label in line["labels"]}
        for line in predictions_in(run_folder / "predictions.jsonl")
    }


def listed(client, **query):
    return client.get(PAPERS, params=query).json()


def ids(client, **query):
    return [paper["id"] for paper in listed(client, limit=200, **query)["papers"]]


def test_pages(client, predicted):
    assert ids(client) == list(predicted)
    page = listed(client, offset=3, limit=2)
    assert page["total"] == 12
    assert [paper["id"] for paper in page["papers"]] == list(predicted)[3:5]
    first = listed(client, limit=1, top=2)["papers"][0]
    assert first["title"] == a_paper(0).title
    assert [label["id"] for label in first["labels"]] == list(predicted["10.1/d0"])[:2]


@pytest.mark.parametrize("order", ["corpus", "least-confident", "most-confident"])
@pytest.mark.parametrize("title", ["", "computing"])
def test_the_page_around_a_paper(client, predicted, order, title):
    """Papers that do not pass have a place, too: behind those that come before them when all are listed."""
    everything, passing = ids(client, order=order), ids(client, order=order, title=title)
    for at, paper in enumerate(everything):
        ahead = len([one for one in everything[:at] if one in passing])
        page = listed(client, order=order, title=title, around=paper, limit=3)
        assert page["before"] == ahead
        assert page["offset"] == 3 * (min(ahead, len(passing) - 1) // 3)
        assert [one["id"] for one in page["papers"]] == passing[page["offset"] : page["offset"] + 3]


def test_there_is_no_page_around_a_paper_that_is_unknown(client, predicted):
    page = listed(client, around="gone", offset=2, limit=1)
    assert (page["before"], page["offset"], page["papers"][0]["id"]) == (None, 2, list(predicted)[2])
    assert listed(client, around="10.1/d5", title="no title holds this")["offset"] == 0


def test_filter_by_label(client, predicted):
    expected = [paper for paper, labels in predicted.items() if "L1" in list(labels)[:5]]
    assert ids(client, label="L1") == expected
    assert listed(client, label="L1", limit=1)["papers"][0]["confidence"] == pytest.approx(
        predicted[expected[0]]["L1"], abs=1e-5
    )
    assert client.get(PAPERS, params={"label": "none"}).status_code == 404


def test_filter_by_confidence(client, predicted):
    best = {paper: max(labels.values()) for paper, labels in predicted.items()}
    middle = sorted(best.values())[6]
    assert set(ids(client, min_confidence=middle)) == {paper for paper, score in best.items() if score >= middle}
    unsure = ids(client, order="least-confident")
    assert [best[paper] for paper in unsure] == sorted(best.values())


def test_modules_that_disagree(client, predicted):
    """They agree on the best label if both rank it first, 1 + 1; else it is first for one of them, 1 + 1/r."""
    best = {paper: max(labels.values()) for paper, labels in predicted.items()}
    assert ids(client, disagreement="modules") == [paper for paper, score in best.items() if 0.5 < score < 1]


def test_people_who_disagree(client, predicted):
    accepted, rejected, added, below = "10.1/d1", "10.1/d3", "10.1/d5", "10.1/d7"
    best = {paper: next(iter(predicted[paper])) for paper in (accepted, rejected)}
    missing, lower = (
        next(label for label in ("T", "L7", "L4") if label not in list(predicted[paper])[:5])
        for paper in (added, below)
    )
    for paper, label, verdict in [
        (accepted, best[accepted], "accept"),
        (rejected, best[rejected], "reject"),
        (added, missing, "add"),
        (below, lower, "accept"),
    ]:
        body = {"paper": paper, "label": label, "verdict": verdict}
        assert client.put("/api/projects/my-run/feedback", json=body).status_code == 200
    assert ids(client, disagreement="people") == [rejected, added, below]
    assert ids(client, reviewed=True) == [accepted, rejected, added, below]
    assert len(ids(client, reviewed=False)) == 8
    assert added in ids(client, label=missing)


def test_titles_are_searched(client):
    assert ids(client, title="BIOLOGY <script>") == [f"10.1/d{i}" for i in range(1, 12, 2)]


def test_one_paper_with_its_evidence(client, predicted):
    one = client.get(f"{PAPERS}/one", params={"id": "10.1/d3"}).json()
    assert one["classified"]["paper"]["title"] == f"On biology {SCRIPT} 3"
    assert [label["id"] for label in one["classified"]["labels"]] == list(predicted["10.1/d3"])
    assert one["predicted"][0]["evidence"][0]["kind"] == "name"
    assert client.get(f"{PAPERS}/one", params={"id": "none"}).status_code == 404


def test_verdicts_on_labels_that_are_not_shown(run_folder, tmp_path, predicted):
    first, second = list(predicted["10.1/d3"])[:2]
    missing = next(label for label in ("T", "L7") if label not in predicted["10.1/d3"])
    with answering(a_service([run_folder], feedback=tmp_path / "f.sqlite")) as client:
        for label, verdict in [(first, "accept"), (second, "reject"), (missing, "add")]:
            body = {"paper": "10.1/d3", "label": label, "verdict": verdict}
            assert client.put("/api/projects/my-run/feedback", json=body).status_code == 200
        one = client.get(f"{PAPERS}/one", params={"id": "10.1/d3", "top": 1}).json()
    assert [(label["id"], label["verdict"]) for label in one["predicted"]] == [(first, "accept")]
    assert {(label["id"], label["verdict"]) for label in one["also_judged"]} == {(second, "reject"), (missing, "add")}


def test_a_run_that_is_made_anew_meanwhile(run_folder, tmp_path):
    """Its papers come in another order; those of the service stay as they were."""
    served = shutil.copytree(run_folder, tmp_path / "served")
    with answering(a_service([served], cache=run_folder.parent / "cache")) as client:
        lines = (served / "predictions.jsonl").read_text().splitlines(keepends=True)
        with replacing(served / "predictions.jsonl") as anew:
            anew.write_text("".join(reversed(lines)))
        one = client.get("/api/projects/served/papers/one", params={"id": "10.1/d3"}).json()
    assert [label["name"] for label in one["predicted"]] == [label["name"] for label in one["classified"]["labels"]]


def test_a_folder_that_is_renamed_meanwhile(run_folder, tmp_path):
    served = shutil.copytree(run_folder, tmp_path / "served")
    with answering(a_service([served], cache=run_folder.parent / "cache")) as client:
        served.rename(tmp_path / "renamed")
        for path in ("/v1/projects", "/api/version", "/api/projects/served/papers/one?id=10.1/d3"):
            assert client.get(path).status_code == 200


def test_a_paper_without_labels_is_shown_all_the_same(run_folder, tmp_path):
    bare = shutil.copytree(run_folder, tmp_path / "bare")
    lines = [json.loads(line) for line in (bare / "predictions.jsonl").read_text().splitlines()]
    (bare / "predictions.jsonl").write_text("".join(json.dumps({**line, "labels": []}) + "\n" for line in lines))
    with answering(a_service([bare], cache=run_folder.parent / "cache")) as client:
        one = client.get("/api/projects/bare/papers/one", params={"id": "10.1/d3"})
        assert one.status_code == 200
        assert one.json()["classified"]["labels"] == []


def test_neighbours_by_citation(client):
    """d5 cites d3 and is cited by d7; all odd papers cite 10.2/biology."""
    found = client.get(f"{PAPERS}/neighbours", params={"id": "10.1/d5"}).json()
    assert [paper["id"] for paper in found["cites"]] == ["10.1/d3"]
    assert [paper["id"] for paper in found["cited_by"]] == ["10.1/d7"]
    assert {paper["id"] for paper in found["shared_references"]} == {f"10.1/d{i}" for i in (1, 3, 7, 9, 11)}


def moved_away(run_folder: Path, to: Path, *, with_shards: bool) -> Path:
    """A run whose corpus lies elsewhere; where it should lie is another one."""
    moved = shutil.copytree(run_folder, to / "moved")
    config = json.loads((moved / "config.json").read_text())
    config["inputs"]["papers"]["path"] = "papers.jsonl"
    (moved / "config.json").write_text(json.dumps(config))
    (to / "papers.jsonl").write_text('{"id": "other"}\n')
    if not with_shards:
        shutil.rmtree(moved / "shards")
    return moved


def test_a_run_keeps_its_papers(run_folder, tmp_path):
    moved = moved_away(run_folder, tmp_path, with_shards=True)
    with answering(a_service([moved])) as client:
        one = client.get("/api/projects/moved/papers/one", params={"id": "10.1/d3"}).json()
        assert one["classified"]["paper"]["title"].startswith("On biology")


def test_without_the_papers_excerpts_remain(run_folder, tmp_path):
    """The run's own copies were removed, and its corpus was moved or altered."""
    moved = moved_away(run_folder, tmp_path, with_shards=False)
    with answering(a_service([moved])) as client:
        one = client.get("/api/projects/moved/papers/one", params={"id": "10.1/d3"}).json()
        assert one["classified"] is None
        assert "lung cancer" in one["predicted"][0]["evidence"][0]["text"]
        assert client.get("/api/projects/moved/corpus").json()["has_texts"] is False
        assert client.get("/api/projects/moved/corpus/map").status_code == 404


def test_numbers_of_the_corpus(client, predicted):
    numbers = client.get(CORPUS).json()
    used = {label for labels in predicted.values() for label in list(labels)[:5]}
    assert (numbers["papers"], numbers["labels"], numbers["labels_used"]) == (12, 9, len(used))
    unsure = [paper for paper, labels in predicted.items() if max(labels.values()) < 0.5]
    assert numbers["papers_without_confident_label"] == len(unsure)


def test_label_frequencies(client, predicted):
    counts = {label["id"]: label["papers"] for label in client.get(f"{CORPUS}/labels").json()["labels"]}
    for label, count in counts.items():
        assert count == sum(label in list(labels)[:5] for labels in predicted.values())
    assert list(counts.values()) == sorted(counts.values(), reverse=True)


def test_branches(client, predicted):
    """Cancer is itself and lung cancer; a paper with both counts once."""
    (top,) = client.get(f"{CORPUS}/branches").json()["branches"]
    assert (top["id"], top["labels"], top["narrower"]) == ("T", 9, 6)
    assert top["papers"] == sum(bool(labels) for labels in predicted.values())
    branches = client.get(f"{CORPUS}/branches", params={"under": "T"}).json()["branches"]
    sizes = [(branch["labels"], branch["papers"]) for branch in branches]
    assert sizes == sorted(sizes, reverse=True)
    below = {branch["id"]: branch for branch in branches}
    assert (below["L7"]["labels"], below["L3"]["labels"]) == (2, 2)
    assert below["L7"]["papers"] == sum(bool({"L1", "L7"} & set(list(p)[:5])) for p in predicted.values())


def test_branches_that_meet_again_and_circles():
    """a is above b and c, both are above d, and d claims to be above a: each branch is everything, once."""
    broader = {"a": ("d",), "b": ("a",), "c": ("a",), "d": ("b", "c", "unknown")}
    labels = LabelSpace(Label(name, name, broader=above) for name, above in broader.items())
    coverage = Coverage(SimpleNamespace(space=labels, labels=np.array([[3, 1], [2, -1], [-1, -1]])))
    assert coverage.papers.tolist() == [0, 1, 1, 1]
    assert coverage.branch_papers.tolist() == [2, 2, 2, 2]
    assert coverage.branch_labels.tolist() == [4, 4, 4, 4]
    assert coverage.branch_used.tolist() == [3, 3, 3, 3]


def test_the_map_is_made_once(client, run_folder):
    first = client.get(f"{CORPUS}/map").json()
    assert first["state"] in ("computing", "ready")
    while (answer := client.get(f"{CORPUS}/map").json())["state"] != "ready":
        assert answer["total"] == 12
    points = {point["paper"]: (point["x"], point["y"]) for point in answer["points"]}
    assert len(points) == 12
    sides = [{points[f"10.1/d{i}"][0] > 0 for i in range(start, 12, 2)} for start in (0, 1)]
    assert sides in ([{True}, {False}], [{False}, {True}])  # the two topics lie apart
    with answering(a_service([run_folder])) as another:
        assert another.get(f"{CORPUS}/map").json() == answer


def map_when_made(client):
    """However it ends."""
    while (answer := client.get(f"{CORPUS}/map")).json().get("state") == "computing":
        pass
    return answer


def test_a_map_that_failed_can_be_asked_for_again(run_folder, tmp_path, monkeypatch):
    monkeypatch.setattr(projection, "principal_components", lambda _: 1 / 0)
    with answering(a_service([run_folder], feedback=tmp_path / "f.sqlite", cache=tmp_path / "cache")) as client:
        assert map_when_made(client).status_code == 500
        monkeypatch.undo()
        assert map_when_made(client).json()["state"] == "ready"


def test_a_map_is_made_in_little_memory_and_where_it_cannot_be_kept(run_folder, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "REMEMBERED", 10)
    (tmp_path / "maps").write_text("a file where the folder should be")
    service = a_service([run_folder], feedback=tmp_path / "f.sqlite", cache=tmp_path)
    with answering(service) as client:
        assert len(map_when_made(client).json()["points"]) == 12
        assert len(service.projects["my-run"].loaded.model.plm._vectors._rows) <= 10


@pytest.mark.parametrize("content", [b"", b"no map", b"\x93NUMPY"])
def test_a_damaged_map_is_made_again(tmp_path, content):
    (tmp_path / "map.npy").write_bytes(content)
    assert projection.read_map(tmp_path / "map.npy", 12) is None


def test_corrected_texts_have_another_map():
    before, after = (_texts([paper]) for paper in (a_paper(1), replace(a_paper(1), abstract="Corrected.")))
    paths = {projection.map_file(Path(), "plm", texts.digest, ["10.1/d1"]) for texts in (before, after)}
    assert len(paths) == 2


def test_principal_components_against_svd():
    vectors = np.random.default_rng(0).standard_normal((30, 8)).astype(np.float32)
    points = principal_components(vectors)
    u, s, _ = np.linalg.svd(vectors - vectors.mean(axis=0), full_matrices=False)
    expected = u[:, :2] * s[:2]
    expected /= np.abs(expected).max()
    assert np.abs(points).max() == pytest.approx(1)
    np.testing.assert_allclose(np.abs(points), np.abs(expected), atol=1e-5)


def test_a_model_alone_has_no_papers(run_folder, tmp_path):
    model = shutil.copytree(run_folder / "model", tmp_path / "Model (é)")
    with answering(a_service([model, model])) as client:
        states = client.get("/api/projects").json()["projects"]
        assert [state["id"] for state in states] == ["model", "model-2"]
        assert {state["corpus"] for state in states} == {"none"}
        assert client.get("/api/projects/model/papers").status_code == 404

"""A model that scores names is served like any other."""

import pytest
from serve.running import LABELS, a_paper, a_service, answering, make_run

from futex.config import RECIPES
from futex.pipeline import FuTex


@pytest.mark.parametrize("plm", ["fake", "none"])
def test_names_are_answered_and_explained(tmp_path, plm):
    papers = [a_paper(i) for i in range(6)]
    FuTex(RECIPES["best"].but(plm=plm), cache=tmp_path / "cache").fit(papers, LABELS).save_pretrained(tmp_path / "best")
    cached = sorted((tmp_path / "cache").rglob("rows"), key=str)
    before = [path.stat().st_size for path in cached]
    with answering(a_service([tmp_path / "best"], feedback=tmp_path / "f.sqlite", cache=tmp_path / "cache")) as client:
        text = "Something else about lung cancer in mice, which nobody wrote before, in quite a few words."
        suggested = client.post("/v1/projects/best/suggest", data={"text": text}).json()["results"]
        assert suggested[0]["label"] == "Lung cancer"
        assert all(0 <= result["score"] <= 1 for result in suggested)
        explained = client.post("/api/projects/best/classify", content=text, headers={"content-type": "text/plain"})
        label = explained.json()["labels"][0]
        assert label["name"] == "Lung cancer"
        assert label["mentions"]
        assert label["applies"] is True
    assert [path.stat().st_size for path in cached] == before


def test_its_run_is_reviewed_like_any_other_but_it_has_no_modules_to_disagree(tmp_path):
    run = make_run(tmp_path, RECIPES["best"].but(plm="none"))
    with answering(a_service([run])) as client:
        assert client.get("/api/projects").json()["projects"][0]["modules"] == 1
        papers = "/api/projects/my-run/papers"
        assert client.get(papers).json()["total"] == 12
        assert client.get(papers, params={"min_confidence": 0.01, "max_confidence": 0.99}).json()["total"] > 0
        assert client.get(papers, params={"disagreement": "modules"}).json()["total"] == 0
        labels = client.get(f"{papers}/one", params={"id": "10.1/d1"}).json()["classified"]["labels"]
        assert (labels[0]["name"], labels[0]["contributions"]) == ("Lung cancer", None)
        assert labels[0]["mentions"]
        assert [label["applies"] for label in labels[:1] + labels[-1:]] == [True, False]
        refused = client.get("/api/projects/my-run/corpus/map")
        assert (refused.status_code, refused.json()["detail"][:15]) == (404, "There is no map")

"""A model that scores names is served like any other."""

import pytest
from serve.running import LABELS, a_paper, a_service, answering

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
    assert [path.stat().st_size for path in cached] == before

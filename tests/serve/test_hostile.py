"""Files that mean harm: each gets its status code, and the service goes on."""

import gzip
import io
import json
import random
import zipfile
from pathlib import Path

import pytest
from corpus.jats_article import ARTICLE as JATS
from serve.running import SCRIPT

from futex.serve.routes.classify import KINDS

CLASSIFY = "/api/projects/my-run/classify"
SUGGEST = "/v1/projects/my-run/suggest"
LONG = "one two three four five six seven eight nine ten eleven"


def sent(client, content, media):
    return client.post(CLASSIFY, content=content, headers={"content-type": media})


def bomb() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("paper.xml", b" " * 20_000_000)
    return file.getvalue()


NOISE = {
    "empty": b"",
    "zeros": bytes(5000),
    "noise": random.Random(0).randbytes(5000),
    "zip bomb": bomb(),
    "gzip bomb": gzip.compress(b" " * 20_000_000),
    "cut off": JATS.encode()[:700],
    "deep": b"[" * 200_000,
    "deep objects": b'{"a":' * 100_000,
    "brackets": b"{" * 100_000,
    "backslashes": b"\\input{" * 50_000,
    "pdf head": b"%PDF-1.7\n" + random.Random(1).randbytes(3000),
}


@pytest.mark.parametrize("media", sorted(KINDS))
def test_noise_of_every_kind_under_every_type(client, media):
    statuses = {name: sent(client, content, media).status_code for name, content in NOISE.items()}
    if KINDS[media].formats in (("text",), ("markdown",), ("latex",)):  # these find text in anything, or none
        assert set(statuses.values()) <= {200, 422}, statuses
    else:
        assert set(statuses.values()) == {422}, statuses
    assert client.get("/health").status_code == 200


@pytest.mark.parametrize("kind", ["billion laughs", "a file", "an address"])
def test_entities_are_not_resolved(client, kind, tmp_path):
    (tmp_path / "secret").write_text("the secret of the house is kept in a box under a stone")
    definitions = {
        "billion laughs": '<!ENTITY a0 "ha">' + "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 10)),
        "a file": f'<!ENTITY a9 SYSTEM "file://{tmp_path}/secret">',
        "an address": '<!ENTITY a9 SYSTEM "http://127.0.0.1:1/secret">',
    }
    article = (
        f"<!DOCTYPE article [{definitions[kind]}]><article><front><article-meta><title-group><article-title>T"
        f"</article-title></title-group><abstract><p>A mouse. {LONG} &a9;</p></abstract></article-meta></front>"
        "</article>"
    )
    answer = sent(client, article, "application/xml")
    assert answer.status_code in (200, 422)
    assert "secret of the house" not in answer.text
    assert len(answer.text) < 100_000


def test_a_paper_cannot_ask_for_files(client, tmp_path):
    (tmp_path / "secret.tex").write_text(LONG + " secret")
    paper = rf"\documentclass{{article}}\begin{{document}}\input{{{tmp_path}/secret}} {LONG} \end{{document}}"
    answer = sent(client, paper, "application/x-tex")
    assert "secret" not in answer.text.replace(f"{tmp_path}/secret", "")


@pytest.mark.parametrize(
    "name", ["../../../tmp/evil.xml", "/etc/passwd.xml", "a\x00b.xml", "C:\\x.xml", "é\n.xml", "x" * 5000]
)
def test_names_lead_nowhere(client, name, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    answer = client.post(CLASSIFY, files={"file": (name, f"{LONG}\n\n{LONG} mouse", "text/plain")})
    assert answer.status_code in (200, 400)
    assert list(tmp_path.iterdir()) == []
    assert not Path("/tmp/evil.xml").exists()
    if answer.status_code == 200:
        assert answer.json()["paper"]["id"].startswith("upload-")


def test_broken_forms(client):
    multipart = {"content-type": "multipart/form-data; boundary=x"}
    for body in (
        b"",
        b"--x\r\n",
        b"--y--\r\n",
        b'--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nno file\r\n--x--\r\n',
    ):
        assert client.post(CLASSIFY, content=body, headers=multipart).status_code in (400, 422)
    assert client.post(CLASSIFY, content=b"x", headers={"content-type": "multipart/form-data"}).status_code in (
        400,
        422,
    )
    two = [("file", ("a.txt", LONG, "text/plain")), ("file", ("b.txt", LONG, "text/plain"))]
    assert client.post(CLASSIFY, files=two).status_code == 400


@pytest.mark.parametrize(
    "body",
    [b"", b"null", b"[]", b"3", b'{"documents": 1}', b'{"documents": [{"text": 1}]}', b'{"documents": [{}]}',
     b"[" * 100_000, b'{"documents": [{"text": "\\ud800"}]}', b"\xff\xfe",
     json.dumps({"documents": [{"text": "x"}] * 33}).encode()],
)  # fmt: skip
def test_wrong_json(client, body):
    answer = client.post(f"{SUGGEST}-batch", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_small_file_of_very_many_sections(client):
    """Evidence has a number for each section and each label: such a paper would have a hundred times its size."""
    sections = [{"heading": "A", "paragraphs": ["a b c d e f g h i j"]}] * 3000
    answer = sent(client, json.dumps({"id": "x", "abstract": LONG, "sections": sections}), "application/json")
    assert answer.status_code == 413
    assert "sections and paragraphs" in answer.json()["detail"]


def test_several_papers_in_one_file(client):
    lines = "\n".join(json.dumps({"id": str(i), "abstract": LONG}) for i in range(3))
    answer = sent(client, lines, "application/json")
    assert answer.status_code == 422
    assert "one paper at a time" in answer.json()["detail"]


def test_scripts_come_back_as_text(client):
    record = {"id": SCRIPT, "title": f"A mouse at night {SCRIPT}", "abstract": LONG, "sections": []}
    answer = sent(client, json.dumps(record), "application/json")
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.json()["paper"]["title"] == record["title"]
    refused = client.get(f"/v1/projects/{SCRIPT}")
    assert refused.status_code == 404
    assert refused.headers["content-type"] == "application/problem+json"

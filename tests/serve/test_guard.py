"""Who may ask, from where, how much and how slowly."""

import pytest
import requests
from serve.running import BIOLOGY, a_service, all_of, answering, connected, listening_at

from futex.errors import InputError
from futex.serve.answering import Answerer
from futex.serve.metrics import Metrics
from futex.serve.settings import Limits, Settings

CLASSIFY = "/api/projects/my-run/classify"
SUGGEST = "/v1/projects/my-run/suggest"


@pytest.fixture
def guarded(run_folder, tmp_path):
    """Opens a service with other settings."""

    def opened(limits=None, **settings):
        return answering(a_service([run_folder], limits, feedback=tmp_path / "f.sqlite", **settings))

    return opened


def test_a_key_is_asked_for(guarded):
    with guarded(api_key="sesame") as client:
        for path in ("/v1/projects", "/metrics", "/openapi.json", "/api/version"):
            assert client.get(path).status_code == 401
            assert client.get(path, headers={"x-api-key": "sésame".encode()}).status_code == 401
            assert client.get(path, headers={"x-api-key": "sesame"}).status_code == 200
        for path in ("/health", "/ready", "/", "/page/app.js"):
            assert client.get(path).status_code == 200


@pytest.mark.parametrize("key", ["", " ", "sesame\n", " sesame", "sésame"])
def test_keys_that_keep_everybody_out_or_nobody(key):
    with pytest.raises(InputError, match="FUTEX_API_KEY"):
        Settings(api_key=key)
    assert Settings(api_key="open sesame").api_key == "open sesame"


@pytest.mark.parametrize("origin", ["", "*", "a.example", "https://a.example/", "https://A.example", "null"])
def test_origins_that_no_page_names_or_any_page_may(origin):
    with pytest.raises(InputError, match="name a site as browsers do"):
        Settings(allow_origins=("http://localhost:8080", origin))


def test_another_host_or_origin(guarded):
    with guarded() as client:
        assert client.get("/health", headers={"host": "evil.example:8000"}).status_code == 421
        assert client.get("/health", headers={"host": "localhost:8000"}).status_code == 200
        assert client.get("/health", headers={"host": "[::1]:8000"}).status_code == 200
        for origin, status in [("https://evil.example", 403), ("null", 403), ("http://127.0.0.1", 200)]:
            assert client.post(SUGGEST, data={"text": "x"}, headers={"origin": origin}).status_code == status


def test_other_origins_only_if_allowed(guarded):
    asks = {"origin": "https://a.example", "access-control-request-method": "POST"}
    with guarded() as client:
        assert "access-control-allow-origin" not in client.get("/health", headers=asks).headers
    with guarded(allow_origins=("https://a.example",), api_key="k") as client:
        assert client.options(SUGGEST, headers=asks).headers["access-control-allow-origin"] == "https://a.example"
        assert client.post(SUGGEST, data={"text": "x"}, headers={**asks, "x-api-key": "k"}).status_code == 200
        assert client.post(SUGGEST, headers={"origin": "https://b.example"}).status_code == 403
        refused = client.post(SUGGEST, data={"text": "x"}, headers=asks)
        assert refused.status_code == 401
        assert refused.headers["access-control-allow-origin"] == "https://a.example"  # the page may read why


def test_headers_are_on_every_answer(client, monkeypatch):
    monkeypatch.setattr(Answerer, "__call__", lambda *_: 1 / 0)
    answers = [client.get("/"), client.get("/none"), client.post(SUGGEST, data={"text": BIOLOGY})]
    assert [answer.status_code for answer in answers] == [200, 404, 500]
    for answer in answers:
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert answers[2].json()["detail"] == "the service failed at this request; its log says more"
    assert "ZeroDivision" not in answers[2].text


def test_the_page_loads_nothing_from_elsewhere(client):
    page = client.get("/").text
    assert "http" not in page.replace("http-equiv", "")
    assert "style=" not in page
    for name in ("app.js", "style.css"):
        assert f"/page/{name}" in page
        assert client.get(f"/page/{name}").status_code == 200
    assert client.get("/page/../service.py").status_code == 404
    assert client.get("/page/%2e%2e/service.py").status_code == 404


def test_too_much(guarded):
    with guarded(Limits(body_bytes=1000, upload_bytes=5000, characters=2000)) as client:
        assert client.post(SUGGEST, data={"text": "x" * 1000}).status_code == 413
        in_parts = (b"x" * 100 for _ in range(100))
        assert client.post(CLASSIFY, content=in_parts, headers={"content-type": "text/plain"}).status_code == 413
        long = "word " * 500
        assert client.post(CLASSIFY, content=long, headers={"content-type": "text/plain"}).status_code == 413
        assert client.post(SUGGEST, data={"text": "a mouse"}).status_code == 200
    with guarded(Limits(characters=20)) as client:
        assert client.post(SUGGEST, data={"text": "x" * 21}).status_code == 413
    with guarded(Limits(bytes_in_flight=10)) as client:
        for _ in range(3):
            assert client.post(SUGGEST, data={"text": "a mouse in a house"}).status_code == 429
            assert client.post(SUGGEST, data={"text": "x"}).status_code == 200  # those bytes are gone again


def test_what_was_too_large_leaves_the_count_of_bytes_as_it_was(guarded):
    with guarded(Limits(body_bytes=100, bytes_in_flight=80)) as client:
        for _ in range(3):
            parts = iter([b"x" * 70, b"x" * 70])
            headers = {"content-type": "application/x-www-form-urlencoded"}
            assert client.post(SUGGEST, content=parts, headers=headers).status_code in (413, 429)
            assert client.post(SUGGEST, data={"text": "x" * 90}).status_code == 429


def test_methods_that_clients_make_up_are_counted_as_one(guarded):
    with guarded() as client:
        for method in ("BREW", "COOK"):
            client.request(method, "/health")
        counted = client.get("/metrics").text
    assert 'method="other",route="/health",status="405"} 2.0' in counted
    assert "BREW" not in counted


def test_wrong_lengths(client):
    for length in ("-1", "1e3", "9" * 30):
        assert client.post(SUGGEST, content=b"text=x", headers={"content-length": length}).status_code == 413


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET /health HT", b""),
        (b"", b""),
        (b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\nGET /again", b"HTTP/1.1 200"),
        (b"PUT /api/projects/my-run/feedback HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
         b"Content-Length: 99\r\n\r\n{", b"HTTP/1.1 408"),
    ],
)  # fmt: skip
def test_slow_clients_are_hung_up_on(run_folder, tmp_path, sent, status):
    limits = Limits(header_seconds=0.2, body_seconds=0.2)
    with listening_at(a_service([run_folder], limits, feedback=tmp_path / "f.sqlite")) as address:
        with connected(address) as connection:
            connection.sendall(sent)
            answer = all_of(connection)
        assert answer[: len(status)] == status


def test_who_is_answered_early_and_then_falls_silent_is_hung_up_on(run_folder, tmp_path):
    limits = Limits(body_seconds=0.2)
    service = a_service([run_folder], limits, feedback=tmp_path / "f.sqlite", api_key="sesame")
    with listening_at(service) as address, connected(address) as connection:
        connection.sendall(f"POST {SUGGEST} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n".encode())
        assert connection.recv(4096).startswith(b"HTTP/1.1 401")
        connection.sendall(b"x")
        assert all_of(connection).count(b"HTTP/1.1") == 0


@pytest.mark.parametrize("header", ["", "Connection: close\r\n"])
def test_answers_that_nobody_reads_are_given_up(run_folder, tmp_path, monkeypatch, header):
    """Two connections are one too many, so that the other one is answered only when the first is gone."""
    monkeypatch.setattr(Metrics, "text", lambda _: bytes(20_000_000))
    limits = Limits(body_seconds=0.2, connections=2)
    service = a_service([run_folder], limits, feedback=tmp_path / "f.sqlite")
    with listening_at(service) as address, connected(address) as connection:
        connection.sendall(f"GET /metrics HTTP/1.1\r\nHost: localhost\r\n{header}\r\n".encode())
        assert connection.recv(12) == b"HTTP/1.1 200"
        assert 200 in (requests.get(f"{address}/health").status_code for _ in range(1000))


@pytest.mark.parametrize(("charset", "status"), [("punycode", 415), ("undefined", 415), ("utf-7", 415), ("UTF-8", 200)])
def test_forms_are_not_decoded_as_they_wish(client, charset, status):
    """A megabyte of punycode takes many seconds, and "undefined" fails at any text."""
    file = f'--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n{BIOLOGY}\r\n--x--\r\n'
    headers = {"content-type": f'multipart/form-data; boundary=x; Charset="{charset}"'}
    assert client.post(CLASSIFY, content=file, headers=headers).status_code == status
    assert client.post(SUGGEST, content=file, headers=headers).status_code == 415
    headers = {"content-type": f'application/x-www-form-urlencoded; charset="{charset}"'}
    assert client.post(SUGGEST, content="text=mice", headers=headers).status_code == status


def test_wrong_content_types(client):
    json_form = {"text": BIOLOGY}
    assert client.post(SUGGEST, json=json_form).status_code == 415
    assert client.post(SUGGEST, files={"text": BIOLOGY}).status_code == 415
    assert client.post(f"{SUGGEST}-batch", data={"documents": "[]"}).status_code == 415
    for media in ("application/zip", "image/png", "", "text/html", "application/x-www-form-urlencoded"):
        assert client.post(CLASSIFY, content=b"x", headers={"content-type": media}).status_code == 415
    assert client.post(CLASSIFY, files={"file": ("a.exe", b"x", "application/octet-stream")}).status_code == 415

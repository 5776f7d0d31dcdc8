"""Requests that mean harm, on a real socket where the framework would mend them: each gets its status code."""

import json
import select
import socket
from collections.abc import Iterator

import pytest
from fastapi.exceptions import RequestValidationError
from serve.running import a_service, all_of, connected, listening_at

from futex.serve.settings import Limits

PROJECT = "/api/projects/my-run"
FORM = "application/x-www-form-urlencoded"


@pytest.fixture(scope="module")
def address(run_folder, tmp_path_factory) -> Iterator[str]:
    """It asks for a key, and has no patience."""
    feedback = tmp_path_factory.mktemp("requests") / "f.sqlite"
    service = a_service([run_folder], Limits(body_seconds=1), feedback=feedback, api_key="sesame")
    with listening_at(service) as address:
        yield address


@pytest.fixture
def connection(address) -> Iterator[socket.socket]:
    with connected(address) as connection:
        yield connection


def answered(connection: socket.socket) -> tuple[int, bytes]:
    """Status and all that came."""
    answer = all_of(connection)
    return int(answer.split()[1]), answer


def asked(connection: socket.socket, method: str, path: str, *headers: str, body: bytes = b"") -> tuple[int, bytes]:
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", "Connection: close", *headers]
    connection.sendall("\r\n".join([*lines, "", ""]).encode() + body)
    return answered(connection)


def test_a_body_that_drips(connection):
    """A byte now and then does not keep a request alive: the time is for all of it."""
    head = f"POST /v1/projects/my-run/suggest HTTP/1.1\r\nHost: localhost\r\nX-API-Key: sesame\r\nContent-Type: {FORM}"
    connection.sendall(f"{head}\r\nContent-Length: 1000\r\n\r\ntext=".encode())
    while not select.select([connection], [], [], 0.05)[0]:
        connection.sendall(b"x")
    status, answer = answered(connection)
    assert status == 408
    assert b"came too slowly" in answer


@pytest.mark.parametrize("key", ["X-API-Key: wrong", "X-API-Key: sesame2", "X-API-Key:", "Cookie: x-api-key=sesame"])
def test_a_wrong_key(connection, key):
    assert asked(connection, "GET", "/v1/projects", key)[0] == 401


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (["Host: evil.example"], 400),
        (["Content-Length: 1", "Content-Length: 2"], 400),
        (["X-API-Key: sesame", "Content-Length: 5", "Transfer-Encoding: chunked"], 400),
        (["Transfer-Encoding: gzip, chunked"], 400),
        (["X-API-Key: wrong", "X-API-Key: sesame"], 401),
        (["X-API-Key: sesame", "Content-Type: text/plain", f"Content-Type: {FORM}"], 415),
        (["No colon"], 400),
        (["X-Odd: a\x00b"], 400),
    ],
)
def test_headers_twice_or_broken(connection, headers, status):
    """Whatever two readers of a request could understand differently is refused."""
    assert asked(connection, "POST", "/v1/projects/my-run/suggest", *headers)[0] == status


@pytest.mark.parametrize("line", ["\x16\x03\x01\x02", "GET", "GET  /  HTTP/1.1"])
def test_what_is_no_request(connection, line):
    connection.sendall(f"{line}\r\nHost: localhost\r\n\r\n".encode("latin-1"))
    assert answered(connection)[0] == 400


@pytest.mark.parametrize("head", ["GET / HTTP/1.1\r\nX-Long: ", "GET /"])
def test_a_head_without_end(connection, head):
    connection.sendall(head.encode() + b"x" * 70_000)
    assert answered(connection)[0] == 400


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("HEAD", "/health", 405),
        ("TRACE", "/health", 405),
        ("OPTIONS", "/health", 405),
        ("CONNECT", "/health", 405),
        ("BREW", "/health", 405),
        ("POST", "/", 405),
        ("TRACE", "/page/app.js", 405),
        ("HEAD", "/page/app.js", 200),
        ("GET", "//etc/passwd", 404),
        ("GET", "/page/..%2f..%2fservice.py", 404),
        ("GET", "http://evil.example/health", 404),
    ],
)
def test_methods_and_addresses(connection, method, path, status):
    found, answer = asked(connection, method, path, "X-API-Key: sesame")
    assert found == status
    if status == 405 and path == "/health":
        assert b"\r\nallow: GET\r\n" in answer
    if method in ("HEAD", "TRACE"):
        assert b"sesame" not in answer


ABSURD = ["-1", "0.5", "1e9", "99999999999999999999999", "NaN", "", "١٢x", "null", "1 OR 1=1"]


@pytest.mark.parametrize(
    "parameter", ["papers?limit=", "papers?offset=", "labels/search?q=a&limit=", "corpus/labels?limit=", "papers?top="]
)
def test_absurd_numbers(client, parameter):
    statuses = {value: client.get(f"{PROJECT}/{parameter}{value}").status_code for value in ABSURD}
    assert set(statuses.values()) == {422}, statuses


def test_absurd_numbers_below_v1(client):
    """As Annif answers."""
    suggest = "/v1/projects/my-run/suggest"
    for value in ABSURD:
        for name in ("limit", "threshold"):
            if value == "" or (name, value) == ("threshold", "0.5"):
                continue  # as if not given, and in order
            status = client.post(suggest, data={"text": "a mouse", name: value}).status_code
            assert status == 400, (name, value, status)
    assert client.post(suggest, data={"text": "a mouse", "limit": 2**31 - 1}).status_code == 200


@pytest.mark.parametrize("deep", ["[" * 100_000, '{"a":' * 100_000, "[" * 50_000 + "]" * 50_000])
def test_deep_json(client, deep):
    headers = {"content-type": "application/json"}
    assert client.put(f"{PROJECT}/feedback", content=deep, headers=headers).status_code == 400
    assert client.post("/v1/projects/my-run/learn", content=deep, headers=headers).status_code == 400
    inside = f'{{"documents": [{{"text": "a mouse", "metadata": {{"title": {deep}}}}}]}}'
    assert client.post("/v1/projects/my-run/suggest-batch", content=inside, headers=headers).status_code == 400


MANY = 5000
UNREAD = {str(i): i for i in range(MANY)}


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/v1/projects/my-run/learn", [1] * MANY, 400),
        ("POST", "/v1/projects/my-run/learn", [{}] * 10_001, 400),
        ("POST", "/v1/projects/my-run/learn", [{"text": "a mouse", "subjects": [1] * MANY}], 400),
        ("POST", "/v1/projects/my-run/learn", [{"metadata": UNREAD}], 204),
        ("POST", "/v1/projects/my-run/suggest-batch", {"documents": [1] * MANY}, 400),
        ("POST", "/v1/projects/my-run/suggest-batch", {"documents": [{"text": "a mouse", "metadata": UNREAD}]}, 200),
        ("PUT", f"{PROJECT}/feedback", {"paper": "d", "label": "L1", "verdict": "accept", **UNREAD}, 200),
        ("PUT", f"{PROJECT}/feedback", UNREAD, 422),
    ],
)
def test_thousands_of_mistakes_are_not_all_told(client, monkeypatch, method, path, body, status):
    """Each of them would be an object of ours."""
    told, made = [], RequestValidationError.__init__

    def counted(self, errors, **more):
        told.append(len(errors))
        made(self, errors, **more)

    monkeypatch.setattr(RequestValidationError, "__init__", counted)
    assert client.request(method, path, json=body).status_code == status
    assert max(told, default=0) <= 33


@pytest.mark.parametrize(("number", "status"), [("1e999", 422), ("-1e999", 422), ("NaN", 422), ("9" * 5000, 400)])
def test_numbers_beyond_measure_in_json(client, number, status):
    body = f'{{"paper": {number}, "label": "L1", "verdict": "accept"}}'
    answer = client.put(f"{PROJECT}/feedback", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == status
    assert json.loads(answer.content)["status"] == status

"""`futex serve` as a user starts and ends it."""

import json
import shutil
import signal
import socket
import sys
from urllib.parse import urlencode

import pytest
import requests
from serve.processes import have_ended, serving
from serve.running import BIOLOGY, LABELS, a_paper, all_of
from test_cli import fails, futex

from futex.config import RECIPES
from futex.pipeline import FuTex
from futex.serve.server import address_of, listening
from futex.serve.settings import Limits, Settings

HEAD = (
    "POST /v1/projects/named/suggest HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
)
BODY = urlencode({"text": BIOLOGY})


@pytest.fixture(scope="module")
def named(tmp_path_factory):
    """A model that needs no PLM, and so starts soon."""
    folder = tmp_path_factory.mktemp("named")
    model = FuTex(RECIPES["best"].but(plm="none"), cache=folder / "cache")
    model.fit([a_paper(i) for i in range(6)], LABELS).save_pretrained(folder / "named")
    return folder / "named"


def test_it_asks_for_its_key_and_answers(named, tmp_path):
    with serving(named, tmp_path, FUTEX_API_KEY="sesame") as served:
        assert served.next_line() == "ready: named\n"
        assert requests.get(f"{served.address}/v1/projects").status_code == 401
        suggest = f"{served.address}/v1/projects/named/suggest"
        answer = requests.post(suggest, data={"text": BIOLOGY}, headers={"X-API-Key": "sesame"})
        assert "server" not in answer.headers
        assert answer.json()["results"]


def begin(connection: socket.socket, length: int) -> None:
    """A request that is being answered: the service asks for its body."""
    connection.sendall(f"{HEAD}Content-Length: {length}\r\nExpect: 100-continue\r\n\r\n".encode())
    assert connection.recv(10_000).startswith(b"HTTP/1.1 100")


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_once_all_is_answered(named, tmp_path, number):
    with serving(named, tmp_path) as served:
        assert served.next_line() == "ready: named\n"
        family = served.family()
        assert len(family) >= Limits().readers
        with served.connect() as idle, served.connect() as asking:
            begin(asking, len(BODY))
            idle.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert idle.recv(10_000).startswith(b"HTTP/1.1 200")
            served.tell(number)
            all_of(idle)  # the service hangs up on those who ask nothing
            asking.sendall(BODY.encode())
            answer = all_of(asking)
        assert answer.startswith(b"HTTP/1.1 200")
        assert b"Lung cancer" in answer
        assert served.end() == (0, "")
    assert have_ended(family)


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_a_second_signal_ends_it_at_once(named, tmp_path):
    with serving(named, tmp_path) as served:
        assert served.next_line() == "ready: named\n"
        family = served.family()
        with served.connect() as idle, served.connect() as asking:
            begin(asking, len(BODY))
            served.tell(signal.SIGINT)
            all_of(idle)
            served.tell(signal.SIGINT)
            assert served.end()[0] == 0
    assert have_ended(family)


def test_a_signal_ends_it_while_it_loads(named, tmp_path):
    with serving(named, tmp_path) as served:
        served.tell(signal.SIGTERM)
        assert served.end()[0] == 0


def test_wrong_folders(tmp_path):
    fails(futex("serve", str(tmp_path / "none")), "no such folder")
    fails(futex("serve", str(tmp_path)), "neither a model nor the folder of a run")


def test_a_damaged_model_ends_it(run_folder, tmp_path):
    damaged = shutil.copytree(run_folder, tmp_path / "damaged")
    (damaged / "model" / "labels.jsonl").write_text("{}")
    fails(futex("serve", str(damaged), "--port", "0", "--quiet"), "labels.jsonl was altered")


def test_a_port_that_is_taken(run_folder, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        done = futex("serve", str(run_folder), "--port", port, "--feedback", str(tmp_path / "f.sqlite"))
    fails(done, "choose another with --host or --port")


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="no IPv6 here")
def test_an_address_of_ipv6_is_told_as_browsers_take_it():
    with listening(Settings(host="::1", port=0)) as listener:
        port = listener.getsockname()[1]
        assert address_of(listener) == f"http://[::1]:{port}"


def test_the_extra_is_named_where_it_is_missing(run_folder, monkeypatch):
    monkeypatch.setattr("futex.serve", sys.modules["futex.serve"])  # to be put back: the next import takes its place
    for module in [name for name in sys.modules if name.startswith("futex.serve")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "fastapi", None)
    fails(futex("serve", str(run_folder)), "pip install 'futex[serve]'")


def test_versions(client, run_folder):
    answer = client.get("/api/version").json()
    (project,) = answer["projects"]
    manifest = json.loads((run_folder / "model" / "manifest.json").read_text())["files"]
    assert project["files"] == {name: entry["sha256"] for name, entry in manifest.items()}
    assert project["recipe"]["plm"] == "fake"
    assert set(project["inputs"]) == {"papers", "labels"}
    assert answer["packages"].keys() >= {"torch", "fastapi"}


@pytest.mark.parametrize("metric", ["futex_requests_total", "futex_request_seconds_count", "futex_projects_loaded 1.0"])
def test_metrics(client, metric):
    client.get("/health")
    answer = client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    assert metric in answer.text
    assert 'route="/health",status="200"' in answer.text

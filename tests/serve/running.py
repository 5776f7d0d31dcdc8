"""A run on the fake PLM, and services of it: in this process, or on a socket."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from starlette.testclient import TestClient

from futex.config import Recipe
from futex.corpus.paper import Paper, section
from futex.corpus.store import write_papers
from futex.labels.label import Label, LabelSpace
from futex.labels.store import write_labels
from futex.runs.inputs import Inputs
from futex.runs.run import run
from futex.serve.app import build
from futex.serve.project import open_projects
from futex.serve.server import address_of, listening, server_of
from futex.serve.service import Service
from futex.serve.settings import Limits, Settings

PATIENCE = 120.0
"""Seconds; only a test that fails waits as long."""
SCRIPT = "<script>alert(1)</script>"
LABELS = LabelSpace(
    [
        Label("T", "Topics"),
        Label("L1", "Lung cancer", synonyms=("pulmonary tumours",), broader=("L7",), description="Tumours of lungs."),
        Label("L2", "Mice", synonyms=("mouse",), broader=("T",)),
        Label("L3", "Deep learning", description="Learning with deep networks.", broader=("T",)),
        Label("L4", "Graph networks", broader=("L3",)),
        Label("L5", "Proteins", broader=("T",)),
        Label("L6", "Brain", broader=("T",)),
        Label("L7", "Cancer", broader=("T",)),
        Label("http://a.org/8?x=1&y=2", f"Night {SCRIPT}", broader=("T",)),
    ]
)
BIOLOGY = "We treat lung cancer in mice and measure proteins of the tumour over many long weeks"
COMPUTING = "We train deep learning models and graph networks that read images of the brain at night"


def a_paper(i: int) -> Paper:
    """Odd ones are on biology; papers of a topic share a reference, and each cites the one two before it."""
    text, topic = (BIOLOGY, "biology") if i % 2 else (COMPUTING, "computing")
    sections = [
        section("Introduction", [f"{text} in study number {i}."]),
        section(
            "Methods",
            [f"Here we describe the methods of study {i} in a paragraph of enough words."],
            [section("Data", [f"The brain data of study {i} came from a hospital and a mouse house nearby."])],
        ),
    ]
    return Paper(
        id=f"10.1/d{i}",
        title=f"On {topic} {SCRIPT} {i}",
        abstract=text,
        body=section("", sections=sections),
        references=(f"10.2/{topic}", f"10.1/d{i - 2}"),
    )


PAPER = Recipe(plm="fake", min_linked_papers=4, min_papers_per_word=1, triples=16)


def make_run(folder: Path, recipe: Recipe = PAPER, papers: int = 12) -> Path:
    """A folder as `futex run` leaves it, with its corpus beside it."""
    write_papers([a_paper(i) for i in range(papers)], folder / "papers.jsonl")
    write_labels(LABELS, folder / "labels.jsonl")
    inputs = Inputs(papers=str(folder / "papers.jsonl"), labels=str(folder / "labels.jsonl"))
    run(inputs, folder / "My Run", recipe, folder / "cache")
    return folder / "My Run"


def a_service(folders: list[Path], limits: Limits | None = None, **settings: object) -> Service:
    home = folders[0].parent
    chosen = replace(Settings(port=0, cache=home / "cache", limits=limits or Limits()), **settings)
    return Service(open_projects(folders, chosen.feedback), chosen)


@contextmanager
def answering(service: Service, *, loaded: bool = True) -> Iterator[TestClient]:
    """The service in this process."""
    with TestClient(build(service), base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        if loaded:
            assert service.has_loaded.wait(PATIENCE)
            assert service.failure is None
        yield client


@contextmanager
def listening_at(service: Service) -> Iterator[str]:
    """The service behind a real socket, in a thread of its own; gives its address."""
    with listening(service.settings) as listener:
        server = server_of(service)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            assert service.has_loaded.wait(PATIENCE)
            yield address_of(listener)
        finally:
            server.should_exit = True
            thread.join(PATIENCE)
            assert not thread.is_alive()


def connected(address: str) -> socket.socket:
    parts = urlsplit(address)
    return socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE)


def all_of(connection: socket.socket) -> bytes:
    """Until the other side hangs up."""
    return b"".join(iter(lambda: connection.recv(10_000), b""))

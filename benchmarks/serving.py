"""`futex serve` under load: latency, throughput, memory and health, with requests batched and one at a time.

python benchmarks/serving.py [MODEL] [--papers build/demo/papers.parquet] [--seconds 60] [--clients 1 8 32]

Every request has words of its own in each paragraph, so that no vector is known from before, and the cache is empty.
"""

import argparse
import json
import logging
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import numpy as np
from measuring import table

from futex import read_papers
from futex.corpus.formats.jsonl import as_record
from futex.corpus.paper import Paper
from futex.serve.server import serve
from futex.serve.settings import Limits, Settings

HEADER = "asked for | batch | clients | answers/s | p50 ms | p95 ms | p99 ms | refused | failed | health p99 ms | MiB"
HEALTH_EVERY = 0.05
WARM_UP = 5.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", nargs="?", default="build/demo/run", type=Path)
    parser.add_argument("--papers", default="build/demo/papers.parquet")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--serve", nargs=2, metavar=("BATCH", "CACHE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve_apart(options.model, int(options.serve[0]), Path(options.serve[1]))
        return
    papers = [paper for paper in read_papers(options.papers, limit=60) if paper.abstract]
    rates: dict[tuple[str, int, int], float] = {}
    for batch in (Limits().batch, 1):
        for what in ("abstracts", "full papers"):
            rows = []
            with running(options.model, batch) as service:
                load(service, papers, what, count(), time.monotonic() + min(WARM_UP, options.seconds), Outcome())
                for clients in options.clients:
                    outcome = measured(service, papers, what, clients, options.seconds)
                    rates[what, batch, clients] = outcome.rate
                    rows.append([what, str(batch), str(clients), *outcome.cells()])
            table(HEADER, rows)
    for what in ("abstracts", "full papers"):
        gains = [rates[what, Limits().batch, n] / max(rates[what, 1, n], 1e-9) for n in options.clients]
        shown = ", ".join(f"{gain:.2f}× at {n}" for gain, n in zip(gains, options.clients, strict=True))
        print(f"Batching {what}: {shown} clients")


@dataclass
class Outcome:
    """What the clients of one measurement saw."""

    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)
    health: list[float] = field(default_factory=list)
    refused: int = 0
    failed: int = 0
    memory: tuple[int, int] = (0, 0)

    @property
    def rate(self) -> float:
        return len(self.latencies) / max(self.seconds, 1e-9)

    def cells(self) -> list[str]:
        latencies = [_milliseconds(self.latencies, quantile) for quantile in (0.5, 0.95, 0.99)]
        counts = [str(self.refused), str(self.failed), _milliseconds(self.health, 0.99)]
        return [f"{self.rate:.2f}", *latencies, *counts, "{} → {}".format(*self.memory)]


def _milliseconds(seconds: list[float], quantile: float) -> str:
    return f"{1000 * np.quantile(seconds, quantile):.0f}" if seconds else "–"


class Running:
    """A service in another process."""

    def __init__(self, address: str, process_id: int) -> None:
        self._parts = urlsplit(address)
        self._process_id = process_id
        self.project = ""

    def connection(self) -> HTTPConnection:
        return HTTPConnection(self._parts.hostname or "", self._parts.port, timeout=120)

    def wait(self) -> None:
        connection = self.connection()
        while ask(connection, "GET", "/ready")[0] != 200:
            time.sleep(0.1)
        self.project = json.loads(ask(connection, "GET", "/api/projects")[1])["projects"][0]["id"]

    def memory(self) -> int:
        """MiB that are its own."""
        lines = Path(f"/proc/{self._process_id}/status").read_text().splitlines()
        return next(int(line.split()[1]) >> 10 for line in lines if line.startswith("VmRSS"))


@contextmanager
def running(model: Path, batch: int) -> Iterator[Running]:
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, __file__, str(model), "--serve", str(batch), cache]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            try:
                service = Running(process.stderr.readline().split()[-1], process.pid)
                service.wait()
                yield service
            finally:
                process.terminate()


def serve_apart(model: Path, batch: int, folder: Path) -> None:
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    limits = Limits(batch=batch)
    serve([model], Settings(port=0, cache=folder, feedback=folder / "feedback.sqlite", limits=limits))


def measured(service: Running, papers: list[Paper], what: str, clients: int, seconds: float) -> Outcome:
    outcome, numbers, before = Outcome(), count(clients * 10**6), service.memory()
    began = time.monotonic()
    threads = [
        threading.Thread(target=load, args=(service, papers, what, numbers, began + seconds, outcome))
        for _ in range(clients)
    ]
    threads.append(threading.Thread(target=watch_health, args=(service, began + seconds, outcome)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    outcome.seconds = time.monotonic() - began
    outcome.memory = (before, service.memory())
    return outcome


def load(
    service: Running, papers: list[Paper], what: str, numbers: Iterator[int], ends: float, outcome: Outcome
) -> None:
    """One client: it asks, waits for the answer, and asks again; if refused, it waits a second."""
    connection = service.connection()
    while time.monotonic() < ends:
        number = next(numbers)
        path, body, media = request(service.project, papers[number % len(papers)], what, number)
        began = time.monotonic()
        status, _ = ask(connection, "POST", path, body, media)
        if status == 200:
            outcome.latencies.append(time.monotonic() - began)
        elif status in (429, 503):
            outcome.refused += 1
            time.sleep(1)
        else:
            outcome.failed += 1


def watch_health(service: Running, ends: float, outcome: Outcome) -> None:
    connection = service.connection()
    while time.monotonic() < ends:
        began = time.monotonic()
        ask(connection, "GET", "/health")
        outcome.health.append(time.monotonic() - began)
        time.sleep(HEALTH_EVERY)


def request(project: str, paper: Paper, what: str, number: int) -> tuple[str, bytes, str]:
    """An abstract as Annif's clients send it, or a full paper, in our JSON, with all evidence."""
    own = f"In study {number} of ours:"
    if what == "abstracts":
        form = {"text": f"{paper.title}. {own} {paper.abstract}", "limit": 10}
        return f"/v1/projects/{project}/suggest", urlencode(form).encode(), "application/x-www-form-urlencoded"
    record = {**as_record(paper), "id": str(number), "abstract": f"{own} {paper.abstract}"}
    body = json.dumps(_altered(record, own)).encode()
    return f"/api/projects/{project}/classify?top=10", body, "application/json"


def _altered(value: object, own: str) -> object:
    """The same sections with something new in each paragraph."""
    if isinstance(value, dict):
        paragraphs = {"paragraphs": [f"{own} {text}" for text in value.get("paragraphs", [])]}
        return {key: _altered(inner, own) for key, inner in value.items()} | paragraphs
    return [_altered(item, own) for item in value] if isinstance(value, list) else value


def ask(
    connection: HTTPConnection, method: str, path: str, body: bytes | None = None, media: str = ""
) -> tuple[int, bytes]:
    """Status and body; 0 if the connection broke, which is then opened again."""
    try:
        connection.request(method, path, body, {"Content-Type": media} if media else {})
        response = connection.getresponse()
        return response.status, response.read()
    except OSError:
        connection.close()
        return 0, b""


if __name__ == "__main__":
    main()

"""What takes the place of things that are not here: a language model, servers, a cluster, a reader at the page."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from corpus import test_grobid
from reranking.language_model import LanguageModel
from serve.running import a_service, answering

from futex.plm.fake import FakePLM
from futex.serve.project import open_projects
from futex.serve.settings import Settings
from futex.sharded.local import LocalEngine


class Reader:
    """Reviews what is served, accepting the first label of each paper, and fetches with curl what came of it.

    `instead` is what the reader writes in place of addresses and folders that only our pages have.
    """

    def __init__(self, instead: dict[str, str]) -> None:
        self.instead = instead
        self._served: list[Path] = []

    def serve(self, models: Sequence[Path], settings: Settings) -> None:
        self._served = list(models)
        for project in open_projects(models, settings.feedback).values():
            for line in (project.run / "predictions.jsonl").read_text().splitlines() if project.run else []:
                record = json.loads(line)
                for label in record["labels"][:1]:
                    project.feedback.put(record["paper"], label["id"], "accept")
            project.feedback.close()

    def curl(self, address: str, _o: str, out: str) -> None:
        """`curl ADDRESS -o FILE`, as if the service were still there."""
        with answering(a_service(self._served), loaded=False) as client:
            answer = client.get(urlsplit(address).path)
        assert answer.status_code == 200, answer.text
        Path(out).write_text(answer.text)


@contextmanager
def stand_ins(home: Path) -> Iterator[Reader]:
    """Until the end, nothing is loaded, asked or started outside of `home`."""
    FakePLM().save(home / "fake-plm")
    grobid, language_model = test_grobid.Server(), LanguageModel()
    addresses = {"http://localhost:8070": grobid.url, "http://localhost:11434/v1": language_model.url}
    reader = Reader(addresses | {"/shared": "shared"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("futex.plm.checkpoints.embedded_folder", lambda model, cache: home / "fake-plm")
        patch.setattr("futex.sharded.local._has_torch", lambda: False)  # so that workers have the stand-ins too
        patch.setattr("futex.sharded.on_ray.RayEngine", lambda address: LocalEngine())
        patch.setattr("futex.serve.server.serve", reader.serve)
        patch.setenv("FUTEX_CACHE", str(home / "cache"))
        patch.setenv("SCRATCH", "shared")
        patch.setenv("head", "localhost")
        yield reader
    grobid.close()
    language_model.close()

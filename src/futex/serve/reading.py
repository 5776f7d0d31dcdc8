"""Uploads become papers, in processes of their own: a hostile file may crash, hang or fill one of those, never us.

The processes come from a fork server, which is started before anything else and holds none of our connections. They
tell what they found as JSON, so that not even a reader that was taken over could make us run something.
"""

import hashlib
import json
import multiprocessing
import os
import queue
import signal
import sys
import threading
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from futex.corpus.formats.jsonl import as_record, paper_of
from futex.corpus.paper import Paper, Unit
from futex.corpus.reading import FORMATS, HEAD, documents_of
from futex.errors import FutexError
from futex.serve.problems import Problem, shutting_down

MAX_MEMORY = 4 * 2**30
STEM = "upload"
"""Every upload is called so; what the client calls it is never used."""

LONGEST_ID = 500

_CONTEXT = multiprocessing.get_context("forkserver" if sys.platform != "win32" else None)


@dataclass(frozen=True, slots=True)
class Upload:
    """Bytes that should be one paper in one of some formats; `extension` is one of ours."""

    content: bytes
    formats: Collection[str]
    extension: str = ""


class Readers:
    """So many processes, each reads one upload at a time, for at most so many seconds. To be called from threads."""

    def __init__(self, count: int, seconds: float, characters: int) -> None:
        self._seconds = seconds
        self._readers = [_Reader(characters) for _ in range(count)]
        self._idle: queue.Queue[_Reader] = queue.Queue()

    def start(self) -> None:
        """Takes a second or two: the fork server imports all our readers first."""
        if sys.platform != "win32":
            _CONTEXT.set_forkserver_preload([__name__])
        for reader in self._readers:
            reader.start()
            self._idle.put(reader)

    def read(self, upload: Upload) -> Paper:
        """The paper, or a problem that says what is wrong with the upload."""
        reader = self._idle.get()
        try:
            answer = reader.read(upload, self._seconds)
        except TimeoutError:
            raise Problem(422, f"this file could not be read within {self._seconds:g} seconds") from None
        except (EOFError, OSError, ValueError):
            raise Problem(422, "this file makes its reader crash, or needs too much memory") from None
        finally:
            self._idle.put(reader)
        if "paper" not in answer:
            raise Problem(answer["status"], answer["detail"])
        return paper_of(answer["paper"], "upload")

    def close(self) -> None:
        """For good, also those that are reading."""
        for reader in self._readers:
            reader.close()


class _Reader:
    """A process and our end of the pipe to it. One that has died or hung is replaced when it is needed again."""

    def __init__(self, characters: int) -> None:
        self._characters = characters
        self._process: BaseProcess | None = None
        self._is_closed = False
        self._changing = threading.Lock()

    def start(self) -> None:
        with self._changing:
            if self._is_closed:
                raise shutting_down()
            self._connection, its_end = _CONTEXT.Pipe()
            self._process = _CONTEXT.Process(target=_serve, args=(its_end, self._characters), daemon=True)
            self._process.start()
            its_end.close()

    def read(self, upload: Upload, seconds: float) -> dict[str, Any]:
        if self._process is None or not self._process.is_alive():
            self._stop()
            self.start()
        try:
            self._connection.send(upload)
            if not self._connection.poll(seconds):
                raise TimeoutError
            answer: dict[str, Any] = json.loads(self._connection.recv_bytes())
        except BaseException:
            self._stop()
            raise
        return answer

    def close(self) -> None:
        self._is_closed = True
        self._stop()

    def _stop(self) -> None:
        """It leads a group of its own, to which programs that it started belong."""
        with self._changing:
            if self._process is None:
                return
            if self._process.pid is not None:
                with suppress(OSError):
                    os.killpg(self._process.pid, signal.SIGKILL)
            self._process.kill()
            self._process.join()
            self._connection.close()
            self._process = None


def _serve(connection: Connection, characters: int) -> None:
    """The life of a reader: it ends with the pipe; signals to end are for us, who may still need it."""
    with suppress(AttributeError, ImportError):  # what Windows does not have
        os.setsid()
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    with suppress(EOFError, BrokenPipeError):
        while True:
            connection.send_bytes(json.dumps(answer_to(connection.recv(), characters)).encode())


def answer_to(upload: Upload, characters: int) -> dict[str, Any]:
    """{"paper": …}, or why there is none: {"status": …, "detail": …}."""
    name = STEM + upload.extension
    readers = [FORMATS[format] for format in FORMATS if format in upload.formats]
    if not any(reader.recognises(upload.content[:HEAD], name) for reader in readers):
        known = ", ".join(reader.NAME for reader in readers)
        return _refusal(422, f"this is none of what its type promises: {known}")
    try:
        papers = [document.paper for document in islice(documents_of(upload.content, name, upload.formats), 2)]
    except FutexError as error:
        return _refusal(422, str(error))
    if len(papers) != 1:
        return _refusal(422, "one paper at a time: this file holds " + ("several" if papers else "none"))
    return _answer(_bare(papers[0], upload.content), characters)


def _answer(paper: Paper, characters: int) -> dict[str, Any]:
    length = length_of(paper)
    if length > characters:
        return _refusal(413, f"a paper of {length:,} characters; the service takes {characters:,} at most")
    return {"paper": as_record(paper)}


def _bare(paper: Paper, content: bytes) -> Paper:
    """What ranking needs. A file without an id of its own is called by its content."""
    has_id = paper.id != STEM and len(paper.id) <= LONGEST_ID
    own_id = paper.id if has_id else f"{STEM}-{hashlib.sha256(content).hexdigest()[:16]}"
    return replace(paper, id=own_id, references=(), metadata={})


def length_of(paper: Paper) -> int:
    """The characters of all its texts, headings too."""
    return len(paper.title) + len(paper.abstract) + _length(paper.body)


def _length(unit: Unit) -> int:
    return len(unit.heading) + len(unit.text) + sum(map(_length, unit.children))


def _refusal(status: int, detail: str) -> dict[str, Any]:
    return {"status": status, "detail": detail}

"""Uploads become papers, in processes of their own: a hostile file may crash, hang or fill one of those, never us.

The processes come from a fork server, which holds none of our connections. They tell what they found as JSON, so that
not even a reader that was taken over could make us run something.
"""

import json
import multiprocessing
import os
import queue
import signal
import threading
from contextlib import suppress
from multiprocessing.process import BaseProcess
from typing import Any

from futex.corpus.formats.jsonl import paper_of
from futex.corpus.paper import Paper
from futex.serve import parsing
from futex.serve.parsing import Upload
from futex.serve.problems import Problem, shutting_down

SECONDS_TO_START = 120
BYTES_PER_CHARACTER, BYTES_AROUND = 12, 2**20
"""The most that JSON takes: a character as two escapes, and what stands around 5,000 paragraphs."""
_CONTEXT = multiprocessing.get_context("forkserver")


class Readers:
    """So many processes, each reads one upload at a time, for at most so many seconds. To be called from threads."""

    def __init__(self, count: int, seconds: float, characters: int) -> None:
        self._seconds = seconds
        self._readers = [_Reader(characters) for _ in range(count)]
        self._idle: queue.Queue[_Reader] = queue.Queue()

    def start(self) -> None:
        """Takes a second or two: the fork server imports all our readers first."""
        _CONTEXT.set_forkserver_preload([parsing.__name__])
        for reader in self._readers:
            reader.start()
        for reader in self._readers:
            reader.wait()
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
        self._longest_answer = BYTES_PER_CHARACTER * characters + BYTES_AROUND
        self._process: BaseProcess | None = None
        self._is_closed = False
        self._changing = threading.Lock()

    def start(self) -> None:
        with self._changing:
            if self._is_closed:
                raise shutting_down()
            self._connection, its_end = _CONTEXT.Pipe()
            process = _CONTEXT.Process(target=parsing.parse_all, args=(its_end, self._characters), daemon=True)
            process.start()
            its_end.close()
            self._process = process

    def wait(self) -> None:
        """Until it is ready; the time that takes is none of the first upload's. One that dies is replaced later."""
        with suppress(EOFError, OSError):
            if self._connection.poll(SECONDS_TO_START):
                self._connection.recv_bytes()

    def read(self, upload: Upload, seconds: float) -> dict[str, Any]:
        if self._process is None or not self._process.is_alive():
            self._stop()
            self.start()
            self.wait()
        try:
            self._connection.send(upload)
            if not self._connection.poll(seconds):
                raise TimeoutError
            answer: dict[str, Any] = json.loads(self._connection.recv_bytes(self._longest_answer))
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

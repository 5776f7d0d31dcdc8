"""Answers that were paid for are kept: a small file each, found by the model's name and the digest of the question."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from futex.files import write_text
from futex.reranking.spending import Tokens


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model wrote, usable or not, and how many tokens it took; None where the endpoint does not tell."""

    content: str
    tokens: Tokens | None


class AnswerStore:
    """Without a folder nothing is kept."""

    def __init__(self, cache: Path | None) -> None:
        self._folder = cache and cache / "llm"
        self._writing = Lock()

    def find(self, request: dict[str, Any]) -> Answer | None:
        """A file that is damaged is as good as none."""
        if self._folder is None:
            return None
        try:
            kept = json.loads(self._path(self._folder, request).read_text(encoding="utf-8"))
            return Answer(str(kept["content"]), kept["tokens"] and Tokens(*map(int, kept["tokens"])))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, request: dict[str, Any], answer: Answer) -> None:
        if self._folder is None:
            return
        kept = {"model": request["model"], "content": answer.content, "tokens": answer.tokens}
        with self._writing:
            write_text(self._path(self._folder, request), json.dumps(kept) + "\n")

    @staticmethod
    def _path(folder: Path, request: dict[str, Any]) -> Path:
        """The request holds the model's name, the question and the form of the answer, but no address and no key."""
        digest = hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()
        return folder / digest[:2] / f"{digest}.json"

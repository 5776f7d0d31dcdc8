"""A big JSON-LD document as many small ones of the same meaning.

A JSON-LD parser has to hold a document until it has seen its end, because the "@context" may come last; for 100,000
concepts that is more than half a gigabyte. The nodes of a graph can be told apart before they are understood.
"""

import codecs
import json
from collections.abc import Iterator
from typing import Any, BinaryIO

from futex.errors import InputError

MAX_NODE = 8 * 2**20
"""Characters of one node, or of all that is not in a graph."""
MAX_CONTEXT = 2**18
"""Characters of the context, which goes into every small document."""
MAX_WAITING = 256 * 2**20
"""Bytes of nodes that may wait for a "@context" at the end of the file."""

BATCH = 2**18
"""Characters of nodes that make a document: enough that the context is no burden, too few to be one themselves."""
CHUNK = 2**18

_any_value = json.JSONDecoder().raw_decode


def small_documents(stream: BinaryIO, name: str) -> Iterator[bytes]:
    text = _JsonText(stream, name)
    if text.next_sign() == "[":
        yield from (_document("{}", batch) for batch in _batches(text.elements()))
    else:
        yield from _parts_of_object(text)
    if text.next_sign():
        raise text.broken("something follows after its end")


def _parts_of_object(text: "_JsonText") -> Iterator[bytes]:
    context, graph_keys = "{}", {"@graph"}
    waiting: list[bytes] = []
    other: list[str] = []
    waiting_size = other_size = 0
    has_graph = False
    for key in text.members():
        if json.loads(key) == "@context":
            context = text.value()
            if len(context) > MAX_CONTEXT:
                raise text.broken(f"its @context is longer than {MAX_CONTEXT >> 10} KiB")
            graph_keys |= _graph_keys(context, text)
        elif json.loads(key) in graph_keys and text.next_sign() == "[":
            if has_graph:  # each would be a document with a context of its own
                raise text.broken("it has several graphs")
            has_graph = True
            for batch in _batches(text.elements()):
                if context != "{}":
                    yield _document(context, batch)
                else:
                    waiting.append(batch)
                    waiting_size += len(batch)
                    text.allow(waiting_size, MAX_WAITING)
        else:
            other.append(f"{key}:{text.value()}")
            other_size += len(other[-1])
            text.allow(other_size, MAX_NODE)
    yield from (_document(context, batch) for batch in waiting)
    yield _document(context, f"{{{','.join(other)}}}".encode())


def _batches(nodes: Iterator[str]) -> Iterator[bytes]:
    batch: list[str] = []
    size = 0
    for node in nodes:
        batch.append(node)
        size += len(node)
        if size > BATCH:
            yield ",".join(batch).encode()
            batch, size = [], 0
    yield ",".join(batch).encode()


def _document(context: str, nodes: bytes) -> bytes:
    return b'{"@context":%b,"@graph":[%b]}' % (context.encode(), nodes)


def _graph_keys(context: str, text: "_JsonText") -> set[str]:
    """The names that a context gives to "@graph"."""
    given = json.loads(context)
    keys: set[str] = set()
    for part in given if isinstance(given, list) else [given]:
        if isinstance(part, str):
            raise text.broken(
                f"its @context lies at {part}, from where we never fetch it; put the context into the file"
            )
        terms: dict[str, Any] = part if isinstance(part, dict) else {}
        keys |= {key for key, value in terms.items() if value in ("@graph", {"@id": "@graph"})}
    return keys


class _JsonText:
    """A JSON text of which only the part at hand is in memory."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream = stream
        self._name = name
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._text = ""
        self._at = 0

    def next_sign(self) -> str:
        """The next sign that is no white space, "" at the end."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in " \t\r\n":
                self._at += 1
            if self._at < len(self._text) or not self._read_on():
                return self._text[self._at : self._at + 1]

    def members(self) -> Iterator[str]:
        """The keys of an object as they are written; take the value of each before the next."""
        self._expect("{")
        while self.next_sign() != "}":
            key = self.value()
            if not key.startswith('"'):
                raise self.broken("a key must be a text")
            self._expect(":")
            yield key
            if self.next_sign() != "}":
                self._expect(",")
        self._expect("}")

    def elements(self) -> Iterator[str]:
        """The elements of an array as they are written."""
        self._expect("[")
        while self.next_sign() != "]":
            yield self.value()
            if self.next_sign() != "]":
                self._expect(",")
        self._expect("]")

    def value(self) -> str:
        """Any value, as it is written."""
        self.next_sign()
        while True:
            try:
                _, end = _any_value(self._text, self._at)
            except ValueError as error:
                self.allow(len(self._text) - self._at, MAX_NODE)
                if not self._read_on():
                    raise self.broken(f"broken JSON: {error}") from error
            except RecursionError:
                raise self.broken("nested too deeply") from None
            else:
                if end < len(self._text) or not self._read_on():  # a number may go on behind the part at hand
                    written, self._at = self._text[self._at : end], end
                    return written

    def allow(self, size: int, most: int) -> None:
        if size > most:
            raise self.broken(f"a part without end, longer than {most >> 20} MiB")

    def broken(self, why: str) -> InputError:
        return InputError(f"{self._name}: not a JSON-LD vocabulary ({why}); mend it or fetch it again")

    def _expect(self, sign: str) -> None:
        if self.next_sign() != sign:
            raise self.broken(f"{sign!r} expected, not {self.next_sign()!r}")
        self._at += 1

    def _read_on(self) -> bool:
        chunk = self._stream.read(CHUNK)
        try:
            more = self._decoder.decode(chunk, not chunk)
        except UnicodeDecodeError as error:
            raise self.broken(f"not UTF-8: {error.reason}") from error
        if chunk:
            self._text, self._at = self._text[self._at :] + more, 0
        return bool(chunk)

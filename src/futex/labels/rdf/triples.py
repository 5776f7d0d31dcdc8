"""RDF statements out of Turtle, N-Triples, RDF/XML and JSON-LD files, which may come from strangers.

pyoxigraph parses all four as a stream and fetches nothing. What a hostile file could still do to it (brackets nested
without end in Turtle, entities in RDF/XML, one huge document in JSON-LD) is stopped before it gets there.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

from pyoxigraph import BlankNode, NamedNode, Quad, RdfFormat, Triple, parse

from futex.corpus.paper import squeeze
from futex.corpus.streams import STREAM_ERRORS, damaged
from futex.corpus.text_files import extension
from futex.errors import InputError
from futex.labels.rdf.checked_xml import CheckedXml
from futex.labels.rdf.jsonld import small_documents

MAX_STATEMENT = 2 * 2**20
"""Bytes in which a Turtle file must come back to a subject with a name; every open bracket costs 200 times its size."""

HEAD = 4096
CHUNK = 2**16
"""A parser that is given more reads ahead, and we no longer see how far it got."""

_XML_ROOT = re.compile(rb"<(?:[\w.-]{1,100}:)?RDF\s")
_JSON_KEYWORD = re.compile(rb'"@(?:context|graph|id|type)"\s*+:')
_TURTLE = re.compile(
    rb"(?:\s++|#[^\n]*+\n)*+(?:@prefix\s|@base\s|(?i:prefix|base)\s[^\n]*<"
    rb'|(?:<[^<>"\s]*+>|_:\S++)[ \t]++(?:a[ \t]++)?<)'
)
_RANDOM = re.compile("[0-9a-f]{25,32}")
_NAMES = {".ttl": RdfFormat.TURTLE, ".nt": RdfFormat.N_TRIPLES}


def rdf_format(head: bytes, name: str = "") -> RdfFormat | None:
    """The syntax that the first bytes of a file are written in; N-Triples are Turtle too, and told by the name only."""
    start = head.lstrip()
    if start.startswith(b"<") and _XML_ROOT.search(start):
        return RdfFormat.RDF_XML
    if start.startswith((b"{", b"[")) and _JSON_KEYWORD.search(start):
        return RdfFormat.JSON_LD
    return _NAMES.get(extension(name)) or (RdfFormat.TURTLE if _TURTLE.match(start) else None)


def triples(stream: BinaryIO, name: str) -> Iterator[Quad]:
    """Every statement of the file; the graph it may stand in does not matter to us."""
    format = rdf_format(stream.peek(HEAD)[:HEAD], name) or RdfFormat.TURTLE  # type: ignore[attr-defined]
    try:
        if format == RdfFormat.JSON_LD:
            for document in small_documents(stream, name):
                yield from parse(document, RdfFormat.JSON_LD, lenient=True)
        elif format == RdfFormat.RDF_XML:
            yield from parse(CheckedXml(stream, name), RdfFormat.RDF_XML, lenient=True)  # type: ignore[arg-type]
        else:
            yield from _turtle(stream, format, name)
    except SyntaxError as error:
        raise InputError(
            f"{name}: not well-formed {format.name} ({squeeze(error.msg)}); mend it or fetch it again"
        ) from error
    except MemoryError as error:
        raise InputError(f"{name}: a text or comment without end ({error}); this is not a vocabulary") from error
    except STREAM_ERRORS as error:
        raise damaged(name, error) from error


def _turtle(stream: BinaryIO, format: RdfFormat, name: str) -> Iterator[Quad]:
    watched = _Watched(stream, name)
    annotating: set[object] = set()  # subjects of what stands in {| … |}, which may still be open
    for statement in parse(watched, format, lenient=True):  # type: ignore[arg-type]
        if isinstance(statement.object, Triple):
            annotating.add(statement.subject)
        if format == RdfFormat.N_TRIPLES or (_has_name(statement.subject) and statement.subject not in annotating):
            watched.unfinished = 0
            annotating.clear()
        yield statement


def _has_name(subject: NamedNode | BlankNode | Triple) -> bool:
    """Whether it is written in the file. What stands in brackets gets a name of 32 random digits from the parser."""
    return not isinstance(subject, BlankNode) or _RANDOM.fullmatch(subject.value) is None


class _Watched:
    """A stream that gives up on a statement without end."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream = stream
        self._name = name
        self.unfinished = 0

    def read(self, size: int) -> bytes:
        chunk = self._stream.read(min(size, CHUNK))
        self.unfinished += len(chunk)
        if self.unfinished > MAX_STATEMENT:
            raise InputError(
                f"{self._name}: a statement longer than {MAX_STATEMENT >> 20} MiB; this is no vocabulary, "
                "unless it is N-Triples: then let its name end in .nt"
            )
        return chunk

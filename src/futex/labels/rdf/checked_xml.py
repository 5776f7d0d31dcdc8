"""RDF/XML as a stream that is checked before the RDF parser sees it.

The RDF parser expands entities within entities, keeps texts of any length and slows down with every level of nesting.
Expat, which reads ahead of it here, tells us of all three in time. To every element it would itself add the attributes
that the file declares, which is why none may be declared.
"""

from typing import BinaryIO
from xml.parsers import expat

from futex.errors import InputError

MAX_DEPTH = 256
MAX_TEXT = 2**20
"""Bytes between two tags."""
MAX_ENTITY = 100
"""Characters of an entity: many files abbreviate the addresses of their namespaces so, none needs more."""


class CheckedXml:
    """What the RDF parser reads from."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream = stream
        self._name = name
        self._depth = 0
        self._since_tag = 0
        self._parser = expat.ParserCreate()
        self._parser.XmlDeclHandler = self._declaration
        self._parser.EntityDeclHandler = self._entity
        self._parser.AttlistDeclHandler = self._attribute
        self._parser.StartElementHandler = self._open
        self._parser.EndElementHandler = self._close

    def read(self, size: int) -> bytes:
        chunk = self._stream.read(size)
        self._since_tag += len(chunk)
        if self._since_tag > MAX_TEXT:
            raise self._refused(f"has a text longer than {MAX_TEXT >> 20} MiB; this is no vocabulary")
        try:
            self._parser.Parse(chunk, not chunk)
        except expat.ExpatError as error:
            raise self._refused(f"not well-formed XML ({expat.ErrorString(error.code)}); fetch it again") from error
        return chunk

    def _declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        if encoding and encoding.lower() not in ("utf-8", "us-ascii"):
            raise self._refused(f"is written in {encoding}; save it as UTF-8")

    def _entity(self, name: str, is_parameter: bool, value: str | None, *_: object) -> None:
        if is_parameter or value is None or len(value) > MAX_ENTITY or "&" in value:
            raise self._refused(f"declares the XML entity {name!r}, which is no short text; we never expand such")

    def _attribute(self, element: str, name: str, *_: object) -> None:
        raise self._refused(f"declares the attribute {name!r}, which RDF has no use for; remove its <!ATTLIST …>")

    def _open(self, tag: str, attributes: dict[str, str]) -> None:
        self._since_tag = 0
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._refused(f"nests elements more than {MAX_DEPTH} deep; this is no vocabulary")

    def _close(self, tag: str) -> None:
        self._since_tag = 0
        self._depth -= 1

    def _refused(self, why: str) -> InputError:
        return InputError(f"{self._name}, line {self._parser.CurrentLineNumber}: {why}")

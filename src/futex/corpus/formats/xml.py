"""XML of strangers: parsed without DTDs, network access or entity expansion."""

import codecs
import re
from collections.abc import Callable, Iterator
from html.entities import html5
from typing import Any

from lxml import etree

from futex.corpus.content import content_of
from futex.corpus.document import Document
from futex.corpus.paper import squeeze
from futex.corpus.sources import Source
from futex.corpus.text_files import fallback_id
from futex.errors import DamagedPaper

Element = Any  # lxml has no type stubs

MAX_NODES = 1_500_000
"""An element or attribute takes some 250 bytes of memory, and as few as four in a file."""
SMALLEST_NODE = 4

_ROOT = re.compile(  # atomic and possessive: a prolog made to be ambiguous must not cost exponential time
    rb"(?>\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*+(?:\[.*?\]\s*)?>)*+"
    rb"<(?:[\w.-]++:)?([\w.-]++)[\s/>]",
    re.DOTALL,
)
_CHARACTER_ENTITY = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);)([A-Za-z][A-Za-z0-9]*;)")
_LITERAL = re.compile(rb"(<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z))", re.DOTALL)
_INNER_EXTENSION = re.compile(r"(?:\.grobid)?(?:\.tei)?$")
_PARSER_OPTION = re.compile(r", (?:(?:use|try) XML_PARSE_HUGE(?: option)?|see xmlCtxt\w+)")

HARMLESS = {
    **dict.fromkeys(("resolve_entities", "load_dtd", "huge_tree"), False),
    **dict.fromkeys(("no_network", "remove_comments", "remove_pis"), True),
}
"""How XML of strangers is parsed."""


def root_name(head: bytes) -> str | None:
    """The name of the root element, without its prefix, in the first bytes of a file."""
    utf16 = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    match = _ROOT.match(head.decode("utf-16", "ignore").encode("utf-8", "ignore") if utf16 else head)
    return match[1].decode("ascii") if match else None


def parse(content: bytes, name: str) -> Element:
    """The root of a tree of elements and text: no comments, processing instructions or entities."""
    encoding = None
    try:
        if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            content, encoding = content.decode("utf-16").encode(), "utf-8"
        if _has_too_many_nodes(content):
            raise DamagedPaper(f"{name}: more than {MAX_NODES:,} tags and attributes; split it into one paper a file")
        parser = etree.XMLParser(encoding=encoding, **HARMLESS)
        named_characters = _CHARACTER_ENTITY.search(content)
        root = etree.fromstring(_without_character_entities(content) if named_characters else content, parser)
    except UnicodeDecodeError as error:
        raise DamagedPaper(f"{name}: not the UTF-16 that it claims to be ({error.reason}); save it as UTF-8") from error
    except etree.XMLSyntaxError as error:
        if b"<!ENTITY" in content:
            raise _declares_entities(name) from error
        what = f"not well-formed XML ({syntax_fault(error)}); fetch it again or mend that line"
        raise DamagedPaper(f"{name}: {what}") from error
    internal_subset = root.getroottree().docinfo.internalDTD
    if internal_subset is not None and any(True for _ in internal_subset.iterentities()):
        raise _declares_entities(name)
    if named_characters:
        etree.strip_elements(root, etree.Entity, with_tail=False)
    return root


def syntax_fault(error: etree.XMLSyntaxError) -> str:
    """What the parser says, without options that are not ours to give."""
    return _PARSER_OPTION.sub("", squeeze(str(error.msg)))


def _has_too_many_nodes(content: bytes) -> bool:
    if len(content) < SMALLEST_NODE * MAX_NODES:
        return False
    return content.count(b"<") - content.count(b"</") + content.count(b"=") > MAX_NODES


def _declares_entities(name: str) -> DamagedPaper:
    return DamagedPaper(f"{name}: declares XML entities, which we never expand; remove the <!ENTITY …> lines")


def _without_character_entities(content: bytes) -> bytes:
    parts = _LITERAL.split(content)  # every other part is a CDATA section or comment, to be left as it is
    parts[::2] = [_CHARACTER_ENTITY.sub(_as_number, part) for part in parts[::2]]
    return b"".join(parts)


def _as_number(match: re.Match[bytes]) -> bytes:
    """`&nbsp;` → `&#160;`: such names are declared in the DTD, which we do not load."""
    characters = html5.get(match[1].decode())
    return "".join(f"&#{ord(char)};" for char in characters).encode() if characters else match[0]


def drop_namespace(root: Element) -> None:
    """Name elements without the namespace of their root, which some producers declare and others do not."""
    namespace = root.nsmap.get(root.prefix)
    if namespace:
        prefix = f"{{{namespace}}}"
        for element in root.iter(f"{prefix}*"):
            element.tag = element.tag[len(prefix) :]


def each_document(
    source: Source, tag: str, what: str, document: Callable[[Element, str, str], Document]
) -> Iterator[Document]:
    """The paper of a file whose root has this tag, or each of a wrapper; messages ask for `what`.

    `document` is given an element, what messages call it, and an id in case that it has none. A damaged one is told of
    when the others are read.
    """
    root = parse(content_of(source.stream, source.name), source.name)
    root_tag = etree.QName(root).localname
    elements = [root] if root_tag == tag else list(outermost(root, f"{{*}}{tag}"))
    if not elements:
        raise DamagedPaper(f"{source.name}: no <{tag}> inside; give {what}, not <{root_tag}>")
    file_id = _INNER_EXTENSION.sub("", fallback_id(source))
    damaged: list[DamagedPaper] = []
    for number, element in enumerate(elements, start=1):
        where = f"{source.name}, article {number} of {len(elements)}" if len(elements) > 1 else source.name
        drop_namespace(element)
        try:
            found = document(element, where, file_id if number == 1 else f"{file_id}-{number}")
        except DamagedPaper as error:
            damaged.append(error)
        else:
            yield found
    if damaged:
        more = f" ({len(damaged) - 1} more are damaged)" if len(damaged) > 1 else ""
        raise DamagedPaper(f"{damaged[0]}{more}") from damaged[0]


def outermost(element: Element, *tags: str) -> Iterator[Element]:
    """Those of these names that are in no other: the text of nested ones would be taken again at every level."""
    return (found for found in element.iter(*tags) if next(found.iterancestors(*tags), None) is None)


def text(element: Element | None) -> str:
    return squeeze(raw_text(element)) if element is not None else ""


def raw_text(element: Element) -> str:
    if not len(element):
        return element.text or ""
    return str(etree.tostring(element, method="text", encoding="unicode", with_tail=False))

"""XML of strangers that is a long list of records: one at a time, without DTD, entities or network."""

from collections.abc import Iterator
from typing import BinaryIO

from lxml import etree

from futex.corpus.formats.xml import HARMLESS, Element, syntax_fault
from futex.corpus.streams import STREAM_ERRORS, damaged
from futex.errors import InputError

MAX_RECORD = 8 * 2**20
"""Bytes from one record to the next; those of papers with thousands of authors have a third of that."""
CHUNK = 2**16


def records(stream: BinaryIO, name: str, *tags: str) -> Iterator[Element]:
    """Every element of these names; it is emptied when the next one is asked for."""
    parser = etree.XMLPullParser(events=("end",), tag=tags, **HARMLESS)
    unfinished = 0
    try:
        while chunk := stream.read(CHUNK):
            parser.feed(chunk)
            unfinished += len(chunk)
            for _, record in parser.read_events():
                unfinished = 0
                etree.strip_elements(record, etree.Entity, with_tail=False)
                yield record
                _forget(record)
            if unfinished > MAX_RECORD:
                raise InputError(
                    f"{name}: {MAX_RECORD >> 20} MiB without a whole <{tags[0]}>; give a file that is made of these"
                )
        parser.close()
    except etree.XMLSyntaxError as error:
        raise InputError(f"{name}: not well-formed XML ({syntax_fault(error)}); fetch it again") from error
    except STREAM_ERRORS as error:
        raise damaged(name, error) from error


def _forget(record: Element) -> None:
    """Free the memory of a record and of all before it, also if each stands in an element of its own."""
    record.clear()
    for element in (record, *record.iterancestors()):
        while element.getprevious() is not None:
            del element.getparent()[0]

"""MeSH descriptors as the National Library of Medicine publishes them (desc2026.xml).

The id is the DescriptorUI ("D001249"), as PubMed's own indexing has it. All terms of all its concepts are names, the
scope note of the preferred concept is the description, and the tree numbers tell what is broader: C08.127 stands below
C08. Records are read one at a time, without DTD, entities or network.
"""

from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from futex.corpus.formats.xml import Element
from futex.corpus.formats.xml_records import records
from futex.corpus.paper import distinct, squeeze
from futex.errors import InputError
from futex.labels.allowance import Allowance
from futex.labels.label import Label

NAME = "mesh"


class Descriptor(NamedTuple):
    label: Label
    tree_numbers: tuple[str, ...]


def recognises(head: bytes, name: str = "") -> bool:
    return b"<DescriptorRecordSet" in head


def read(stream: BinaryIO, name: str, language: str = "en") -> Iterator[Label]:
    """All descriptors, once the last is read: a broader one may come later in the file."""
    allowance = Allowance(name)
    descriptors: list[Descriptor] = []
    for record in records(stream, name, "DescriptorRecord"):
        descriptor = _descriptor(record, name)
        allowance.take_label(descriptor.label)
        for number in descriptor.tree_numbers:
            allowance.take(number)
        descriptors.append(descriptor)
    at = {number: descriptor.label.id for descriptor in descriptors for number in descriptor.tree_numbers}
    for label, numbers in descriptors:
        above = (at.get(number.rpartition(".")[0]) for number in numbers)
        yield Label(label.id, label.name, label.synonyms, label.description, tuple(distinct(above)))


def _descriptor(record: Element, name: str) -> Descriptor:
    label_id = _text(record, "DescriptorUI")
    own_name = _text(record, "DescriptorName/String")
    if not label_id or not own_name:
        raise InputError(
            f"{name}, line {record.sourceline}: a <DescriptorRecord> without DescriptorUI or DescriptorName"
        )
    terms = [squeeze(term.text or "") for term in record.iterfind("ConceptList/Concept/TermList/Term/String")]
    return Descriptor(
        Label(
            id=label_id,
            name=own_name,
            synonyms=tuple(distinct(terms, without=[own_name])),
            description=_text(record, "ConceptList/Concept[@PreferredConceptYN='Y']/ScopeNote"),
        ),
        tuple(filter(None, (squeeze(number.text or "") for number in record.iterfind("TreeNumberList/TreeNumber")))),
    )


def _text(record: Element, path: str) -> str:
    return squeeze(record.findtext(path) or "")

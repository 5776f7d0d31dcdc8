"""SKOS thesauri in Turtle, N-Triples, RDF/XML or JSON-LD: a label for each skos:Concept, its URI as the id.

- The name is the prefLabel in the wanted language, else one without a language, else one in any language.
- Other names are all altLabels, hiddenLabels and further prefLabels in the language of the name, in the wanted language
  or without one; names of SKOS-XL count alike.
- The description is the definition or, without one, the scopeNote.
- `narrower` is `broader` the other way round. Deprecated concepts and those without a name are left out.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from typing import BinaryIO, NamedTuple

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Triple

from futex.corpus.paper import squeeze
from futex.errors import InputError
from futex.labels.allowance import Allowance
from futex.labels.label import Label
from futex.labels.languages import distance, is_understood, warn_if_missing
from futex.labels.rdf.triples import rdf_format, triples

NAME = "skos"

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_XL = "http://www.w3.org/2008/05/skos-xl#"
_OWL = "http://www.w3.org/2002/07/owl#"

_TYPE, _CONCEPT = f"{_RDF}type", f"{_SKOS}Concept"
_BROADER, _NARROWER, _DEPRECATED = f"{_SKOS}broader", f"{_SKOS}narrower", f"{_OWL}deprecated"
_TEXT_OF_NODE = frozenset({f"{_XL}literalForm", f"{_RDF}value"})
"""SKOS-XL names and some notes are nodes of their own, which hold the text so."""
_TEXTS = {f"{space}{kind}": kind for space in (_SKOS, _XL) for kind in ("prefLabel", "altLabel", "hiddenLabel")} | {
    f"{_SKOS}{kind}": kind for kind in ("definition", "scopeNote")
}
_NAMELESS = "_:"
"""Nodes without a URI begin so. A concept needs one: a file may number its nodes otherwise tomorrow."""
_NAMES, _NOTES = ("prefLabel", "altLabel", "hiddenLabel"), ("definition", "scopeNote")

Term = NamedNode | BlankNode | Literal

log = logging.getLogger(__name__)


class Text(NamedTuple):
    """A text of a concept, or the node that holds it."""

    kind: str
    language: str
    value: str
    is_node: bool = False


def recognises(head: bytes, name: str = "") -> bool:
    return rdf_format(head, name) is not None


def read(stream: BinaryIO, name: str, language: str = "en") -> Iterator[Label]:
    thesaurus = _Thesaurus(Allowance(name))
    for statement in triples(stream, name):
        thesaurus.add(statement)
    if not thesaurus.concepts:
        raise InputError(f"{name}: no skos:Concept in it; give a SKOS vocabulary")
    return thesaurus.labels(language.lower(), name)


class _Thesaurus:
    """Collects what the statements of a file, in whatever order, say about concepts."""

    def __init__(self, allowance: Allowance) -> None:
        self._keep = allowance.take
        self.concepts: dict[str, None] = {}
        self._deprecated: set[str] = set()
        self._broader: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._texts: defaultdict[str, list[Text]] = defaultdict(list)
        self._languages: dict[str, str] = {}
        self._texts_of_nodes: defaultdict[str, list[Text]] = defaultdict(list)
        self._add: dict[str, Callable[[str, Term], None]] = {
            _TYPE: self._add_type,
            _BROADER: lambda subject, value: self._add_broader(subject, _key(value)),
            _NARROWER: lambda subject, value: self._add_broader(_key(value), subject),
            _DEPRECATED: self._add_deprecated,
            **{predicate: partial(self._add_text, self._texts, kind) for predicate, kind in _TEXTS.items()},
            **{predicate: partial(self._add_text, self._texts_of_nodes, "") for predicate in _TEXT_OF_NODE},
        }

    def add(self, statement: Quad) -> None:
        add = self._add.get(statement.predicate.value)
        if add is None:
            return
        subject, value = statement.subject, statement.object
        if not isinstance(subject, Triple) and not isinstance(value, Triple):  # statements on statements are not SKOS
            add(_key(subject), value)

    def _add_type(self, subject: str, value: Term) -> None:
        if value.value == _CONCEPT and not subject.startswith(_NAMELESS):
            self._keep(subject)
            self.concepts[subject] = None

    def _add_deprecated(self, subject: str, value: Term) -> None:
        if value.value in ("true", "1"):
            self._keep(subject)
            self._deprecated.add(subject)

    def _add_broader(self, narrower: str, broader: str) -> None:
        self._keep(narrower)
        self._keep(broader)
        self._broader[narrower][broader] = None

    def _add_text(self, texts: defaultdict[str, list[Text]], kind: str, subject: str, value: Term) -> None:
        if subject not in texts:
            self._keep(subject)
        written = value.value
        self._keep(written)
        if isinstance(value, Literal):
            texts[subject].append(Text(kind, self._one_of_each(value.language or ""), squeeze(written)))
        else:
            texts[subject].append(Text(kind, "", _key(value), is_node=True))

    def _one_of_each(self, language: str) -> str:
        if language not in self._languages:
            self._keep(language)
        return self._languages.setdefault(language, language)

    def labels(self, language: str, name: str) -> Iterator[Label]:
        warn_if_missing(language, self._languages, name)
        nameless = 0
        for concept in self.concepts:
            if concept in self._deprecated:
                continue
            names, description = _chosen(list(self._written_texts(concept)), language)
            if names:
                broader = tuple(self._broader.get(concept, ()))
                yield Label(concept, names[0], tuple(names[1:]), description, broader)
            else:
                nameless += 1
        if nameless:
            log.warning("%s: %d concepts without a prefLabel left out", name, nameless)

    def _written_texts(self, concept: str) -> Iterator[Text]:
        for text in dict.fromkeys(self._texts.get(concept, ())):  # a node that is named often holds no more for it
            if text.is_node:
                held = self._texts_of_nodes.get(text.value, ())
                yield from (each._replace(kind=text.kind) for each in held if each.value and not each.is_node)
            elif text.value:
                yield text


def _key(term: Term) -> str:
    return f"{_NAMELESS}{term.value}" if isinstance(term, BlankNode) else term.value


def _chosen(texts: list[Text], language: str) -> tuple[list[str], str]:
    """The names, the best first, and the description."""
    nearest = sorted(texts, key=lambda text: distance(text.language, language))
    name = next((text for text in nearest if text.kind == "prefLabel"), None)
    if name is None:
        return [], ""
    usable = [t for t in nearest if is_understood(t.language, language) or t.language == name.language]
    names = [text.value for kind in _NAMES for text in usable if text.kind == kind]
    notes = [text.value for kind in _NOTES for text in usable if text.kind == kind]
    return list(dict.fromkeys(names)), notes[0] if notes else ""

"""RDF in N-Triples: `paper dcterms:subject label`, and a statement on that triple that holds its score.

Only labels that apply, where the predictions say which.

Plain reification (rdf:Statement with the score as rdf:value) is read by every RDF tool, old and new, while the syntax
of triples in triples is not; and N-Triples grow line by line.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from itertools import count
from pathlib import Path
from urllib.parse import quote

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from futex.corpus.references import doi_key
from futex.evaluation.predictions import Prediction
from futex.results.lines import Write, writing_lines
from futex.results.rows import chosen

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_SUBJECT = NamedNode("http://purl.org/dc/terms/subject")
_OWN = "urn:x-futex"
"""Ids that are no URIs of their own become URIs here."""


def writing(path: Path) -> AbstractContextManager[Write]:
    numbers = count(1)

    def as_text(prediction: Prediction) -> str:
        return "".join(f"{triple} .\n" for triple in _triples(prediction, numbers))

    return writing_lines(path, as_text)


def _triples(prediction: Prediction, numbers: Iterator[int]) -> Iterator[Triple]:
    paper = uri(prediction["paper"], "paper")
    for label in chosen(prediction):
        subject = uri(label["id"], "label")
        statement = BlankNode(f"s{next(numbers)}")
        yield Triple(paper, _SUBJECT, subject)
        yield Triple(statement, NamedNode(f"{_RDF}type"), NamedNode(f"{_RDF}Statement"))
        yield Triple(statement, NamedNode(f"{_RDF}subject"), paper)
        yield Triple(statement, NamedNode(f"{_RDF}predicate"), _SUBJECT)
        yield Triple(statement, NamedNode(f"{_RDF}object"), subject)
        yield Triple(statement, NamedNode(f"{_RDF}value"), Literal(float(label["score"])))


def uri(identifier: str, kind: str) -> NamedNode:
    """URIs stay, DOIs get their resolver's address, anything else a URN.

    >>> uri("10.1371/journal.pbio.1", "paper").value, uri("Lung cancer", "label").value
    ('https://doi.org/10.1371/journal.pbio.1', 'urn:x-futex:label:Lung%20cancer')
    """
    if doi_key(identifier) == identifier.lower():
        return NamedNode(f"https://doi.org/{quote(identifier, safe='/:;()')}")
    if identifier.startswith(("http://", "https://", "urn:")):
        try:
            return NamedNode(identifier)
        except ValueError:
            pass
    return NamedNode(f"{_OWN}:{kind}:{quote(identifier, safe='')}")

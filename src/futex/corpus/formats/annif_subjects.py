"""Subjects as Annif writes them: a label a line (.key), or `<uri>`, a tab and a label (.tsv)."""

from collections.abc import Iterable

from futex.corpus.document import Subjects
from futex.corpus.paper import distinct, squeeze
from futex.corpus.sources import Source
from futex.corpus.text_files import bounded_lines, decoded, file_stem


def subjects_beside(source: Source) -> Subjects:
    """Those of a full text; like Annif, we look for the .tsv file first."""
    for suffix in (".tsv", ".key"):
        name = file_stem(source) + suffix
        content = source.beside(name)
        if content is not None:
            lines = bounded_lines(decoded(content), f"{name} beside {source.name}").split("\n")
            return _subjects(squeeze(line.partition("\t")[0]) for line in lines)
    return Subjects()


def _subjects(terms: Iterable[str]) -> Subjects:
    """A term counts by its URI, if it has one, and else by its label."""
    found = distinct(terms)
    return Subjects(
        paths=tuple((term,) for term in found if not _is_uri(term)),
        ids=tuple(without_brackets(term) for term in found if _is_uri(term)),
    )


def _is_uri(term: str) -> bool:
    return term.startswith("<") and term.endswith(">")


def without_brackets(uri: str) -> str:
    return uri.removeprefix("<").removesuffix(">")

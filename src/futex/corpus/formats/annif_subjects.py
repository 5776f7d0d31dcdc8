"""Subjects as Annif writes them: a label a line (.key), or `<uri>`, a tab and a label (.tsv)."""

from collections.abc import Iterable

from futex.corpus.document import Subjects
from futex.corpus.paper import squeeze
from futex.corpus.sources import Source
from futex.corpus.text_files import decoded, file_stem


def subjects_beside(source: Source) -> Subjects:
    """Those of a full text; like Annif, we look for the .tsv file first."""
    for suffix in (".tsv", ".key"):
        content = source.beside(file_stem(source) + suffix)
        if content is not None:
            return _subjects(squeeze(line.partition("\t")[0]) for line in decoded(content).split("\n"))
    return Subjects()


def _subjects(terms: Iterable[str]) -> Subjects:
    """A term counts by its URI, if it has one, and else by its label."""
    distinct = [term for term in dict.fromkeys(terms) if term]
    uris = [term for term in distinct if term.startswith("<") and term.endswith(">")]
    return Subjects(
        paths=tuple((label,) for label in distinct if label not in uris),
        ids=tuple(map(without_brackets, uris)),
    )


def without_brackets(uri: str) -> str:
    return uri.removeprefix("<").removesuffix(">")

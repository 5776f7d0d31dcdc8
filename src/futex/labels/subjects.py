"""A label space out of the subject terms that publishers put into their articles."""

from collections.abc import Iterator

from futex.corpus.document import Subjects
from futex.errors import InputError
from futex.labels.label import Label, LabelSpace

KINDS = {"subjects": "subject terms", "keywords": "keywords", "both": "subject terms or keywords"}


class SubjectTerms:
    """Collects the terms of many documents: nested terms become broader and narrower labels.

    "Gene Expression" and "Gene expression" are one, as it was written first; only "AIDS" is not "aids".
    """

    def __init__(self, use: str = "subjects") -> None:
        if use not in KINDS:
            raise InputError(f"cannot take labels from {use!r}: choose subjects, keywords or both")
        self.kind = KINDS[use]
        self._use = use
        self._spelling: dict[str, str] = {}
        self._broader: dict[str, dict[str, None]] = {}
        self._has_ids = False

    def add(self, subjects: Subjects) -> frozenset[str]:
        """Take the terms in; return the article's own labels: the narrowest of each path, and ids of a vocabulary."""
        paths = [tuple(map(self._spelled, path)) for path in self._paths(subjects)]
        for path in paths:
            for broader, term in zip((None, *path), path, strict=False):
                known = self._broader.setdefault(term, {})
                if broader is not None and broader != term:
                    known[broader] = None
        ids = subjects.ids if self._use != "keywords" else ()
        self._has_ids = self._has_ids or bool(ids)
        return frozenset([*(path[-1] for path in paths), *ids])

    def _spelled(self, term: str) -> str:
        return self._spelling.setdefault(term if term.isupper() else term.casefold(), term)

    def _paths(self, subjects: Subjects) -> Iterator[tuple[str, ...]]:
        if self._use != "keywords":
            yield from subjects.paths
        if self._use != "subjects":
            yield from ((keyword,) for keyword in subjects.keywords)

    def label_space(self) -> LabelSpace:
        if not self._broader and self._has_ids:
            raise InputError("the documents name their labels by ids only; take the vocabulary that came with them")
        if not self._broader:
            raise InputError(f"the documents carry no {self.kind}, so there is no label space to make of them")
        return LabelSpace(Label(term, term, broader=tuple(broader)) for term, broader in self._broader.items())

"""How each paper names each label: what is left of a corpus when only names are looked at."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from futex.candidates import Mention, mentions, passages
from futex.corpus.paper import Paper
from futex.labels.names import kept, normal_form, variants
from futex.naming.abbreviations import with_abbreviations
from futex.naming.matcher import LongestMatcher
from futex.naming.plurals import singulars
from futex.processes import on_all_cores

PAPERS_AT_ONCE = 8

Numbers = NDArray[np.int32]


class Counts(NamedTuple):
    """Of one paper, a row a label that it names."""

    labels: Numbers
    """Their positions in the label space."""
    mentions: Numbers
    words: Numbers
    """Of the longest name that was found, as are its letters."""
    letters: Numbers
    in_title: Numbers
    in_abstract: Numbers
    in_headings: Numbers
    """How often, as in title and abstract."""
    paragraphs: Numbers
    """That name it; the sections are those of the highest level."""
    sections: Numbers
    most: Numbers
    """Mentions in a single paragraph."""
    by_own_name: Numbers
    """Mentions by the label's name, not by one of its synonyms."""
    capitalised: Numbers
    """Mentions that begin with a capital."""

    @classmethod
    def of(cls, columns: Iterable[Sequence[int]]) -> "Counts":
        return cls(*(np.array(column, np.int32) for column in columns))


def count_names(papers: Iterable[Paper], matcher: LongestMatcher) -> Iterator[Counts]:
    """For each paper, in order, on all cores."""
    return on_all_cores(partial(_count_some, matcher=matcher), papers, batch=PAPERS_AT_ONCE)


def _count_some(papers: list[Paper], matcher: LongestMatcher) -> list[Counts]:
    return [_counts(paper, matcher) for paper in papers]


def _counts(paper: Paper, matcher: LongestMatcher) -> Counts:
    found = with_abbreviations(mentions(paper, matcher, "full"), list(passages(paper, "full")))
    headings = Counter(hit.label for heading in _headings(paper) for hit in matcher.find(heading))
    labels = matcher.labels
    rows = [
        (labels.position[label], *_row(places, headings[label], labels[label].name)) for label, places in found.items()
    ]
    return Counts.of(zip(*rows, strict=True) if rows else [()] * len(Counts._fields))


def _headings(paper: Paper) -> Iterable[str]:
    return dict.fromkeys(heading for place in paper.paragraphs() for heading in place.path)


def _row(places: Sequence[Mention], in_headings: int, own_name: str) -> tuple[int, ...]:
    """Of a label with these mentions, the columns behind the first."""
    names = [_normal(place.name) for place in places]
    in_body = Counter(place.paragraph for place in places if place.paragraph is not None)
    outside = Counter(place.where for place in places if place.paragraph is None)
    return (
        len(places),
        max(name.count(" ") + 1 for name in names),
        max(map(len, names)),
        outside["title",],
        outside["abstract",],
        in_headings,
        len(in_body),
        len({place.where[:1] for place in places if place.paragraph is not None}),
        max(in_body.values(), default=0),
        sum(singulars(name) in _own_forms(own_name) for name in names),
        sum(place.name[:1].isupper() for place in places),
    )


_normal = kept(normal_form)


@lru_cache(maxsize=1 << 16)
def _own_forms(name: str) -> frozenset[str]:
    return frozenset(map(singulars, variants(name)))

"""How often each paper names each label, and where: what is left of a corpus when only names are looked at."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from futex.candidates import Mention, mentions, passages
from futex.corpus.paper import Paper
from futex.labels.names import normal_form
from futex.naming.abbreviations import with_abbreviations
from futex.naming.matcher import LongestMatcher
from futex.processes import on_all_cores

PAPERS_AT_ONCE = 8


class Counts(NamedTuple):
    """Of one paper, a row a label that it names."""

    labels: NDArray[np.int32]
    """Their positions in the label space."""
    mentions: NDArray[np.int32]
    words: NDArray[np.int16]
    """Of the longest name that was found."""
    in_title: NDArray[np.bool_]
    in_abstract: NDArray[np.bool_]


def count_names(papers: Iterable[Paper], matcher: LongestMatcher, positions: Mapping[str, int]) -> Iterator[Counts]:
    """For each paper, in order, on all cores."""
    return on_all_cores(partial(_count_some, matcher=matcher, positions=positions), papers, batch=PAPERS_AT_ONCE)


def _count_some(papers: list[Paper], matcher: LongestMatcher, positions: Mapping[str, int]) -> list[Counts]:
    return [_counts(_named(paper, matcher), positions) for paper in papers]


def _named(paper: Paper, matcher: LongestMatcher) -> Mapping[str, tuple[Mention, ...]]:
    return with_abbreviations(mentions(paper, matcher, "full"), list(passages(paper, "full")))


def _counts(found: Mapping[str, tuple[Mention, ...]], positions: Mapping[str, int]) -> Counts:
    where = [{place.where for place in places} for places in found.values()]
    return Counts(
        labels=np.array([positions[label] for label in found], np.int32),
        mentions=np.array([len(places) for places in found.values()], np.int32),
        words=np.array([max(_words(place.name) for place in places) for places in found.values()], np.int16),
        in_title=np.array([("title",) in own for own in where], bool),
        in_abstract=np.array([("abstract",) in own for own in where], bool),
    )


@lru_cache(maxsize=1 << 16)
def _words(name: str) -> int:
    return normal_form(name).count(" ") + 1

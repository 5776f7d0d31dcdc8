"""Table 1 of the paper for any corpus."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from futex.corpus.citations import CitationGraph, MetaPath
from futex.corpus.paper import Paper

SHARED_REFERENCE = MetaPath.parse("P->P<-P")


@dataclass(frozen=True, slots=True)
class Statistics:
    papers: int
    words_per_paper: float
    paragraphs_per_paper: float
    depth: int
    references_per_paper: float
    citation_edges: int
    linked_pairs: int
    """Unordered pairs of papers with a shared reference (P→P←P)."""
    linked_papers: int
    labels: int | None = None
    labels_used: int | None = None
    labels_per_paper: float | None = None
    candidates_per_paper: float | None = None
    papers_with_candidates: float | None = None


def statistics(
    papers: Sequence[Paper],
    *,
    label_count: int | None = None,
    gold: Mapping[str, Collection[str]] | None = None,
    candidates: Mapping[str, Collection[str]] | None = None,
) -> Statistics:
    graph = CitationGraph(papers)
    neighbours = [len(graph.neighbours(i, SHARED_REFERENCE)) for i in range(len(papers))]
    of_paper = [gold[paper.id] for paper in papers if paper.id in gold] if gold is not None else None
    return Statistics(
        papers=len(papers),
        words_per_paper=_mean(len(paper.full_text().split()) for paper in papers),
        paragraphs_per_paper=_mean(sum(1 for _ in paper.body.leaves()) for paper in papers),
        depth=max((len(place.path) for paper in papers for place in paper.paragraphs()), default=0),
        references_per_paper=_mean(len(paper.references) for paper in papers),
        citation_edges=graph.citation_edges(),
        linked_pairs=sum(neighbours) // 2,
        linked_papers=sum(1 for count in neighbours if count),
        labels=label_count,
        labels_used=len(frozenset().union(*of_paper)) if of_paper is not None else None,
        labels_per_paper=_mean(len(labels) for labels in of_paper) if of_paper is not None else None,
        candidates_per_paper=_mean(len(found) for found in candidates.values()) if candidates is not None else None,
        papers_with_candidates=_mean(bool(found) for found in candidates.values()) if candidates is not None else None,
    )


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers) if numbers else 0.0

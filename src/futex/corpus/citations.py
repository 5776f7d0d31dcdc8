"""The cross-paper network G (§2.1, Definition 1) and neighbourhoods along meta-paths.

>>> papers = [Paper("d1", references=("x", "y")), Paper("d2", references=("y",)), Paper("d3", references=("d1",))]
>>> graph = CitationGraph(papers)
>>> graph.neighbours(0, MetaPath.parse("P->P<-P")).tolist()     # d1 and d2 both cite y, which is no paper of ours
[1]
>>> graph.neighbours(2, MetaPath.parse("P->P")).tolist()
[0]
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count, product

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from futex.corpus.paper import Paper
from futex.errors import InputError

STEPS = {
    "->": ("references",),
    "<-": ("references",),
    "-A-": ("authors",),
    "-V-": ("venue",),
    "-(AV)-": ("authors", "venue"),
}
"""What a paper must tell of itself for each step: it cites, is cited, shares an author, the venue, or both."""


@dataclass(frozen=True, slots=True)
class MetaPath:
    """How two papers are linked: steps from paper to paper, and how many such paths there must be.

    Written as in the paper, in ASCII or with arrows: P->P, P<-P, P->P<-P (a shared reference), P<-P->P (cited
    together), P-A-P or PAP (a shared author), P-V-P (the same venue), and the meta-graphs P->(PP)<-P (two shared
    references), P<-(PP)->P (cited together twice), P(AA)P (two shared authors), P(AV)P (a shared author and the venue).
    """

    steps: tuple[str, ...]
    at_least: int = 1

    @classmethod
    def parse(cls, text: str) -> "MetaPath":
        plain = text.replace("→", "->").replace("←", "<-").replace(" ", "")
        plain = re.sub(r"(?<=P)-?(A|V|\(A+\)|\(AV\))-?(?=P)", r"-\1-", plain)
        counts = {len(group) for group in re.findall(r"\((P+|A+)\)", plain)}
        single = re.sub(r"\((P|A)\1*\)", r"\1", plain)
        steps = re.findall("|".join(map(re.escape, STEPS)), single)
        if "P" + "".join(f"{step}P" for step in steps) != single or not steps or len(counts) > 1:
            raise InputError(f"cannot read the meta-path {text!r}: write it like P->P<-P, P->(PP)<-P, P-A-P or P(AV)P")
        return cls(tuple(steps), counts.pop() if counts else 1)

    def missing_from(self, papers: Iterable[Paper]) -> list[str]:
        """What no paper tells, though this path runs over it: "references", "authors" or "venue"."""
        missing = list(dict.fromkeys(name for step in self.steps for name in STEPS[step]))
        for paper in papers:
            missing = [name for name in missing if not _told(paper, name)]
            if not missing:
                break
        return missing


class CitationGraph:
    """Papers and everything they cite as sparse matrices; cited works outside the corpus are nodes too."""

    def __init__(self, papers: Sequence[Paper]) -> None:
        self.size = len(papers)
        nodes = _nodes(papers)
        edges = [(i, nodes[key]) for i, paper in enumerate(papers) for key in map(str.lower, paper.references)]
        self._nodes = max(nodes.values(), default=-1) + 1
        cites = _incidence(edges, self._nodes, self._nodes)
        self._matrices: dict[str, tuple[csr_array, ...]] = {"->": (cites,), "<-": (cites.T.tocsr(),)}
        self._papers = papers

    def neighbours(self, paper: int, path: MetaPath) -> NDArray[np.int64]:
        """N_M(d): the papers at the other end of the meta-path, sorted, without d itself."""
        found, paths = self.linked(paper, path)
        return np.sort(found[paths >= path.at_least])

    def linked(self, paper: int, path: MetaPath) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The papers that the steps of the meta-path lead to, without d itself, and on how many ways to each.

        Only the row of d is multiplied through, so nothing of the size of the corpus squared ever exists.
        """
        row = csr_array(([1], ([0], [paper])), shape=(1, self._nodes))
        for step in path.steps:
            for matrix in self._step(step):
                row = row @ matrix
        row.sum_duplicates()
        others = (row.indices < self.size) & (row.indices != paper)
        return row.indices[others].astype(np.int64), row.data[others].astype(np.int64)

    def citation_edges(self) -> int:
        """Citations between papers of the corpus."""
        (cites,) = self._matrices["->"]
        return int((cites.indices < self.size).sum())

    def _step(self, step: str) -> tuple[csr_array, ...]:
        """The matrices that take a row of papers one step on; over authors and venues there are two, there and back."""
        if step not in self._matrices:
            values: dict[tuple[str, ...], int] = {}
            edges = [
                (i, values.setdefault(value, len(values)))
                for i, paper in enumerate(self._papers)
                for value in product(*(_told(paper, name) for name in STEPS[step]))  # sharing both is sharing a pair
            ]
            member = _incidence(edges, self._nodes, len(values))
            self._matrices[step] = (member, member.T.tocsr())
        return self._matrices[step]


def _nodes(papers: Sequence[Paper]) -> dict[str, int]:
    """The number of the work that each key stands for: first the papers themselves, then all that they cite.

    One paper cites a work by its DOI, another by its title. References with several keys tell that these are the same,
    so they come before those with one.
    """
    nodes = {key: i for i, paper in enumerate(papers) for key in _own_keys(paper)}
    unused = count(len(papers))
    for keys in chain(_works_of(papers, several_keys=True), _works_of(papers, several_keys=False)):
        known = next((nodes[key] for key in keys if key in nodes), None)
        node = next(unused) if known is None else known
        for key in keys:
            nodes.setdefault(key, node)
    return nodes


def _works_of(papers: Sequence[Paper], *, several_keys: bool) -> Iterator[tuple[str, ...]]:
    return (keys for paper in papers for keys in _cited_works(paper) if (len(keys) > 1) == several_keys)


def _own_keys(paper: Paper) -> Iterable[str]:
    """The keys under which others may cite this paper."""
    return (key.lower() for key in (paper.id, *_as_list(paper.metadata.get("aliases"))))


def _cited_works(paper: Paper) -> Iterator[tuple[str, ...]]:
    """All keys of each work that this paper cites."""
    aliases = paper.metadata.get("reference_aliases")
    for key in paper.references:
        others = _as_list(aliases.get(key)) if isinstance(aliases, Mapping) else []
        yield tuple(map(str.lower, (key, *others)))


def _told(paper: Paper, name: str) -> Sequence[str]:
    return paper.references if name == "references" else _as_list(paper.metadata.get(name))


def _as_list(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [item for item in value if isinstance(item, str)] if isinstance(value, list | tuple) else []


def _incidence(edges: Sequence[tuple[int, int]], rows: int, columns: int) -> csr_array:
    """A 0/1 matrix; an edge given twice counts once."""
    ends = np.array(sorted(set(edges)), dtype=np.int64).reshape(-1, 2)
    return csr_array((np.ones(len(ends), dtype=np.int64), (ends[:, 0], ends[:, 1])), shape=(rows, columns))

"""The cross-paper network G (§2.1, Definition 1) and neighbourhoods along meta-paths.

>>> papers = [Paper("d1", references=("x", "y")), Paper("d2", references=("y",)), Paper("d3", references=("d1",))]
>>> graph = CitationGraph(papers)
>>> graph.neighbours(0, MetaPath.parse("P->P<-P")).tolist()     # d1 and d2 both cite y, which is no paper of ours
[1]
>>> graph.neighbours(2, MetaPath.parse("P->P")).tolist()
[0]
"""

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from futex.corpus.paper import Paper
from futex.errors import InputError

Ints = NDArray[np.int64]

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
        self.papers = papers
        self.size = len(papers)
        citing, cited, self._nodes = _links(papers)
        cites = _incidence(citing, cited, (self._nodes, self._nodes))
        self._matrices: dict[str, tuple[csr_array, ...]] = {"->": (cites,), "<-": (cites.T.tocsr(),)}

    def neighbours(self, paper: int, path: MetaPath) -> Ints:
        """N_M(d): the papers at the other end of the meta-path, sorted, without d itself."""
        found, paths = self.linked(paper, path)
        return np.sort(found[paths >= path.at_least])

    def linked(self, paper: int, path: MetaPath) -> tuple[Ints, Ints]:
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
            edges = (
                (i, values.setdefault(value, len(values)))
                for i, paper in enumerate(self.papers)
                for value in product(*(_told(paper, name) for name in STEPS[step]))  # sharing both is sharing a pair
            )
            ends = np.fromiter(chain.from_iterable(edges), np.int64).reshape(-1, 2)
            member = _incidence(ends[:, 0], ends[:, 1], (self._nodes, len(values)))
            self._matrices[step] = (member, member.T.tocsr())
        return self._matrices[step]


class _Links(NamedTuple):
    """Which paper cites which work, and how many works there are: first the papers themselves, then all they cite."""

    citing: Ints
    cited: Ints
    works: int


def _links(papers: Sequence[Paper]) -> _Links:
    """In one pass over the papers, of which only ids and numbers of keys are kept."""
    number: dict[str, int] = {}
    ids: list[str] = []
    citing, cited, own, same = (array("q") for _ in range(4))

    def numbers(keys: Iterable[str]) -> list[int]:
        found = [number.setdefault(key, len(number)) for key in keys]
        for other in found[1:]:
            same.extend((found[0], other))
        return found

    for i, paper in enumerate(papers):
        ids.append(paper.id)
        for key in numbers(_own_keys(paper)):
            own.extend((key, i))
        for keys in map(numbers, _cited_works(paper)):
            citing.append(i)
            cited.append(keys[0])
    component = _components(len(number), _pairs(same))
    owner = _owners(component, _pairs(own), ids)[np.asarray(cited)]
    outside, others = np.unique(component[np.asarray(cited)][owner < 0], return_inverse=True)
    owner[owner < 0] = len(ids) + others
    return _Links(np.asarray(citing), owner, len(ids) + len(outside))


def _pairs(flat: "array[int]") -> Ints:
    return np.asarray(flat).reshape(-1, 2)


def _components(keys: int, same: Ints) -> Ints:
    """The work of each key: one paper cites it by its DOI, another by its title, a third tells that both are one.

    Keys that are given together, of a paper or of a reference, belong together whatever the order of the papers.
    """
    edges = csr_array((np.ones(len(same)), (same[:, 0], same[:, 1])), shape=(keys, keys))
    component: Ints = connected_components(edges, directed=False)[1].astype(np.int64)
    return component


def _owners(component: Ints, own: Ints, ids: Sequence[str]) -> Ints:
    """The paper that each key stands for, if any (else −1): its own, or that of a key which belongs together with it.

    Where several papers claim one, as those of the same title do, it is the one whose id comes first.
    """
    turn = np.empty(len(ids), dtype=np.int64)
    turn[sorted(range(len(ids)), key=ids.__getitem__, reverse=True)] = np.arange(len(ids))
    key, paper = own[np.argsort(turn[own[:, 1]], kind="stable")].T  # of several values the last is assigned
    owner: Ints = np.full(len(component), -1, dtype=np.int64)
    owner[component[key]] = paper
    owner = owner[component]
    owner[key] = paper
    return owner


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


def _incidence(rows: Ints, columns: Ints, shape: tuple[int, int]) -> csr_array:
    """A 0/1 matrix; an edge given twice counts once."""
    matrix = csr_array((np.ones(len(rows), dtype=np.int64), (rows, columns)), shape=shape)
    matrix.sum_duplicates()
    matrix.data[:] = 1
    return matrix

"""A corpus as experiments see it: the papers that are ranked, labels, gold, and what they hash to."""

import hashlib
import json
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from futex.corpus.formats import jsonl as papers_jsonl
from futex.corpus.paper import Paper
from futex.corpus.spool import PaperSpool
from futex.corpus.store import spool_papers
from futex.corpus.streams import open_binary
from futex.errors import InputError
from futex.evaluation.gold import Gold
from futex.labels.formats import jsonl as labels_jsonl
from futex.labels.label import LabelSpace
from futex.labels.store import read_labels


@dataclass(frozen=True)
class Corpus:
    name: str
    source: str
    papers: Sequence[Paper]
    labels: LabelSpace
    gold: Gold
    is_whole: bool = True
    """Whether these are all papers of the source."""
    around: Sequence[Paper] = ()
    """A larger set that holds these papers, and whose links methods may learn from."""
    _firsts: dict[tuple[int, bool], "Corpus"] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def read(
        cls,
        papers: str,
        labels: str,
        gold: Path,
        *,
        name: str | None,
        limit: int | None,
        without: Path | None = None,
        shuffled: bool = False,
    ) -> "Corpus":
        """The first `limit` papers are ranked; the others of the file can only train a supervised method.

        Files are often in the order of journals or years: `shuffled` makes both parts alike. Labels whose ids stand in
        the file `without` are taken out of label space and gold.
        """
        if papers == "-":
            raise InputError("experiments read the papers more than once: give a file or a folder instead of -")
        chosen = name or default_name(papers)
        if not re.fullmatch(r"\w[\w.-]{0,63}", chosen):
            raise InputError(f"{chosen!r} cannot name a corpus: use letters, digits, '-', '_' and '.' (--name)")
        space, truth = _without(without, read_labels(labels), Gold.read(gold))
        ranked = _some_of(spool_papers(papers), limit) if shuffled else spool_papers(papers, limit=limit)
        truth.check(papers=None if limit else [paper.id for paper in ranked], labels=space.keys())
        corpus = cls(chosen, papers, ranked, space, truth, is_whole=limit is None)
        corpus.with_gold  # noqa: B018  (or says now that there are none)
        return corpus

    def first(self, count: int | None, *, with_links: bool = False) -> "Corpus":
        """Its first papers only, cut and hashed once; None means all. All may still teach by the links among them."""
        if count is None or count >= len(self.papers):
            return self
        if (count, with_links) not in self._firsts:
            papers, around = PaperSpool(islice(self.papers, count)), self.linked if with_links else ()
            self._firsts[count, with_links] = replace(self, papers=papers, is_whole=False, around=around)
        return self._firsts[count, with_links]

    @property
    def linked(self) -> Sequence[Paper]:
        """The papers whose links are learnt from."""
        return self.around or self.papers

    @cached_property
    def everything(self) -> "Corpus":
        """With all papers of the file, also those behind the limit."""
        return self if self.is_whole else replace(self, papers=spool_papers(self.source), is_whole=True, around=())

    @cached_property
    def with_gold(self) -> list[str]:
        """The ids of papers whose true labels are known, sorted; there must be some."""
        if found := sorted(paper.id for paper in self.papers if self.gold.get(paper.id)):
            return found
        raise InputError(
            f"none of the {len(self.papers):,} ranked papers of {self.name} has gold: "
            "check that both use the same paper ids, or rank more papers"
        )

    @cached_property
    def papers_hash(self) -> str:
        return _hash(papers_jsonl.as_record(paper) for paper in self.papers)

    @cached_property
    def links_hash(self) -> str:
        return _hash(papers_jsonl.as_record(paper) for paper in self.linked)

    @cached_property
    def labels_hash(self) -> str:
        return _hash(labels_jsonl.as_record(label) for label in self.labels.values())

    @cached_property
    def gold_hash(self) -> str:
        return _hash({"id": paper, "labels": sorted(self.gold[paper])} for paper in sorted(self.gold))


def _some_of(papers: PaperSpool, limit: int | None) -> PaperSpool:
    """As many as wanted, in random order, which is the same each time."""
    order = random.Random(0).sample(range(len(papers)), len(papers) if limit is None else min(limit, len(papers)))
    return PaperSpool(papers[i] for i in order)


def _without(path: Path | None, labels: LabelSpace, gold: Gold) -> tuple[LabelSpace, Gold]:
    if path is None:
        return labels, gold
    with open_binary(path) as stream:
        out = {line.decode("utf-8", "replace").strip() for line in stream}
    if not out & labels.keys():
        raise InputError(f"{path}: no label of the label space stands in it; give one id a line")
    kept = {paper: [label for label in given if label not in out] for paper, given in gold.items()}
    return LabelSpace([label for label in labels.values() if label.id not in out]), Gold(kept)


def default_name(papers: str) -> str:
    """The folder that holds the papers is likely called after them."""
    path = Path(papers)
    return (path if path.is_dir() else path.resolve().parent).name or "corpus"


def _hash(records: Iterable[Mapping[str, Any]]) -> str:
    sha256 = hashlib.sha256()
    for record in records:
        sha256.update(json.dumps(record, ensure_ascii=False, sort_keys=True).encode("utf-8", "surrogatepass") + b"\n")
    return sha256.hexdigest()

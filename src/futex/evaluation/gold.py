"""The labels that experts gave the papers: known to evaluation only, never to a stage that ranks.

>>> gold = Gold({"d1": ["A", "B"], "d2": ["A"]})
>>> sorted(gold["d1"])
['A', 'B']
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from futex.corpus.json_records import json_lines, text_field, text_list
from futex.corpus.store import write_lines
from futex.corpus.streams import open_binary
from futex.errors import InputError

EXAMPLE = '{"id": "d1", "labels": ["l1", "l2"]}'


class Gold(Mapping[str, frozenset[str]]):
    """z_d for each paper id, as the set of the ids of its true labels."""

    def __init__(self, labels: Mapping[str, Iterable[str]]) -> None:
        self._labels = {paper: frozenset(given) for paper, given in labels.items()}

    @classmethod
    def read(cls, path: str | Path) -> "Gold":
        """From JSONL, plain or compressed: {"id": "d1", "labels": ["l1", "l2"]}."""
        labels: dict[str, tuple[str, ...]] = {}
        with open_binary(Path(path)) as stream:
            for number, record in json_lines(stream, str(path)):
                where = f"{path}, line {number}"
                paper, given = _entry(record, where)
                if paper in labels:
                    raise InputError(f"{where}: a second line for paper {paper!r}; put all its labels on one line")
                labels[paper] = given
        if not labels:
            raise InputError(f"{path}: no papers; give one line a paper, like {EXAMPLE}")
        return cls(labels)

    def write(self, path: str | Path) -> None:
        """To JSONL, compressed as the extension says; labels are sorted, so that the same gold gives the same bytes."""
        write_lines(({"id": paper, "labels": sorted(labels)} for paper, labels in self._labels.items()), Path(path))

    def check(self, papers: Collection[str] | None = None, labels: Collection[str] | None = None) -> None:
        """Refuse gold that names papers or labels we do not know: its ids are then likely of another kind."""
        if papers is not None:
            _refuse_unknown("papers", self._labels.keys(), papers, "in the corpus")
        if labels is not None:
            _refuse_unknown("labels", frozenset().union(*self._labels.values()), labels, "in the label space")

    def __getitem__(self, paper: str) -> frozenset[str]:
        return self._labels[paper]

    def __iter__(self) -> Iterator[str]:
        return iter(self._labels)

    def __len__(self) -> int:
        return len(self._labels)


def _entry(record: Mapping[str, Any], where: str) -> tuple[str, tuple[str, ...]]:
    paper = text_field(record, "id", where)
    if not paper:
        raise InputError(f'{where}: no "id"; write {EXAMPLE}')
    if not isinstance(record.get("labels"), list):
        raise InputError(f'{where}: no list of "labels"; write {EXAMPLE}')
    return paper, text_list(record, "labels", where)


def _refuse_unknown(kind: str, named: Collection[str], known: Collection[str], where: str) -> None:
    unknown = sorted(frozenset(named).difference(known))
    if unknown:
        raise InputError(
            f"gold: {len(unknown)} of {len(named)} {kind} not {where}, the first {unknown[0]!r}; "
            f"check that both use the same ids, and drop from gold what is not {where} (futex eval: --ignore-unknown)"
        )

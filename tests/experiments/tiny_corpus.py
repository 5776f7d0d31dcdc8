"""Thirty papers on two topics with a label that is an attack, in files."""

import json
from dataclasses import replace
from pathlib import Path

from futex.corpus.paper import Paper
from futex.corpus.store import write_papers
from futex.experiments.corpus import Corpus
from futex.labels.label import Label, LabelSpace
from futex.labels.store import write_labels

ATTACK = "<script>alert('a|b $x$ 50%')</script>"


def write(folder: Path, papers: list[Paper], labels: LabelSpace) -> Path:
    more = [replace(paper, id=f"{paper.id}-{copy}") for copy in range(3) for paper in papers][:30]
    write_papers(more, folder / "papers.jsonl")
    write_labels(LabelSpace([*labels.values(), Label("X", ATTACK)]), folder / "labels.jsonl")
    true = [["L1", "L5", "L6"] if "Lung" in paper.title else ["L3", "L4", "X"] for paper in more]
    lines = [json.dumps({"id": paper.id, "labels": given}) for paper, given in zip(more, true, strict=True)]
    (folder / "gold.jsonl").write_text("\n".join(lines) + "\n")
    return folder


def read(folder: Path, limit: int | None = None) -> Corpus:
    papers, labels = (str(folder / f"{name}.jsonl") for name in ("papers", "labels"))
    return Corpus.read(papers, labels, folder / "gold.jsonl", name="tiny", limit=limit)

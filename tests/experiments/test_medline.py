"""A corpus of MEDLINE's abstracts and the MeSH headings that people gave them."""

import gzip
import json
import runpy
import sys
from pathlib import Path

import pytest
from corpus.pubmed_record import article_set

from futex import Gold, read_labels, read_papers

SCRIPT = Path(__file__).parents[2] / "experiments" / "medline.py"
HEADINGS = "id,scheme,subject\nhttps://id.nlm.nih.gov/mesh/D006801,MeSH,Humans\n"


def record(pmid, *headings, by="", language="eng", abstract="They grew. " * 40):
    """Indexed by people, unless it is said by what."""
    given = "".join(f'<MeshHeading><DescriptorName UI="{ui}">X</DescriptorName></MeshHeading>' for ui in headings)
    return (
        f"<PubmedArticle><MedlineCitation {by}><PMID>{pmid}</PMID><Article><ArticleTitle>Growth</ArticleTitle>"
        f"<Abstract><AbstractText>{abstract}</AbstractText></Abstract><Language>{language}</Language></Article>"
        f"<MeshHeadingList>{given}</MeshHeadingList></MedlineCitation></PubmedArticle>"
    )


@pytest.fixture
def convert(tmp_path, monkeypatch):
    """Gives a folder with the corpus of these records."""

    def run(*records, words=()):
        (tmp_path / "records.xml.gz").write_bytes(gzip.compress(article_set(*records).encode()))
        (tmp_path / "mesh.csv").write_text(HEADINGS)
        where = [str(tmp_path / name) for name in ("records.xml.gz", "mesh.csv", "out")]
        monkeypatch.setattr(sys, "argv", [str(SCRIPT), *where, *words])
        runpy.run_path(str(SCRIPT), run_name="__main__")
        return tmp_path / "out"

    return run


def test_only_what_people_indexed_counts(convert):
    out = convert(
        record(1, "D006801", "D999999"),
        record(2, "D006801", by='IndexingMethod="Automated"'),
        record(3, "D006801", language="ger"),
        record(4, "D006801", abstract="Short."),
        record(5, "D999999"),
        record(6),
    )
    assert [paper.id for paper in read_papers(out / "papers.jsonl.xz")] == ["pmid:1"]
    assert read_labels(out / "labels.jsonl").ids == ("D006801",)
    assert [json.loads(line) for line in (out / "gold.jsonl").open()] == [{"id": "pmid:1", "labels": ["D006801"]}]


def test_some_are_taken_by_chance_and_the_same_each_time(convert):
    records = [record(number, "D006801") for number in range(20)]
    first, again, other = (
        set(Gold.read(convert(*records, words=["--limit", "5", "--seed", seed]) / "gold.jsonl")) for seed in "001"
    )
    assert len(first) == 5
    assert first == again != other

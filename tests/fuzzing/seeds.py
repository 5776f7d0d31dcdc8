"""A sound little file of every format, to be damaged."""

import bz2
import gzip
import json
import lzma
import tarfile
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import NamedTuple

import zstandard
from corpus import test_markdown, test_research, test_unarxive
from corpus.jats_article import ARTICLE as JATS
from corpus.latex_article import ARTICLE as LATEX
from corpus.paper_files import article, packed, record, zipped
from corpus.pubmed_record import RECORD as PUBMED
from corpus.pubmed_record import article_set
from corpus.s2orc_paper import NEWER, OLDER
from corpus.tei_paper import PAPER as TEI
from corpus.test_pdf_hostile import PAPER as PDF
from corpus.test_same_paper import FUTEX, PAPER
from labels.test_store import EXAMPLES

from futex.corpus.formats import parquet

LONG = "one two three four five six seven eight nine ten"


class Seed(NamedTuple):
    """`format` is what the reader is called, `None` for what is recognised by content only (archives)."""

    name: str
    format: str | None
    content: bytes


def as_bytes(*records) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in records)


def as_parquet() -> bytes:
    with NamedTemporaryFile(suffix=".parquet") as file:
        parquet.write([PAPER, PAPER], Path(file.name))
        return file.read()


PAPERS = [
    Seed("a.xml", "jats", JATS.encode()),
    Seed("a.tei.xml", "tei", TEI.encode()),
    Seed("pubmed.xml", "pubmed", article_set(PUBMED, PUBMED.replace("1234", "9876")).encode()),
    Seed("older.json", "s2orc", as_bytes(OLDER)),
    Seed("newer.json", "s2orc", as_bytes(NEWER)),
    Seed("arxiv.jsonl", "unarxive", as_bytes(test_unarxive.PAPER, test_unarxive.PAPER)),
    Seed("x_paper.json", "research", as_bytes(test_research.FUTEX, test_research.MAPLE)),
    Seed("x_candidates.json", "research", as_bytes(test_research.CANDIDATES)),
    Seed("corpus.tsv", "annif", f"{LONG}\t<http://a.org/1> <http://a.org/2>\n{LONG}\t<http://a.org/1>\n".encode()),
    Seed("corpus.csv", "annif", f'text,subject_uris\n"{LONG}",<http://a.org/1>\n'.encode()),
    Seed("corpus.jsonl", "annif", as_bytes({"text": LONG, "subjects": [{"uri": "u:1"}], "metadata": {"title": "T"}})),
    Seed("a.tex", "latex", LATEX.encode()),
    Seed("a.pdf", "pdf", PDF),
    Seed("a.md", "markdown", test_markdown.ARTICLE.encode()),
    Seed(
        "a.txt", "text", f"A Title\n\n1 Introduction\n\n{LONG}.\n\n1.1 More\n\n{LONG}\n\nReferences\n\n[1] A\n".encode()
    ),
    Seed("papers.jsonl", "jsonl", as_bytes(FUTEX, FUTEX | {"id": "b"})),
    Seed("papers.parquet", "parquet", as_parquet()),
]

TAR = packed([("a.xml", article("a")), ("b" * 120, record("b"))], tarfile.GNU_FORMAT)
ARCHIVES = [
    Seed("a.zip", None, zipped([("a.xml", article("a")), ("b/b.jsonl", record("b")), ("c.gz", gzip.compress(TAR))])),
    Seed("a.tar", None, TAR),
    Seed("p.tar", None, packed([("ü" * 90, article("a")), ("c.xml.gz", gzip.compress(article("c")))])),
    Seed("u.tar", None, packed([("x/" * 60 + "a.xml", article("a"))], tarfile.USTAR_FORMAT)),
    *(
        Seed(f"a.tar.{name}", None, compress(TAR))
        for name, compress in [
            ("gz", gzip.compress),
            ("bz2", bz2.compress),
            ("xz", lzma.compress),
            ("zst", zstandard.compress),
        ]
    ),
]

LABELS = [
    *(Seed(name, format, content.encode()) for name, (format, content) in EXAMPLES.items()),
    Seed("x_label.json", "research", as_bytes(test_research.LABEL)),
]

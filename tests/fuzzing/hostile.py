"""Files made to harm the reader: bombs, circles, endless lines, absurd depths, ways out of the folder."""

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import zstandard
from corpus.paper_files import article
from pyarrow import parquet

from futex.corpus.formats.parquet import SCHEMA

MILLION = 1_000_000
CHUNK = 2**20


class Case(NamedTuple):
    name: str
    file: str
    write: Callable[[Path], None]
    labels: bool = False


def repeated(start: bytes, unit: bytes, times: int, end: bytes = b"") -> Iterator[bytes]:
    each = max(1, CHUNK // len(unit))
    yield start
    yield from (unit * each for _ in range(times // each))
    yield unit * (times % each) + end


def file_of(chunks: Callable[[], Iterable[bytes]]) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        with path.open("wb") as file:
            file.writelines(chunks())

    return write


def papers(name: str, file: str, start: bytes, unit: bytes = b"", times: int = 0, end: bytes = b"") -> Case:
    return Case(name, file, file_of(lambda: repeated(start, unit or b" ", times, end)))


def labels(name: str, file: str, start: bytes, unit: bytes = b"", times: int = 0, end: bytes = b"") -> Case:
    return papers(name, file, start, unit, times, end)._replace(labels=True)


# --- XML

JATS = b"<article><front><article-meta><abstract><p>Some.</p></abstract></article-meta></front><body>"
TEI = b'<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/><text><body>'
RDF = b'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:s="http://s/">'
SKOS = b"@prefix s: <http://www.w3.org/2004/02/skos/core#> .\n"
PUBMED = b"<PubmedArticleSet>"
MESH = b"<DescriptorRecordSet>"


def laughs(root: bytes, content: bytes) -> bytes:
    entities = b"".join(b'<!ENTITY a%d "%s">' % (i, b"&a%d;" % (i - 1) * 10) for i in range(1, 12))
    return b'<!DOCTYPE %s [<!ENTITY a0 "ha">%s]>%s' % (root, entities, content % b"&a11;")


def one_long_entity(root: bytes, content: bytes) -> bytes:
    return b'<!DOCTYPE %s [<!ENTITY a "%s">]>%s' % (root, b"x" * 100_000, content % (b"&a;" * 100_000))


def elsewhere(root: bytes, content: bytes) -> bytes:
    return b'<!DOCTYPE %s [<!ENTITY a SYSTEM "file:///etc/passwd">]>%s' % (root, content % b"&a;")


def nested(name: str, start: bytes, tags: bytes, end: bytes) -> Case:
    """Elements in each other a hundred times around a million others, which are not to be looked at a hundred times."""
    names = [tag.split(b" ")[0].strip(b">") for tag in reversed(tags.split(b"<")[1:])]
    closed = b"".join(b"</%s>" % name for name in names) * 100
    return papers(name, "a.xml", start + tags * 100, b"<pub-id>a</pub-id>", MILLION, closed + end)


ROOTS = [
    ("jats", b"article", b"<article><front/><body><p>%s</p></body></article>", False),
    ("tei", b"TEI", b'<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body><p>%s</p></body></text></TEI>', False),
    ("pubmed", b"PubmedArticleSet", b"<PubmedArticleSet><PubmedArticle>%s</PubmedArticle></PubmedArticleSet>", False),
    ("mesh", b"DescriptorRecordSet", b"<DescriptorRecordSet>%s</DescriptorRecordSet>", True),
    ("rdf", b"rdf:RDF", RDF + b"<s:C><s:p>%s</s:p></s:C></rdf:RDF>", True),
]
XML = [
    Case(f"{name}: {attack.__name__}", f"{name}.xml", file_of(lambda a=attack, r=root, c=content: [a(r, c)]), is_labels)
    for name, root, content, is_labels in ROOTS
    for attack in (laughs, one_long_entity, elsewhere)
] + [
    papers("jats: a million nested sections", "a.xml", JATS, b"<sec>", MILLION),
    papers("jats: ... that close", "a.xml", JATS, b"<sec>", MILLION, b"</sec>" * MILLION + b"</body></article>"),
    papers("jats: a million nested italics", "a.xml", JATS + b"<p>", b"<italic>", MILLION, b"</italic>" * MILLION),
    papers("jats: a million sections", "a.xml", JATS, b"<sec><p/></sec>", MILLION, b"</body></article>"),
    papers("jats: ten million paragraphs", "a.xml", JATS, b"<p>a</p>", 10 * MILLION, b"</body></article>"),
    papers("jats: a gigabyte of text", "a.xml", JATS + b"<p>", b"x", 10**9),
    papers("jats: a gigabyte of an attribute", "a.xml", JATS + b'<p a="', b"x", 10**9),
    papers("jats: a million attributes", "a.xml", JATS + b"<p ", b'a="" ', MILLION),
    papers("jats: a million references", "a.xml", JATS + b"</body><back><ref-list>", b"<ref/>", MILLION),
    nested("jats: nested formulas", JATS + b"<p>", b"<inline-formula><tex-math>", b"</p></body></article>"),
    nested("jats: nested titles", JATS, b"<sec><title>", b"</body></article>"),
    nested("jats: nested citations", JATS + b"</body><ref>", b"<mixed-citation><x>", b"</ref></article>"),
    papers("jats: an encoding that lies", "a.xml", b"<?xml version='1.0' encoding='utf-16'?>" + JATS),
    papers("jats: utf-16", "a.xml", (JATS + b"</body></article>").decode().encode("utf-16")),
    papers("jats: latin-1 undeclared", "a.xml", JATS + "<p>über</p></body></article>".encode("latin-1")),
    papers(
        "tei: a million nested divs", "a.xml", TEI, b"<div>", MILLION, b"</div>" * MILLION + b"</body></text></TEI>"
    ),
    papers("tei: a million divs", "a.xml", TEI, b"<div><head n='1'/></div>", MILLION, b"</body></text></TEI>"),
    nested("tei: nested annexes", TEI + b"</body><back>", b'<div type="annex"><p>', b"</back></text></TEI>"),
    nested("tei: nested references", TEI + b"</body><back>", b"<listBibl><biblStruct>", b"</back></text></TEI>"),
    nested("tei: nested figures", TEI, b"<figure><figDesc>", b"</body></text></TEI>"),
    papers("tei: a gigabyte of text", "a.xml", TEI + b"<p>", b"x", 10**9),
    papers("pubmed: a million nested elements", "a.xml", PUBMED, b"<a>", MILLION),
    papers("pubmed: ten million elements", "a.xml", PUBMED + b"<PubmedArticle>", b"<a/>", 10 * MILLION),
    papers("pubmed: 200,000 empty records", "a.xml", PUBMED, b"<a><b/><PubmedArticle/></a>", MILLION // 5),
    papers("pubmed: a gigabyte of text", "a.xml", PUBMED + b"<PubmedArticle><a>", b"x", 10**9),
]

# --- JSON

BODY = b'{"paper_id": "1", "body_text": ['
JSON = [
    papers("jsonl: a gigabyte in a line", "a.jsonl", b'{"id": "', b"x", 10**9),
    papers("jsonl: a million nested lists", "a.jsonl", b'{"id": "1", "sections": ', b"[", MILLION),
    papers("jsonl: nested sections", "a.jsonl", b'{"id": "1", "sections": [', b'{"sections": [', MILLION // 10),
    papers("jsonl: a million digits", "a.jsonl", b'{"id": "1", "metadata": {"a": ', b"1", MILLION, b"}}\n"),
    papers("jsonl: ten million values", "a.jsonl", b'{"id": "1", "references": [""', b',"a"', 10 * MILLION, b"]}\n"),
    papers("jsonl: ten million empty lists", "a.jsonl", b'{"id": "1", "references": [[]', b",[]", 10 * MILLION, b"]}"),
    papers("s2orc: a gigabyte in a line", "a.json", BODY + b'{"text": "', b"x", 10**9),
    papers("s2orc: ten million blocks", "a.json", BODY + b"{}", b",{}", 10 * MILLION, b"]}"),
    papers(
        "s2orc: deep section names",
        "a.json",
        BODY + b'{"text": "a", "section": "',
        b"a::",
        MILLION,
        b'"}], "bib_entries": {}}',
    ),
    papers(
        "s2orc: a million spans",
        "a.json",
        b'{"corpusid": 1, "content": {"text": "abc", "annotations": {"paragraph": "[{}',
        b',{\\"start\\":0,\\"end\\":3}',
        MILLION,
        b']"}}}',
    ),
    papers("unarxive: a gigabyte in a line", "a.jsonl", b'{"paper_id": "1", "_source_hash": "', b"x", 10**9),
    papers("research: a gigabyte in a line", "x_paper.json", b'{"paper": "1", "abstract": "', b"x", 10**9),
]

# --- text

TEXT = [
    papers("text: a gigabyte in a line", "a.txt", b"", b"x", 10**9),
    papers("text: a gigabyte of words", "a.txt", b"", b"word ", 2 * 10**8),
    papers("text: a gigabyte of lines", "a.txt", b"", b"\n", 10**9),
    papers("text: a gigabyte of nothing", "a.txt", b"", b"\0", 10**9),
    papers("text: a million headings", "a.txt", b"", b"1.1 Title\n\n", MILLION),
    papers("markdown: a gigabyte in a line", "a.md", b"# T\n", b"x", 10**9),
    papers("markdown: a million headings", "a.md", b"", b"###### a\n", MILLION),
    papers("markdown: ten million brackets", "a.md", b"# T\n\n", b"[", 10 * MILLION),
    papers("markdown: ten million quotes", "a.md", b"# T\n\n", b"> ", 10 * MILLION),
    papers("annif: a gigabyte in a line", "a.tsv", b"a text\t<http://a.org/1>\n", b"x", 10**9),
    papers("annif: ten million subjects", "a.tsv", b"a text\t", b"<http://a.org/1> ", 10 * MILLION),
    papers("annif: a quote that never ends", "a.csv", b'text,subject_uris\n"', b"x\n", 10**8),
    papers("annif: ten million columns", "a.csv", b"text,subject_uris\n", b",", 10 * MILLION),
]

# --- LaTeX

START = b"\\documentclass{article}\\begin{document}"
LATEX = [
    papers("latex: a macro of itself", "a.tex", START + b"\\def\\a{\\a\\a}\\a\\end{document}"),
    papers("latex: macros that double", "a.tex", START, b"", 0)._replace(
        write=file_of(
            lambda: [START, *(b"\\def\\%c{\\%c\\%c}" % (b, b + 1, b + 1) for b in range(97, 122)), b"\\def\\z{ha}\\a"]
        )
    ),
    papers("latex: other files", "a.tex", START + b"\\input{/etc/passwd}\\input{../../../etc/passwd}\\input{a}"),
    papers("latex: a million braces", "a.tex", START, b"{", MILLION),
    papers("latex: a million environments", "a.tex", START, b"\\begin{a}", MILLION),
    papers("latex: a million dollars", "a.tex", START, b"$", MILLION),
    papers("latex: a million sections", "a.tex", START, b"\\section{a}", MILLION // 2),
    papers("latex: a gigabyte in a line", "a.tex", START, b"x", 10**9),
]

# --- PDF


def pdf(*objects: bytes) -> bytes:
    written = b"".join(b"%d 0 obj%b endobj\n" % (number, part) for number, part in enumerate(objects, 1))
    return b"%PDF-1.4\n" + written + b"trailer<</Root 1 0 R>>\n%%EOF"


def flate_bomb() -> bytes:
    press, spaces = zlib.compressobj(level=9), b" " * CHUNK
    stream = b"".join([*(press.compress(spaces) for _ in range(3000)), press.flush()])
    return pdf(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R>>",
        b"<</Filter/FlateDecode/Length %d>>stream\n%b\nendstream" % (len(stream), stream),
    )


def pages_in_a_circle() -> bytes:
    return pdf(b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2>>")


def a_million_pages() -> bytes:
    kids = b"3 0 R " * MILLION
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]>>"
    return pdf(b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[%b]/Count 1000000>>" % kids, page)


PDF = [
    Case("pdf: three gigabytes on a page", "a.pdf", file_of(lambda: [flate_bomb()])),
    Case("pdf: pages in a circle", "a.pdf", file_of(lambda: [pages_in_a_circle()])),
    Case("pdf: a million pages", "a.pdf", file_of(lambda: [a_million_pages()])),
    papers("pdf: a million nested arrays", "a.pdf", b"%PDF-1.4\n1 0 obj", b"[", MILLION),
    papers("pdf: a gigabyte of nothing", "a.pdf", b"%PDF-1.4\n", b"\0", 10**9),
]

# --- Parquet


def dictionary(path: Path) -> None:
    """A long text stored once and meant a hundred thousand times."""
    text = pa.DictionaryArray.from_arrays(pa.array([0] * 100_000, pa.int32()), pa.array(["x" * 200_000]))
    columns = {field.name: pa.nulls(100_000, field.type) for field in SCHEMA}
    parquet.write_table(pa.table(columns | {"id": pa.array(["a"] * 100_000), "abstract": text}), path)


def dictionary_in_a_list(path: Path) -> None:
    """The same in a single paper."""
    text = pa.DictionaryArray.from_arrays(pa.array([0] * 100_000, pa.int32()), pa.array(["x" * 200_000]))
    columns = {field.name: pa.nulls(1, field.type) for field in SCHEMA} | {"id": pa.array(["a"])}
    parquet.write_table(pa.table(columns | {"references": pa.ListArray.from_arrays([0, 100_000], text)}), path)


def units_without_end(path: Path) -> None:
    unit = {"depth": 1, "heading": "", "text": ""}
    row = {"id": "a", "title": "", "abstract": "", "units": [unit] * 5 * MILLION, "references": [], "metadata": "{}"}
    parquet.write_table(pa.Table.from_pylist([row], schema=SCHEMA), path)


PARQUET = [
    Case("parquet: a dictionary bomb", "a.parquet", dictionary),
    Case("parquet: ... in a list", "a.parquet", dictionary_in_a_list),
    Case("parquet: five million units", "a.parquet", units_without_end),
    papers("parquet: a footer that lies", "a.parquet", b"PAR1" + b"\0" * 100 + b"\xff\xff\xff\x7fPAR1"),
]

# --- archives


def bomb(opened: Callable[..., io.BufferedIOBase]) -> Callable[[Path], None]:
    """Five gigabytes of an article that never ends."""

    def write(path: Path) -> None:
        with opened(path, mode="wb") as file:
            file.write(JATS + b"<p>")
            for _ in range(5000):
                file.write(b"x" * CHUNK)

    return write


def zip_bomb(path: Path) -> None:
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("a.xml", "w", force_zip64=True) as file,
    ):
        file.write(JATS + b"<p>")
        for _ in range(5000):
            file.write(b"x" * CHUNK)


def many_members(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(200_000):
            archive.writestr(f"{number}.png", b"")


def overlapping_members(path: Path) -> None:
    """A thousand names for one member of 60 MB."""
    body = zlib.compress(JATS + b"<p>" + b"x" * 60_000_000 + b"</p></body></article>", 9)[2:-4]
    sizes = struct.pack("<III", 0, len(body), 60_000_000)
    local = b"PK\3\4" + struct.pack("<HHHHH", 20, 0, 8, 0, 0) + sizes + struct.pack("<HH", 5, 0) + b"a.xml"
    one = (
        b"PK\1\2"
        + struct.pack("<HHHHHH", 20, 20, 0, 8, 0, 0)
        + sizes
        + struct.pack("<HHHHHII", 5, 0, 0, 0, 0, 0, 0)
        + b"a.xml"
    )
    end = b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1000, 1000, 1000 * len(one), len(local) + len(body), 0)
    path.write_bytes(local + body + one * 1000 + end)


def tricks(path: Path) -> None:
    with tarfile.open(path, "w") as archive:
        for name in ("../../up.xml", "/etc/absolute.xml", "a/../../b.xml"):
            member = tarfile.TarInfo(name)
            member.size = len(article("a"))
            archive.addfile(member, io.BytesIO(article("a")))
        for kind, target in (
            (tarfile.SYMTYPE, "/etc/passwd"),
            (tarfile.LNKTYPE, "/etc/passwd"),
            (tarfile.FIFOTYPE, ""),
        ):
            member = tarfile.TarInfo("link.xml")
            member.type, member.linkname = kind, target
            archive.addfile(member)


ARCHIVES = [
    Case("gzip bomb", "a.xml.gz", bomb(gzip.open)),
    Case("bzip2 bomb", "a.xml.bz2", bomb(bz2.open)),
    Case("xz bomb", "a.xml.xz", bomb(partial(lzma.open, preset=0))),
    Case("zstd bomb", "a.xml.zst", bomb(zstandard.open)),
    Case("zip bomb", "a.zip", zip_bomb),
    Case("zip: one member by a thousand names", "a.zip", overlapping_members),
    Case("zip: 200,000 members", "a.zip", many_members),
    Case("tar: ways out of the folder", "a.tar", tricks),
    papers(
        "tar: a size that lies",
        "a.tar",
        b"a.xml".ljust(124, b"\0") + b"77777777777\0".ljust(133, b"0") + b"ustar\0" * 30,
    ),
]

# --- vocabularies

VOCABULARIES = [
    labels("turtle: a million nested blanks", "a.ttl", SKOS + b"<a:a> <b:b> ", b"[ <c:c> ", MILLION),
    labels("turtle: a million nested lists", "a.ttl", SKOS + b"<a:a> <b:b> ", b"( ", MILLION),
    labels("turtle: a gigabyte in a literal", "a.ttl", SKOS + b'<a:a> s:prefLabel "', b"x", 10**9),
    labels("turtle: a gigabyte of names", "a.ttl", SKOS + b'<a:a> s:altLabel "a"', b',"b"', 2 * 10**8),
    labels(
        "turtle: ten million concepts", "a.ttl", SKOS + b"<a:0> a s:Concept", b' . [] s:prefLabel "a"', 10 * MILLION
    ),
    labels("rdf/xml: a million nested nodes", "a.rdf", RDF, b"<s:C><s:p>", MILLION),
    labels("rdf/xml: a gigabyte in a literal", "a.rdf", RDF + b"<s:C><s:p>", b"x", 10**9),
    labels("json-ld: a million nested lists", "a.jsonld", b'{"@context": {}, "@graph":', b"[", MILLION),
    labels("json-ld: a million contexts", "a.jsonld", b'{"@context":', b'{"a":{"@context":', MILLION),
    labels("json-ld: a gigabyte in a literal", "a.jsonld", b'{"@context": {}, "@id": "', b"x", 10**9),
    labels(
        "json-ld: ten million nodes",
        "a.jsonld",
        b'{"@context": {}, "@graph":[{}',
        b',{"@id":"a:a","a:p":"q"}',
        10 * MILLION,
    ),
    labels("mesh: a million nested elements", "a.xml", MESH, b"<a>", MILLION),
    labels("mesh: ten million elements", "a.xml", MESH + b"<DescriptorRecord>", b"<a/>", 10 * MILLION),
    labels("mesh: a gigabyte of text", "a.xml", MESH + b"<DescriptorRecord><a>", b"x", 10**9),
    labels("obo: ten million synonyms", "a.obo", b"[Term]\nid: x\nname: a\n", b'synonym: "a" EXACT []\n', 10 * MILLION),
    labels("obo: ten million terms", "a.obo", b"format-version: 1.2\n", b"[Term]\nid: x\nname: a\n", 10 * MILLION),
    labels("obo: a gigabyte in a line", "a.obo", b"[Term]\nid: x\nname: ", b"x", 10**9),
    labels("annif: ten million labels", "a.tsv", b"", b"<http://a.org/1>\tb\n", 10 * MILLION),
    labels("annif: a quote that never ends, labels", "a.csv", b'uri,label_en\n"', b"x\n", 10**8),
    labels("invenio: ten million labels", "a.csv", b"id,scheme,subject\n", b"a,b,c\n", 10 * MILLION),
    labels("jsonl: ten million labels", "a.jsonl", b"", b'{"id":"a","name":"b"}\n', 10 * MILLION),
    labels("jsonl: a gigabyte in a line, labels", "a.jsonl", b'{"id":"', b"x", 10**9),
]

CASES = XML + JSON + TEXT + LATEX + PDF + PARQUET + ARCHIVES + VOCABULARIES

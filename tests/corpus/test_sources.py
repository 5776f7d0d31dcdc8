"""Where papers may lie: folders, patterns, archives, pipes; and what lies beside them."""

import bz2
import gzip
import io
import lzma
import os
import re
import sys
import threading
from codecs import BOM_UTF8
from itertools import permutations
from pathlib import Path

import pytest
import zstandard
from corpus.paper_files import article, ids, make, packed, record, zipped

from futex.corpus import archives, beside, reading
from futex.corpus.document import Document
from futex.corpus.paper import Paper
from futex.corpus.reading import read_documents
from futex.errors import InputError

COMPRESSED = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": zstandard.compress}


# --- folders and patterns


@pytest.fixture
def mixed(tmp_path):
    """All formats and archives in one folder, with things that are no papers between them."""
    return make(
        tmp_path / "papers",
        a_xml=article("a"),
        b_jsonl=record("b"),
        c_zip=zipped([("c1.xml", article("c1")), ("c2.jsonl.xz", lzma.compress(record("c2")))]),
        d_tar_zst=zstandard.compress(packed([("d.xml", article("d"))])),
        deep__er__e_xml_gz=gzip.compress(article("e")),
        picture_png=b"\x89PNG",
        empty_xml=b"",
    )


def test_a_folder_may_hold_everything(mixed):
    assert ids(mixed) == ["a", "b", "c1", "c2", "d", "e"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.xml", article("a")),
        ("a.xml", b"<TEI><teiHeader><fileDesc><idno type='PMID'>1</idno></fileDesc></teiHeader></TEI>"),
        ("a.tex", b"\\documentclass{x}\\begin{document}Text\\end{document}"),
        ("a.jsonl", record("a")),
        ("a.jsonl", b'{"paper_id": "a", "sec_number": ""}'),
        ("a.jsonl", b'{"paper_id": "a", "body_text": []}'),
        ("a.jsonl", b'{"paper": "a", "title": "x"}'),
        ("a.jsonl", b'{"text": "Text", "subjects": []}'),
        ("a.tsv", b"Text\t<http://x.org/1>"),
        ("a.csv", b"text,subject_uris\nText,<http://x.org/1>"),
    ],
)
def test_a_byte_order_mark_hides_no_format(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(BOM_UTF8 + content)
    assert len(ids(path)) == 1


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("*.xml", "a"),
        ("?.*", "a b c1 c2 d"),
        ("[ab].*", "a b"),
        ("**/*.gz", "e"),
        ("*/er", "e"),
        ("**", "a b c1 c2 d e"),
        ("**/*", "a b c1 c2 d e"),
    ],
)
def test_patterns(mixed, pattern, expected):
    assert ids(mixed / pattern) == expected.split()


def test_a_pattern_may_be_relative(mixed, monkeypatch):
    monkeypatch.chdir(mixed.parent)
    assert ids("papers/*.xml") == ids("*/a.xml") == ["a"]


def test_a_file_that_looks_like_a_pattern_is_a_file(tmp_path):
    (tmp_path / "a[1].xml").write_bytes(article("a"))
    (tmp_path / "a1.xml").write_bytes(article("other"))
    assert ids(tmp_path / "a[1].xml") == ["a"]


@pytest.mark.parametrize(("pattern", "message"), [("*.tei", "no file matches"), ("**x/*", "cannot read the pattern")])
def test_patterns_without_files(mixed, pattern, message):
    with pytest.raises(InputError, match=message):
        ids(mixed / pattern)


# --- archives and pipes


@pytest.mark.parametrize("kind", COMPRESSED)
def test_compressed_tars_alone_and_by_content_only(tmp_path, kind):
    archive = COMPRESSED[kind](packed([("./x/a.xml", article("a")), ("b.jsonl", record("b"))]))
    (tmp_path / "no-extension").write_bytes(archive)
    assert ids(tmp_path / "no-extension") == ["a", "b"]


PIPED = {
    "plain": record("a"),
    "compressed": zstandard.compress(record("a")),
    "zip": zipped([("a.xml", article("a"))]),
    "tar": packed([("a.xml", article("a"))]),
    **{kind: compress(packed([("a.xml", article("a"))])) for kind, compress in COMPRESSED.items()},
}


@pytest.mark.parametrize("kind", PIPED)
def test_standard_input_holds_papers_or_an_archive(monkeypatch, kind):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(PIPED[kind])))
    assert ids("-") == ["a"]


@pytest.mark.parametrize("kind", PIPED)
def test_a_named_pipe_is_read_even_if_it_drips(tmp_path, kind):
    """As the shell makes one for `futex run <(zcat …)`."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def drip():
        with pipe.open("wb", buffering=0) as out:
            for start in range(0, len(PIPED[kind]), 100):
                out.write(PIPED[kind][start : start + 100])

    writer = threading.Thread(target=drip)
    writer.start()
    assert ids(pipe) == ["a"]
    writer.join()


def test_a_compressed_file_of_many_little_parts_is_recognised(tmp_path):
    parts = [article("a")[i : i + 3] for i in range(0, len(article("a")), 3)]
    (tmp_path / "a.xml.gz").write_bytes(b"".join(map(gzip.compress, parts)))
    assert ids(tmp_path / "a.xml.gz") == ["a"]


# --- what lies beside a paper


class Linked:
    """A format whose papers name another file: its content is the abstract."""

    NAME = "linked"

    @staticmethod
    def recognises(head, name=""):
        return head.startswith(b"see ")

    @staticmethod
    def read(source):
        found = source.beside(source.stream.read().decode().removeprefix("see "))
        yield Document(Paper(source.name, abstract="nothing" if found is None else found.decode()))


@pytest.fixture
def linked(monkeypatch):
    monkeypatch.setitem(reading.FORMATS, "linked", Linked)
    monkeypatch.setattr(reading, "ONE_PAPER_A_FILE", {"linked"})


def abstracts(where, **options):
    return [document.paper.abstract for document in read_documents(str(where), **options)]


FILES = [("p/main.tex", b"see sections/a.tex"), ("p/sections/a.tex", b"Text A."), ("sections/a.tex", b"Not this one.")]


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("pack", [zipped, packed, lambda files: gzip.compress(packed(files))])
@pytest.mark.parametrize("order", permutations(range(3)))
def test_an_archive_gives_the_files_beside_a_paper_in_any_order(tmp_path, linked, pack, order, workers):
    (tmp_path / "submission").write_bytes(pack([FILES[i] for i in order]))
    assert abstracts(tmp_path / "submission", workers=workers) == ["Text A."]


def test_an_archive_on_standard_input_does_too(monkeypatch, linked):
    for pack in (zipped, packed):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(pack(FILES))))
        assert abstracts("-") == ["Text A."]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_folder_gives_the_files_beside_a_paper(tmp_path, linked, workers):
    for name, content in FILES:
        make(tmp_path, **{name.replace("/", "__").replace(".", "_"): content})
    assert abstracts(tmp_path, workers=workers) == ["Text A."]
    assert abstracts(tmp_path / "p" / "main.tex") == ["Text A."]


OUTSIDE = ["../secret", "/etc/passwd", "a/../../secret", "..\\secret", "C:\\secret"]
NO_FILE = ["", ".", "a\0b", "x" * 5000, "\ud800"]


@pytest.mark.parametrize("name", OUTSIDE + NO_FILE)
def test_nothing_outside_the_folder_is_beside_a_paper(tmp_path, name):
    make(tmp_path, secret=b"secret", papers__a__x=b"", papers__main_tex=b"")
    files = [("papers/main.tex", b""), ("secret", b"secret"), ("/etc/passwd", b"secret")]
    (tmp_path / "z").write_bytes(zipped(files))
    (tmp_path / "t").write_bytes(packed(files))
    assert beside.BesideFile(tmp_path / "papers" / "main.tex")(name) is None
    assert beside.BesideZipMember(tmp_path / "z", "papers/main.tex")(name) is None
    assert beside.BesideTarMember(tmp_path / "t", "papers/main.tex")(name) is None


def test_links_and_special_files_beside_a_paper(tmp_path):
    folder = make(tmp_path, secret=b"secret", papers__main_tex=b"", papers__a_bib=b"refs") / "papers"
    (folder / "out").symlink_to(tmp_path / "secret")
    (folder / "up").symlink_to(tmp_path)
    (folder / "within").symlink_to("a.bib")
    (folder / "loop").symlink_to("loop")
    os.mkfifo(folder / "pipe")
    ask = beside.BesideFile(folder / "main.tex")
    assert ask("a.bib") == ask("within") == ask("./a.bib") == b"refs"
    assert {ask(name) for name in ("out", "up/secret", "loop", "pipe", "missing")} == {None}


def test_files_beside_a_paper_are_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(beside, "MAX_FILE", 10)
    make(tmp_path, main_tex=b"", big_bib=b"x" * 11)
    files = [("main.tex", b""), ("big.bib", b"x" * 11)]
    (tmp_path / "z").write_bytes(zipped(files))
    (tmp_path / "t").write_bytes(packed(files))
    for ask in (
        beside.BesideFile(tmp_path / "main.tex"),
        beside.BesideZipMember(tmp_path / "z", "main.tex"),
        beside.BesideTarMember(tmp_path / "t", "main.tex"),
    ):
        with pytest.raises(InputError, match=r"big\.bib: longer than"):
            ask("big.bib")
    monkeypatch.setattr(beside, "MAX_KEPT", 5)
    beside._kept.cache_clear()
    with pytest.raises(InputError, match="unpack it"):
        beside.BesideTarMember(tmp_path / "t", "main.tex")("big.bib")


def test_a_zip_file_is_opened_once_for_all_that_lies_beside_its_papers(tmp_path, monkeypatch):
    texts = [(f"./{i}.{kind}", b"Some words.") for i in range(9) for kind in ("txt", "key")]
    (tmp_path / "z").write_bytes(zipped(texts))
    opened = []
    monkeypatch.setattr(archives, "_BoundedReads", lambda path: opened.append(path) or io.FileIO(path))
    subjects = [document.subjects.paths for document in read_documents(str(tmp_path / "z"), workers=1)]
    assert subjects == [(("Some words.",),)] * 9
    assert len(opened) == 2


@pytest.mark.parametrize("workers", [1, 2])
def test_texts_are_read_without_subjects_if_their_tar_holds_too_much_else(tmp_path, workers, monkeypatch, caplog):
    monkeypatch.setattr(beside, "MAX_KEPT", 5)
    (tmp_path / "t").write_bytes(packed([("a.txt", b"Words."), ("b.txt", b"Words."), ("c.csv", b"x" * 6)]))
    assert ids(tmp_path / "t", workers=workers) == ["a", "b"]
    assert set(caplog.messages) == {
        f"{tmp_path}/t: more than 0 MiB beside its papers, too much to look for subjects; unpack it, give the folder"
    }
    assert len(caplog.messages) <= workers  # each process looks once


@pytest.mark.skipif(sys.platform != "linux", reason="looks for open files in /proc")
def test_a_broken_zip_file_on_standard_input_is_named_and_closed(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"PK\x03\x04 broken")))
    before = open_files()
    with pytest.raises(InputError) as broken:
        ids("-")
    assert open_files() <= before  # while the error still holds all that was open
    assert re.fullmatch("standard input is not a readable zip file: .*; fetch or pack it again", str(broken.value))


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("pack", [None, zipped, packed])
def test_names_with_colons_and_strange_spaces(tmp_path, pack, workers):
    files = [(f"{stem}.{kind}", b"Words.") for stem in ("2020: a", "2021: a", "b\u00a0c") for kind in ("key", "txt")]
    where = make(tmp_path / "in")
    if pack:
        where = tmp_path / "archive"
        where.write_bytes(pack(files))
    else:
        where.mkdir()
        for name, content in files:
            (where / name).write_bytes(content)
    found = list(read_documents(str(where), workers=workers))
    assert [document.paper.id for document in found] == ["2020: a", "2021: a", "b\ufffdc"]
    assert [document.subjects.paths for document in found] == [(("Words.",),)] * 3


@pytest.mark.parametrize("pack", [zipped, packed])
def test_hidden_members_are_left_alone(tmp_path, pack):
    """As macOS packs them beside each file, and as a wheel describes itself."""
    text = b"word " * 20
    hidden = [("__MACOSX/._p.md", b"\x00\x05\x16\x07" + text), ("papers-1.0.dist-info/top_level.txt", text)]
    (tmp_path / "a").write_bytes(pack([("p.md", text), *hidden]))
    assert ids(tmp_path / "a") == ["p"]

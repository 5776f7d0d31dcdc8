"""Our store: what is written comes back, whatever the container; what is broken is named."""

import gzip
import io
import json
import lzma
import tarfile
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from corpus.paper_files import zipped
from hypothesis import given, settings
from hypothesis import strategies as st

from futex.corpus import lines
from futex.corpus.formats import jsonl, parquet
from futex.corpus.paper import MAX_DEPTH, Paper, Unit, section
from futex.corpus.sources import Source
from futex.corpus.spool import PaperSpool
from futex.corpus.store import read_papers, spool_papers, write_papers
from futex.errors import InputError

word = st.sampled_from(
    ["a", "β-cell", "naïve", "e\u0301", "日本", '"', "\\n", "<b>", "{", "\U0001f600", "\u200b", "null"]
)
text = st.lists(word, min_size=10, max_size=12).map(" ".join)
heading = st.lists(word, max_size=2).map(" ".join)
units = st.recursive(
    st.builds(section, heading, st.lists(text, min_size=1, max_size=3)),
    lambda inner: st.builds(section, heading, st.lists(text, max_size=2), st.lists(inner, min_size=1, max_size=3)),
    max_leaves=4,
)
some_papers = st.lists(
    st.builds(
        Paper,
        id=word,
        title=heading,
        abstract=text,
        body=st.builds(section, st.just(""), st.lists(text, max_size=2), st.lists(units, max_size=2)),
        references=st.lists(word).map(tuple),
        metadata=st.fixed_dictionaries({}, optional={"year": st.integers(1900, 2100), "authors": st.lists(word)}),
    ),
    min_size=1,
    max_size=2,
    unique_by=lambda paper: paper.id,
)


@settings(max_examples=40)
@given(
    written=some_papers,
    name=st.sampled_from(["p.jsonl", "p.jsonl.gz", "p.jsonl.bz2", "p.jsonl.xz", "p.jsonl.zst", "p.parquet"]),
)
def test_what_is_written_is_read_back(tmp_path_factory, name, written):
    path = tmp_path_factory.mktemp("store") / name
    write_papers(written, path)
    assert read_papers(path) == written


@pytest.mark.parametrize("name", ["p.jsonl.bak", "p.jsonl.parquet.gz", "p.gz", "p"])
def test_an_extension_that_says_nothing_is_refused(tmp_path, papers, name):
    with pytest.raises(InputError, match="say by the extension what to write"):
        write_papers(papers, tmp_path / name)


def test_the_bytes_do_not_depend_on_the_clock(tmp_path, papers, monkeypatch):
    for name, seconds in (("a.jsonl.gz", 10**9), ("b.jsonl.gz", 2 * 10**9)):
        monkeypatch.setattr("time.time", lambda seconds=seconds: float(seconds))
        write_papers(papers, tmp_path / name)
    assert (tmp_path / "a.jsonl.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()


def test_format_is_recognised_by_content_not_by_name(tmp_path, papers):
    write_papers(papers, tmp_path / "p.parquet")
    (tmp_path / "p.parquet").rename(tmp_path / "p.txt")
    assert read_papers(tmp_path / "p.txt") == papers


def test_folders_and_archives_of_many_files(tmp_path, papers):
    lines = [json.dumps(jsonl.as_record(paper)).encode() for paper in papers[:3]]
    folder = tmp_path / "folder"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.jsonl").write_bytes(lines[0])
    (folder / "deep" / "b.jsonl.gz").write_bytes(gzip.compress(lines[1]))
    (folder / "picture.png").write_bytes(b"\x89PNG not a paper")
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as archive:
        archive.writestr("../../evil.jsonl", lines[0])
        archive.writestr("c.jsonl", lines[2])
    with tarfile.open(tmp_path / "t.tar.xz", "w:xz") as archive:
        for i, line in enumerate(lines):
            member = tarfile.TarInfo(f"{i}.jsonl")
            member.size = len(line)
            archive.addfile(member, io.BytesIO(line))
    assert {paper.id for paper in read_papers(folder)} == {"d0", "d1"}
    assert {paper.id for paper in read_papers(tmp_path / "z.zip")} == {"d0", "d2"}
    assert [paper.id for paper in read_papers(tmp_path / "t.tar.xz")] == ["d0", "d1", "d2"]
    assert not (tmp_path.parent / "evil.jsonl").exists()


def test_labels_and_gold_beside_the_papers_are_left_alone(tmp_path, papers):
    write_papers(papers, tmp_path / "papers.jsonl.xz")
    (tmp_path / "gold.jsonl").write_text('{"id": "d0", "labels": ["L1"]}\n')
    (tmp_path / "labels.jsonl").write_text('{"id": "L1", "name": "Mice", "broader": []}\n')
    assert read_papers(tmp_path) == papers


def test_a_damaged_file_among_many_is_named_and_skipped(tmp_path, papers):
    write_papers(papers[:2], tmp_path / "good.jsonl")
    (tmp_path / "bad.xml").write_text("<article><front>")
    skipped: list[str] = []
    assert len(read_papers(tmp_path, on_skip=skipped.append)) == 2
    assert len(skipped) == 1
    assert "bad.xml" in skipped[0]


def test_papers_with_nothing_to_read_are_named_and_skipped(tmp_path):
    lines = [{"id": "empty", "title": "T"}, {"id": "full", "abstract": "Some abstract."}]
    (tmp_path / "p.jsonl").write_text("\n".join(map(json.dumps, lines)))
    skipped: list[str] = []
    assert [paper.id for paper in read_papers(tmp_path / "p.jsonl", on_skip=skipped.append)] == ["full"]
    assert skipped == ["paper empty: neither abstract nor body text"]


def test_references_without_a_key_link_nothing(tmp_path):
    (tmp_path / "p.jsonl").write_text('{"id": "a", "abstract": "x", "references": ["", "10.1000/a"]}')
    assert [paper.references for paper in read_papers(tmp_path / "p.jsonl")] == [("10.1000/a",)]


GOOD = b'{"id": "a", "abstract": "x"}\n'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"  \n ", "is empty"),
        (GOOD + b'{"id": "b", ', "(char 12)); put one JSON object on each line"),
        (GOOD + b"[1, 2]", "line 2: a JSON object is needed"),
        (GOOD + GOOD, "two papers share the id 'a'"),
        (b'{"abstract": "x"}', 'line 1: the paper has no "id"'),
        (b'{"id": "a", "title": 5}', '"title" must be text, not 5'),
        (b'{"id": "a", "sections": ["x"]}', '"sections" must be a list of objects'),
        (b'{"id": "a", "references": "x"}', '"references" must be a list of texts'),
        (b'{"id": "\xff"}', "not UTF-8"),
        (b'{"id": "a", "sections": ' + b"[" * 100_000, "nested too deeply"),
        (
            b'{"id": "a", "sections": ' + b'[{"sections": ' * (MAX_DEPTH + 1) + b"[]" + b"}]" * (MAX_DEPTH + 1) + b"}",
            "nested more than",
        ),
        (b"plain words", "format not recognised"),
        (lzma.compress(GOOD * 5000)[:60], "is damaged"),
        (gzip.compress(GOOD * 5000)[:40], "is damaged"),
        (zstandard.compress(GOOD * 5000)[:20], "is damaged"),
        (b"PAR1 not really", "not a readable Parquet file"),
        (b"PK\x03\x04 not really", "not a readable zip file"),
    ],
)
def test_bad_files_give_one_clear_line(tmp_path, content, message):
    path = tmp_path / "bad"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_papers(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_file():
    with pytest.raises(InputError, match="no such file: nowhere/at/all"):
        read_papers("nowhere/at/all")


def test_unknown_extension_is_refused_before_anything_is_written(tmp_path, papers):
    with pytest.raises(InputError, match=r"\.parquet or \.jsonl"):
        write_papers(papers, tmp_path / "p.docx")
    assert list(tmp_path.iterdir()) == []


def test_nothing_half_written_stays_behind(tmp_path, papers):
    def breaks():
        yield papers[0]
        raise InputError("the source broke")

    for name in ("p.jsonl", "p.parquet"):
        with pytest.raises(InputError, match="the source broke"):
            write_papers(breaks(), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_parquet_depths_must_make_a_tree():
    with pytest.raises(InputError, match="do not make a tree"):
        parquet._tree([{"depth": 3, "heading": "x", "text": ""}], "f")
    assert parquet._tree([], "f") == Unit()


def test_jsonl_lines_without_end_do_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr(lines, "MAX_LINE", 100)
    with pytest.raises(InputError, match="line 1: longer than"):
        list(jsonl.read(Source("f", io.BufferedReader(io.BytesIO(b'{"id": "' + b"a" * 500)))))


def test_a_parquet_file_in_an_archive_is_held_in_memory_up_to_a_size(tmp_path, papers, monkeypatch):
    write_papers(papers, tmp_path / "p.parquet")
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as archive:
        archive.write(tmp_path / "p.parquet", "p.parquet")
    assert read_papers(tmp_path / "z.zip") == papers
    monkeypatch.setattr(parquet, "MAX_BYTES", 100)
    with pytest.raises(InputError, match="unpack it"):
        read_papers(tmp_path / "z.zip", strict=True)
    assert read_papers(tmp_path / "p.parquet") == papers


def test_half_surrogates_become_writable(tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_text('{"id": "a", "abstract": "x \\ud800 y", "authors": ["\\uD83D\\uDE00 \\udc00"], "\\ud800": 1}')
    (paper,) = papers = read_papers(path)
    assert (paper.abstract, paper.metadata) == ("x ? y", {"authors": ["\U0001f600 ?"], "?": 1})
    assert list(PaperSpool(papers)) == papers
    write_papers(papers, tmp_path / "q.jsonl")
    assert read_papers(Path(tmp_path / "q.jsonl")) == papers


def test_a_paper_may_be_spread_over_lines_and_other_files_with_braces_are_left_alone(tmp_path, papers):
    (tmp_path / "a.json").write_text(json.dumps(jsonl.as_record(papers[0]), indent=2))
    (tmp_path / "settings.json").write_text('{\n  "colour": "blue"\n}\n')
    (tmp_path / "words.rtf").write_text("{\\rtf1\\ansi words}\n")
    assert read_papers(tmp_path, on_skip=pytest.fail) == papers[:1]


@pytest.mark.parametrize(
    "unit",
    [
        pa.struct([("deqth", pa.int16()), ("heading", pa.string()), ("text", pa.string())]),
        pa.struct([("depth", pa.string()), ("heading", pa.string()), ("text", pa.string())]),
        pa.int16(),
    ],
)
def test_a_store_whose_units_are_no_units(tmp_path, unit):
    values = {name: pa.array([""]) for name in parquet.SCHEMA.names} | {"id": pa.array(["a"])}
    row = {"deqth": 1, "depth": "one", "heading": "", "text": "x"} if pa.types.is_struct(unit) else 1
    values |= {"references": pa.array([[]], pa.list_(pa.string())), "units": pa.array([[row]], pa.list_(unit))}
    pq.write_table(pa.table(values), tmp_path / "p.parquet")
    with pytest.raises(InputError, match=r"p\.parquet"):
        read_papers(tmp_path / "p.parquet")


def store(path, names=parquet.SCHEMA.names, types=parquet.SCHEMA.types, **changed):
    row = {"id": "a", "title": "", "abstract": "x", "units": [], "references": [], "metadata": "{}"} | changed
    pq.write_table(
        pa.Table.from_arrays([pa.array([row[n]], t) for n, t in zip(names, types, strict=True)], names), path
    )
    return path


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"units": [None]}, "paper a: unit depths do not make a tree"),
        ({"metadata": "[1]"}, "paper a: its metadata is no JSON object; write the store again"),
        ({"metadata": "null"}, "paper a: its metadata is no JSON object"),
        ({"metadata": "[" * 100_000}, "paper a: its metadata is no JSON object"),
        ({"metadata": "{"}, "paper a: its metadata is no JSON object"),
        ({"units": "x", "types": [pa.string()] * 4 + parquet.SCHEMA.types[4:]}, "its column units must be one of list"),
        (
            {"names": ["units", *parquet.SCHEMA.names], "types": [parquet.SCHEMA.types[3], *parquet.SCHEMA.types]},
            "its column units must be one of list",
        ),
    ],
)
def test_a_hostile_store_gives_one_clear_line(tmp_path, changed, message):
    with pytest.raises(InputError) as caught:
        read_papers(store(tmp_path / "p.parquet", **changed))
    assert message in str(caught.value)


def test_a_text_that_is_stored_once_does_not_fill_the_memory(tmp_path):
    repeated = pa.DictionaryArray.from_arrays(pa.array([0] * 100_000, pa.int32()), pa.array(["x" * 5_000]))
    references = pa.ListArray.from_arrays([0, 100_000], repeated)
    values = {field.name: pa.array([None], field.type) for field in parquet.SCHEMA}
    pq.write_table(pa.table(values | {"id": pa.array(["a"]), "references": references}), tmp_path / "p.parquet")
    pool, usual = pa.proxy_memory_pool(pa.default_memory_pool()), pa.default_memory_pool()
    pa.set_memory_pool(pool)
    try:
        with pytest.raises(InputError, match="longer than any book"):
            read_papers(tmp_path / "p.parquet")
    finally:
        pa.set_memory_pool(usual)
    assert 0 < pool.max_memory() < 50 * 2**20


def test_a_store_by_another_program(tmp_path):
    unit = pa.struct([("depth", pa.int64()), ("heading", pa.large_string()), ("text", pa.null())])
    types = [*[pa.large_string()] * 3, pa.large_list(unit), pa.list_(pa.null()), pa.null()]
    (paper,) = read_papers(store(tmp_path / "p.parquet", types=types, metadata=None, references=[None]))
    assert paper == Paper("a", abstract="x")
    (paper,) = spool_papers(
        str(store(tmp_path / "p.parquet", metadata='{"id": "zz", "year": 1999, "venue": "\\ud800"}'))
    )
    assert (paper.id, paper.metadata) == ("a", {"year": 1999, "venue": "?"})


def test_a_compressed_parquet_file(tmp_path, papers):
    write_papers(papers, tmp_path / "p.parquet")
    (tmp_path / "p.parquet.gz").write_bytes(gzip.compress((tmp_path / "p.parquet").read_bytes()))
    assert read_papers(tmp_path / "p.parquet.gz") == papers


def test_papers_of_too_many_units_are_named_wherever_they_come_from(tmp_path, monkeypatch):
    papers = [Paper(f"{n}", body=section("", ["one two three four five six seven eight nine ten"] * n)) for n in (2, 3)]
    for name in ("p.jsonl", "p.parquet"):
        write_papers(papers, tmp_path / name)
    monkeypatch.setattr("futex.corpus.store.MAX_UNITS", 2)
    skipped: list[str] = []
    assert read_papers(tmp_path / "p.jsonl", on_skip=skipped.append) == papers[:1]
    assert skipped == ["paper 3: more than 2 sections and paragraphs; split it"]
    monkeypatch.setattr(parquet, "MAX_UNITS", 2)
    with pytest.raises(InputError, match="paper 3: more than 2 sections and paragraphs; split it"):
        read_papers(tmp_path / "p.parquet")


def ids(where, **how):
    return [paper.id for paper in read_papers(where, **how)]


@pytest.mark.parametrize("workers", [1, 2])
def test_papers_that_are_named_after_files_of_the_same_name_get_the_folder_too(tmp_path, workers):
    files = ["a/main.txt", "main.md", "main.txt", "x/main.txt", "y/x/main.txt", "y/z.tsv", "z.tsv"]
    words = b"one two three four five six seven eight nine ten"
    (tmp_path / "z.zip").write_bytes(zipped([(name, words + b"\t<x>" * (".tsv" in name)) for name in files]))
    with zipfile.ZipFile(tmp_path / "z.zip") as archive:
        archive.extractall(tmp_path / "in")
    assert ids(tmp_path / "z.zip", workers=workers) == [
        "main",
        "main-2",
        "main-3",
        "x/main",
        "y/x/main",
        "z-1",
        "z-1-7",
    ]
    assert ids(tmp_path / "in", workers=workers) == ["main", "main-2", "z-1", "a/main", "x/main", "y/z-1", "y/x/main"]


def test_papers_that_give_themselves_the_same_id_are_named(tmp_path, papers):
    for name in ("a.jsonl", "b.jsonl"):
        write_papers(papers[:1], tmp_path / name)
    with pytest.raises(InputError) as caught:
        read_papers(tmp_path)
    a, b = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    assert str(caught.value) == f"{tmp_path}: two papers share the id 'd0' ({a} and {b}); make ids unique"

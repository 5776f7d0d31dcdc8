import gzip
import json

import pytest
from corpus.text_source import source
from fuzzing.patience import patience
from hypothesis import given
from hypothesis import strategies as st

from futex.corpus.document import Document, Subjects
from futex.corpus.formats import annif
from futex.corpus.paper import section
from futex.corpus.reading import read_documents
from futex.errors import InputError

LONG = "one two three four five six seven eight nine ten"


def read(content, name):
    return list(annif.read(source(content, name)))


def test_tsv():
    content = (
        "\ufeffRFC 791: Internet Protocol\t<http://x.org/1> <http://x.org/2>\n\nNo subject\nBare\thttp://x.org/3 \n"
    )
    first, second, third = read(content, "corpus/train.tsv")
    assert (first.paper.id, first.paper.abstract) == ("train-1", "RFC 791: Internet Protocol")
    assert first.subjects == Subjects(ids=("http://x.org/1", "http://x.org/2"))
    assert (second.paper.id, second.paper.abstract, second.subjects) == ("train-3", "No subject", Subjects())
    assert third.subjects.ids == ("http://x.org/3",)


def test_csv():
    content = (
        "document_id,title,text,subject_uris,year\n"
        'd1,A title,"A short, ""quoted"" text",<http://x.org/1> <http://x.org/2>,2001\n'
        ",,Another text,,\nd3\n"
    )
    first, second, third = read(content, "train.csv")
    assert (first.paper.id, first.paper.title, first.paper.abstract) == ("d1", "A title", 'A short, "quoted" text')
    assert first.subjects.ids == ("http://x.org/1", "http://x.org/2")
    assert (second.paper.id, second.paper.abstract) == ("train-3", "Another text")
    assert (third.paper.id, third.paper.is_empty) == ("d3", True)


def test_csv_with_paragraphs():
    content = f'text,subject_uris\n\n"A title\n\n{LONG} a\n\n{LONG} b",<http://x.org/1>\n  \nlast,\n'
    first, last = read(content, "train.csv")
    assert (first.paper.id, last.paper.id) == ("train-7", "train-9")
    assert first.paper.body == section("", [f"{LONG} a", f"{LONG} b"])


def test_json_lines():
    records = [
        {"document_id": "d1", "text": "A text", "subjects": [{"uri": "http://x.org/1"}, {"label": "b"}]},
        {"metadata": {"title": "A title of four words", "abstract": "An abstract"}, "text": LONG},
        {"text": f"The title\n\nMethods\n\n{LONG}"},
    ]  # fmt: skip
    first, second, third = read("\n".join(map(json.dumps, records)), "train.jsonl")
    assert (first.paper.id, first.paper.abstract) == ("d1", "A text")
    assert first.subjects == Subjects(paths=(("b",),), ids=("http://x.org/1",))
    assert (second.paper.id, second.paper.title) == ("train-2", "A title of four words")
    assert (second.paper.abstract, second.paper.body) == ("An abstract", section("", [LONG]))
    assert second.paper.metadata == {"aliases": ["title:a title of four words"]}
    assert (third.paper.title, third.paper.body) == ("The title", section("", sections=[section("Methods", [LONG])]))


def test_a_json_file_is_one_document():
    (document,) = read(json.dumps({"text": "A text", "metadata": {}}, indent=2), "folder/doc.json")
    assert (document.paper.id, document.paper.abstract) == ("doc", "A text")


def test_a_folder_of_every_kind_is_recognised(tmp_path):
    (tmp_path / "full.txt").write_text(f"Title\n\n{LONG}")
    (tmp_path / "full.tsv").write_text("<http://x.org/1>\tnetworking\n")
    (tmp_path / "full.key").write_text("networking\n")
    (tmp_path / "short.tsv.gz").write_bytes(gzip.compress(b"Text\t<http://x.org/1>\n"))
    (tmp_path / "short.csv").write_text("text,subject_uris\nText,<http://x.org/1>\n")
    (tmp_path / "short.jsonl").write_text('{"text": "Text", "subjects": []}\n')
    found = [document.paper.id for document in read_documents(str(tmp_path))]
    assert found == ["full", "short-2", "short-1", "short-1"]


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("a.tsv", b"<http://x.org/1>\tlabel\n"),
        ("a.tsv", b"id\tname\n"),
        ("a.csv", b"uri,label_en\n"),
        ("a.csv", b"text,label\n"),
        ("a.jsonl", b'{"id": "1", "text": ""}'),
        ("a.jsonl", b'{"metadata": {}, "body_text": []}'),
        ("a.txt", b"Text\t<http://x.org/1>\n"),
    ],
)
def test_does_not_recognise_other_files(name, head):
    assert not annif.recognises(head, name)


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("a.csv", "text,label\nx,y\n", "a.csv: the first line must name the columns text and subject_uris"),
        ("a.csv", 'text,subject_uris\n"' + "x" * 140_000 + '",\n', "a.csv, line 2: not a row of CSV"),
        ("a.csv", 'text,subject_uris\n"' + '","\n' * 300_000, "a row longer than 1 MiB"),
        ("a.csv", "", "a.csv: the first line must name"),
        ("a.tsv", "a\t" + "<u> " * 270_000, "a.tsv, line 1: more than 1 MiB of subjects"),
        ("a.tsv", b"a\tb\n\xff\t<x>\n", "a.tsv, line 2: not UTF-8"),
        ("a.jsonl", '{"text": 5}', 'a.jsonl, line 1: "text" must be text'),
        ("a.jsonl", '{"text": "a", "subjects": ["x"]}', 'line 1: "subjects" must be a list of objects'),
        ("a.jsonl", "[1]", "a.jsonl, line 1"),
    ],
)
def test_faults_are_named_in_one_line(name, content, what):
    with pytest.raises(InputError) as refused:
        read(content, name)
    assert what in str(refused.value)
    assert "\n" not in str(refused.value)


@given(st.binary(max_size=200), st.sampled_from(["a.tsv", "a.csv", "a.jsonl", "a.json"]), st.booleans())
def test_anything_ends_in_documents_or_one_clear_line(content, name, with_header):
    assert annif.recognises(content, name) in {True, False}
    try:
        found, message = read((b"text,subject_uris\n" if with_header else b"") + content, name), ""
    except InputError as refused:
        found, message = [], str(refused)
    assert all(isinstance(document, Document) for document in found)
    assert "\n" not in message


def test_columns_without_end_cost_nothing_in_each_row():
    with patience():
        assert len(read("text,subject_uris," + "a," * 200_000 + "\n" + "b\n" * 20_000, "t.csv")) == 20_000


def test_rows_of_another_length_than_the_header():
    (document,) = read("text,subject_uris\n\n  ,\na,<u>,more,and\n", "t.csv")
    assert (document.paper.id, document.paper.abstract, document.subjects.ids) == ("t-4", "a", ("u",))

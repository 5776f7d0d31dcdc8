"""Vocabularies of any format out of files and archives; strangers' files end in labels or in one clear line."""

import bz2
import codecs
import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labels.test_skos import CONTEXT, NODES, THESAURUS, in_xml
from labels.test_vocabularies import HEADS, ONTOLOGY, concept, descriptor, record_set

from futex.corpus.sources import Source
from futex.errors import InputError
from futex.labels import allowance, store
from futex.labels.label import Label, LabelSpace
from futex.labels.rdf import jsonld, triples
from futex.labels.store import FORMATS, read_labels, write_labels

EXAMPLES = {
    "animals.ttl": ("skos", THESAURUS),
    "animals.rdf": (
        "skos",
        in_xml("<skos:Concept rdf:about='u:1'><skos:prefLabel xml:lang='en'>cat</skos:prefLabel></skos:Concept>"),
    ),
    "animals.jsonld": ("skos", f'{{"@context": {CONTEXT}, "@graph": [{", ".join(NODES)}]}}'),
    "desc2026.xml": ("mesh", record_set(descriptor("D1", "Asthma", concept("Y", "A note.", "Asthma"), "C08"))),
    "zoo.obo": ("obo", ONTOLOGY),
    "yso.tsv": ("annif", "<http://a.org/1>\tcats\n<http://a.org/2>\tdogs\n"),
    "yso.csv": ("annif", "uri,label_en,label_fr\nu:1,cats,chats\n"),
    "subjects_mesh.csv": ("invenio", "id,scheme,subject\nu:1,MeSH,Asthma\n"),
    "MAGCS_label.json": ("research", '{"label": "1", "name": ["cats", "puss"]}\n'),
    "labels.jsonl": ("jsonl", '{"id": "1", "name": "cats", "synonyms": ["puss"], "broader": ["2"], "type": "t"}\n'),
}


def labels_of(source: Source, format: str) -> list[Label]:
    return list(store._labels(source, FORMATS[format], "en"))


def as_source(content: bytes, name: str) -> Source:
    return Source(name, io.BufferedReader(io.BytesIO(content)))


@pytest.mark.parametrize("name", EXAMPLES)
def test_formats_are_recognised_by_content(tmp_path, name):
    format, content = EXAMPLES[name]
    (tmp_path / "file").write_text(content)
    expected = labels_of(as_source(content.encode(), name), format)
    assert expected
    assert list(read_labels(tmp_path / "file").values()) == expected
    assert list(read_labels(tmp_path / "file", format=format).values()) == expected
    for written in (gzip.compress(content.encode()), codecs.BOM_UTF8 + content.encode()):
        (tmp_path / "file").write_bytes(written)
        assert list(read_labels(tmp_path / "file").values()) == expected


def test_what_was_read_can_be_written_and_read_back(tmp_path):
    for name, (_, content) in EXAMPLES.items():
        (tmp_path / name).write_text(content)
        space = read_labels(tmp_path / name)
        write_labels(space, tmp_path / "written.jsonl")
        assert dict(read_labels(tmp_path / "written.jsonl")) == dict(space)


def test_the_language_can_be_chosen(tmp_path):
    (tmp_path / "animals.ttl").write_text(THESAURUS)
    assert read_labels(tmp_path / "animals.ttl", language="de")["http://example.org/cat"].name == "Katzen"


def zipped(path: Path, **files: str) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def test_an_archive_may_hold_one_vocabulary_among_other_files(tmp_path):
    vocabulary = EXAMPLES["subjects_mesh.csv"][1]
    wheel = zipped(
        tmp_path / "subjects.whl",
        code="import csv\n",
        picture="\x89PNG",
        list="subjects/x.py,sha256=abc,279\n",
        settings="subjects:\n  pid-type: sub\n",
        package='{\n  "name": "x"\n}',
        vocabulary=vocabulary,
    )
    assert read_labels(wheel)["u:1"].name == "Asthma"
    assert read_labels(wheel, format="invenio")["u:1"].name == "Asthma"
    with pytest.raises(InputError, match="no obo vocabulary that we recognise in it; give the file itself"):
        read_labels(wheel, format="obo")


def test_a_folder_or_archive_without_a_vocabulary(tmp_path):
    (tmp_path / "empty").mkdir()
    for path in (zipped(tmp_path / "code.zip", code="import csv\n"), tmp_path / "empty"):
        with pytest.raises(InputError, match=r"no vocabulary that we recognise in it; .* --labels-format"):
            read_labels(path)


def test_of_several_vocabularies_in_an_archive_one_must_be_chosen(tmp_path):
    both = zipped(tmp_path / "both.zip", one=ONTOLOGY, two=EXAMPLES["yso.tsv"][1])
    with pytest.raises(InputError, match=r"several vocabularies, .*:one and .*:two; give one of them"):
        read_labels(both)
    assert list(read_labels(both, format="annif")) == ["http://a.org/1", "http://a.org/2"]


def test_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(THESAURUS.encode())))
    assert len(read_labels("-")) == 3


@pytest.mark.parametrize(
    ("content", "format", "message"),
    [
        (
            b"once upon a time",
            None,
            "we recognise; name its format with --labels-format (futex labels: --format) annif|",
        ),
        (b"once upon a time", "docx", "unknown format of labels 'docx': choose one of annif, invenio, jsonl"),
        (b"", None, "the label space is empty"),
        (b"<u:1>\ta\n<u:1>\tb\n", None, "two labels share the id 'u:1'"),
        (bz2.compress(THESAURUS.encode())[:-20], None, "damaged"),
        (gzip.compress(record_set(descriptor("D1", "x") * 999).encode())[:-20], "mesh", "damaged"),
        (gzip.compress(THESAURUS.encode() * 999)[:-20], "skos", "damaged"),
    ],
)
def test_files_that_are_no_vocabulary(tmp_path, content, format, message):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(InputError) as refused:
        read_labels(tmp_path / "file", format=format)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


# --- broader labels that are not there, or go round in circles


def test_broader_labels_may_be_missing_or_go_round_in_circles(tmp_path):
    records = [{"id": "a", "name": "A", "broader": ["b", "gone"]}, {"id": "b", "name": "B", "broader": ["a"]}]
    (tmp_path / "labels.jsonl").write_text("\n".join(map(json.dumps, records)))
    space = read_labels(tmp_path / "labels.jsonl")
    assert space["a"].broader == ("b", "gone")
    assert [label.name for label in space.path_to("a")] == ["B", "A"]


def test_a_chain_of_broader_labels_is_not_walked_to_its_end():
    """Whoever wants the depth of each label would walk a chain of a hundred thousand as often."""
    chain = LabelSpace(Label(str(i), "x", broader=("gone", str(i - 1))) for i in range(1000))
    assert [label.id for label in chain.path_to("999")] == [str(i) for i in range(900, 1000)]


# --- hostile and random files


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_vocabulary_that_would_fill_the_memory_is_refused(name, monkeypatch):
    monkeypatch.setattr(allowance, "ALLOWANCE", 100)
    format, content = EXAMPLES[name]
    with pytest.raises(InputError, match="its names need more than"):
        labels_of(as_source(content.encode(), name), format)


TAGS = ["-".join(["en", *[f"subtag{letter}"] * 50]) for letter in "abcdefghijklmnopqrst"]


@pytest.mark.parametrize(
    ("format", "content"),
    [
        ("jsonl", json.dumps({"id": "1", "name": "a", "type": "x" * 8000})),
        ("mesh", record_set(descriptor("D1", "Asthma", trees=" ".join(f"C{number}" for number in range(50))))),
        ("skos", "".join(f'<u:1> <http://www.w3.org/2004/02/skos/core#altLabel> "a"@{tag} .\n' for tag in TAGS)),
    ],
)
def test_what_is_kept_beside_names_counts_too(format, content, monkeypatch):
    monkeypatch.setattr(allowance, "ALLOWANCE", 8000)
    with pytest.raises(InputError, match="its names need more than"):
        labels_of(as_source(content.encode(), "file"), format)


@pytest.mark.parametrize(
    "content",
    [
        "<a:a> <b:b> " + "[ <c:c> " * 300_000,
        "<a:a> <b:b> " + "( " * 1_100_000,
        "<< " * 800_000,
        '<a:a> <b:b> "' + "x" * 3_000_000,
        "@prefix a: <b:c> .\n" * 150_000,
        "<a:a> <b:b> <c:c> " + "~<r:r>{|<b:b><c:c>" * 50_000,
        "<a:a> <b:b> <c:c> " + "~_:r{|<b:b><c:c>" * 50_000,
    ],
    ids=["brackets", "lists", "reified", "text", "prefixes", "annotations", "annotations without names"],
)
def test_turtle_without_end_is_refused(content, monkeypatch):
    monkeypatch.setattr(triples, "MAX_STATEMENT", 2**19)
    with pytest.raises(InputError, match="a statement longer than"):
        labels_of(as_source(content.encode(), "hostile.ttl"), "skos")


def test_n_triples_on_standard_input_may_be_about_nodes_without_names(monkeypatch):
    monkeypatch.setattr(triples, "MAX_STATEMENT", 2**17)
    lines = "".join(f'_:b{number} <u:p> "text" .\n' for number in range(20_000))
    with pytest.raises(InputError, match="no skos:Concept"):
        labels_of(as_source(lines.encode(), "standard input"), "skos")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (in_xml("<skos:Concept><skos:related>" * 500), "more than 256 deep"),
        (in_xml("<skos:Concept><skos:prefLabel>" + "x" * 2_000_000), "a text longer than 1 MiB"),
        (in_xml("<skos:Concept").replace("UTF-8", "ISO-8859-1"), "is written in ISO-8859-1; save it as UTF-8"),
        (in_xml("</b>"), "line 3: not well-formed XML (mismatched tag)"),
        (in_xml("<rdf:li/>"), "not well-formed RDF/XML"),
        ('{"@graph":' + "[" * 100_000, "nested too deeply"),
        ('{"@graph":[{"@id":"' + "x" * 9_000_000, "longer than 8 MiB"),
        ('{"@context": {"x": "' + "x" * 300_000 + '"}}', "its @context is longer than 256 KiB"),
        ('{"@context": {}, "@graph": [], "@graph": []}', "it has several graphs"),
        ('{"@id": "u:1"} x', "something follows after its end"),
        ('{"@id": 1', "expected, not ''"),
        ('{"@id": 1, "x" 1}', "':' expected, not '1'"),
        ('{"@id": tru}', "broken JSON"),
        ('[{"@id": 1}', "expected, not ''"),
    ],
)
def test_hostile_rdf(content, message):
    with pytest.raises(InputError) as refused:
        labels_of(as_source(content.encode(), "hostile"), "skos")
    assert message in str(refused.value)


def test_json_ld_of_members_outside_a_graph_is_read_in_linear_time():
    members = '"a":1,' * 100_000  # a quadratic reader would need minutes
    with pytest.raises(InputError, match="no skos:Concept"):
        labels_of(as_source(f'{{"@id":"u:1",{members}"b":1}}'.encode(), "hostile"), "skos")


def test_nodes_that_wait_for_their_context_may_take_only_so_much(monkeypatch):
    monkeypatch.setattr(jsonld, "BATCH", 10)
    monkeypatch.setattr(jsonld, "MAX_WAITING", 200)
    with pytest.raises(InputError, match="a part without end"):
        labels_of(as_source(f'{{"@graph": [{", ".join(NODES)}], "@context": {CONTEXT}}}'.encode(), "a"), "skos")


def ends_well(content: bytes, name: str, format: str) -> None:
    try:
        found, message = labels_of(as_source(content, name), format), ""
    except InputError as refused:
        found, message = [], str(refused)
    for label in found:
        assert label.id
        assert label.name
        json.dumps(label.names, ensure_ascii=False).encode()
    assert "\n" not in message


@given(st.binary(max_size=200), st.sampled_from(sorted(FORMATS)))
def test_random_bytes_end_well(content, format):
    assert FORMATS[format].recognises(content, "file") in {True, False}
    ends_well(content, "file", format)


PIECES = [b'"', b"<", b">", b"[", b"(", b"{", b"<<", b"{|", b".", b"@en", b"^^", b"_:a", b"\\uD800", b"\x00", b"\xff"]
PIECES += [b"\n", b"\t", b",", b"&#0;", b"&a;", b"<!--", b"<![CDATA[", b'"@list":', b'"@context":', b"id:", b"null"]


@settings(max_examples=250)
@given(st.data())
def test_mutated_vocabularies_end_well(data):
    name = data.draw(st.sampled_from(sorted(EXAMPLES)))
    format, example = EXAMPLES[name]
    content = bytearray(example.encode())
    for _ in range(data.draw(st.integers(0, 6))):
        start = data.draw(st.integers(0, len(content)))
        piece = data.draw(st.binary(max_size=6) | st.sampled_from(PIECES))
        content[start : start + data.draw(st.integers(0, 30))] = piece
    ends_well(bytes(content[: data.draw(st.integers(0, len(content)) | st.just(len(content)))]), name, format)


def test_recognising_takes_linear_time():
    for reader in FORMATS.values():
        for head in (b"#\n" * 2000, b"! \n" * 1500, b" " * 4096, b"<" * 4096, b'{"' * 2000, b"," * 4096):
            assert reader.recognises(head, "file") in {True, False}


def test_every_example_head_belongs_to_one_reader():
    for head in [head for heads in HEADS.values() for head in heads]:
        assert len([reader for reader in FORMATS.values() if reader.recognises(head, "file")]) == 1


def test_a_label_space_needs_labels():
    with pytest.raises(InputError):
        LabelSpace([])

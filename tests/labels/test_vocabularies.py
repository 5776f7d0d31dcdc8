"""MeSH, OBO, Annif and Invenio vocabularies, each in the layout it is published in."""

import io
from types import ModuleType

import pytest

from futex.corpus.formats import xml_records
from futex.errors import InputError
from futex.labels.formats import annif, invenio, jsonl, mesh, obo
from futex.labels.label import Label


def read(reader: ModuleType, content: str | bytes, language: str = "en") -> list[Label]:
    stream = io.BufferedReader(io.BytesIO(content.encode() if isinstance(content, str) else content))
    return list(reader.read(stream, "file", language))


# --- MeSH


def descriptor(ui: str, name: str, concepts: str = "", trees: str = "") -> str:
    numbers = "".join(f"<TreeNumber>{number}</TreeNumber>" for number in trees.split())
    return f"""<DescriptorRecord DescriptorClass = "1">
  <DescriptorUI>{ui}</DescriptorUI>
  <DescriptorName>
   <String>{name}</String>
  </DescriptorName>
  <AllowableQualifiersList><AllowableQualifier><QualifierReferredTo><QualifierUI>Q000000981</QualifierUI>
   <QualifierName><String>diagnostic imaging</String></QualifierName></QualifierReferredTo></AllowableQualifier>
  </AllowableQualifiersList>
  <PreviousIndexingList><PreviousIndexing>Chest</PreviousIndexing></PreviousIndexingList>
  <TreeNumberList>{numbers}</TreeNumberList>
  <ConceptList>{concepts}</ConceptList>
 </DescriptorRecord>"""


def concept(preferred: str, note: str, *terms: str) -> str:
    listed = "".join(
        f'<Term RecordPreferredTermYN="N"><TermUI>T1</TermUI><String>{term}</String></Term>' for term in terms
    )
    return f"""<Concept PreferredConceptYN="{preferred}"><ConceptUI>M1</ConceptUI>
        <ConceptName><String>{terms[0]}</String></ConceptName><ScopeNote>{note}
    </ScopeNote><TermList>{listed}</TermList></Concept>"""


def record_set(*records: str) -> str:
    return f"""<?xml version="1.0"?>
<!DOCTYPE DescriptorRecordSet SYSTEM "https://www.nlm.nih.gov/databases/dtd/nlmdescriptorrecordset_20260101.dtd">
<DescriptorRecordSet LanguageCode = "eng">
{"".join(records)}</DescriptorRecordSet>"""


def test_mesh_terms_of_all_concepts_are_names_and_the_preferred_note_describes():
    concepts = concept("N", "Another.", "Wheezing Disease") + concept(
        "Y", "A form of\n   it.", "Asthma", "Asthma, Bronchial"
    )
    assert read(mesh, record_set(descriptor("D001249", "Asthma", concepts))) == [
        Label("D001249", "Asthma", ("Wheezing Disease", "Asthma, Bronchial"), "A form of it.")
    ]


def test_mesh_tree_numbers_say_what_is_broader_even_of_what_comes_later():
    records = record_set(
        descriptor("D3", "Asthma", trees="C08.127.108 C20.543.480 C08.127.999"),
        descriptor("D2", "Bronchial Diseases", trees="C08.127"),
        descriptor("D1", "Respiratory Tract Diseases", trees="C08"),
        descriptor("D4", "Female", trees=""),
    )
    assert {label.id: label.broader for label in read(mesh, records)} == {
        "D3": ("D2",),
        "D2": ("D1",),
        "D1": (),
        "D4": (),
    }


def test_mesh_is_read_record_by_record(monkeypatch):
    records = record_set(*(descriptor(f"D{i}", f"Name {i}") for i in range(50)))
    monkeypatch.setattr(xml_records, "CHUNK", 100)
    monkeypatch.setattr(xml_records, "MAX_RECORD", 1100)
    assert len(read(mesh, records)) == 50
    with pytest.raises(InputError, match="without a whole <DescriptorRecord>"):
        read(mesh, records.replace("DescriptorRecord", "Record"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (record_set(descriptor("", "Asthma")), "line 4: a <DescriptorRecord> without DescriptorUI"),
        (record_set(descriptor("D1", "")), "without DescriptorUI or DescriptorName"),
        (record_set(descriptor("D1", "x"))[:-40], "not well-formed XML"),
        ("<DescriptorRecordSet>" + "<a>" * 300, "not well-formed XML (Excessive depth in document: 256"),
    ],
)
def test_damaged_mesh(content, message):
    with pytest.raises(InputError) as refused:
        read(mesh, content)
    assert message in str(refused.value)
    assert "XML_PARSE" not in str(refused.value)


def test_entities_in_mesh_are_not_expanded():
    content = record_set(descriptor("D1", "Asthma&a;")).replace(
        'dtd">', 'dtd" [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    )
    assert read(mesh, content) == [Label("D1", "Asthma")]


# --- OBO

ONTOLOGY = r"""format-version: 1.2
date: 01:02:2026 10:00
ontology: zoo

[Term]
id: ZOO:0000001
name: animal
def: "A living thing that \"moves\"\, mostly." [ZOO:curators, PMID:1 "x"]

[Term]
id: ZOO:0000002
name: cat {source="a book"}
synonym: "house cat" EXACT [PMID:2]
synonym: "tabby" NARROW COLOUR []
synonym: "carnivore" BROAD []
synonym: "purring" RELATED []
synonym: "moggy" []
synonym: "cat" EXACT []
exact_synonym: "Felis catus" []
related_synonym: "lion" []
is_a: ZOO:0000001 {is_inferred="true"} ! animal
is_a: ZOO:0000009 ! something elsewhere
relationship: part_of ZOO:0000007 ! household

[Term]
id: ZOO:0000003
name: unicorn
is_obsolete: true

[Term]
id: ZOO:0000004
alt_id: ZOO:0000005

[Typedef]
id: part_of
name: part of
"""


def test_obo():
    assert read(obo, ONTOLOGY) == [
        Label("ZOO:0000001", "animal", description='A living thing that "moves", mostly.'),
        Label("ZOO:0000002", "cat", ("house cat", "tabby", "Felis catus"), "", ("ZOO:0000001", "ZOO:0000009")),
    ]


@pytest.mark.parametrize("value", ["true ! gone", 'true {source="a book"}', "true"])
def test_obsolete_terms_are_left_out(value):
    assert read(obo, f"[Term]\nid: a\nname: b\nis_obsolete: {value}\n") == []


@pytest.mark.parametrize("break_", ["\r\n", "\n\n\n"])
def test_obo_line_breaks(break_):
    assert read(obo, ONTOLOGY.replace("\n", break_)) == read(obo, ONTOLOGY)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("format-version: 1.2\n\n[Term]\nname: x\n", "file, line 3: a [Term] without an id"),
        (b"[Term]\nid: \xff", "file, line 2: not UTF-8"),
        ("[Term]\nid: x\n" + 'synonym: "a" EXACT []\n' * 60_000, "file, line 1: a [Term] longer than 1 MiB"),
    ],
)
def test_damaged_obo(content, message):
    with pytest.raises(InputError) as refused:
        read(obo, content)
    assert message in str(refused.value)


# --- Annif


def test_annif_tsv():
    content = (
        "<http://a.org/1>\tcats\n<http://a.org/2>\tInternet Protocol\t42.42\r\n\n<http://a.org/3>\n<http://a.org/4>\t\n"
    )
    assert read(annif, content) == [Label("http://a.org/1", "cats"), Label("http://a.org/2", "Internet Protocol")]


def test_annif_csv_in_several_languages():
    content = 'uri,label_en,label_fr,notation\nu:1,cats,chats,\nu:2,"a, b",,1.2\nu:3,,chiens,\nu:4,,,\n'
    assert read(annif, content) == [Label("u:1", "cats"), Label("u:2", "a, b"), Label("u:3", "chiens")]
    assert [label.name for label in read(annif, content, "fr")] == ["chats", "a, b", "chiens"]


def test_a_language_that_is_not_there_is_told(caplog):
    content = "uri,label_en,label_fr-CA\nu:1,cats,chats\n"
    assert [label.name for label in read(annif, content, "FR") + read(annif, content, "en")] == ["chats", "cats"]
    assert not caplog.messages
    assert [label.name for label in read(annif, content, "french")] == ["cats"]
    assert caplog.messages == ["file: nothing is in language 'french', names in others are taken; it has en, fr-ca"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<u:1>\tcats\ndogs\n", "file, line 2: no <uri>, tab and label"),
        ("<>\tcats\n", "file, line 1: no <uri>"),
        ("uri,label_en\n,cats\n", "file, line 2: no uri"),
        ('uri,label_en\n"' + "x\n" * 99_999, "not a row of CSV (field larger than field limit (131072))"),
        ('uri,label_en\n"' + '","\n' * 300_000, "a row longer than 1 MiB"),
        ("uri,label_en\n" + "," * 2**21, "file, line 2: a row longer than 1 MiB"),
    ],
)
def test_damaged_annif(content, message):
    with pytest.raises(InputError) as refused:
        read(annif, content)
    assert message in str(refused.value)


# --- Invenio


def test_invenio():
    content = 'id,scheme,subject\nhttps://id.nlm.nih.gov/mesh/D000006,MeSH,"Abdomen, Acute"\n'
    assert read(invenio, content) == [Label("https://id.nlm.nih.gov/mesh/D000006", "Abdomen, Acute")]
    with pytest.raises(InputError, match="file, line 2: a row needs an id and a subject"):
        read(invenio, "id,scheme,subject\nx,MeSH\n")


# --- our own


def test_names_of_our_own_format_are_squeezed_and_distinct():
    line = r'{"id": "1", "name": " a\n cat", "synonyms": ["puss", "a  cat", "puss ", ""], "description": "An\tanimal."}'
    assert read(jsonl, line) == [Label("1", "a cat", ("puss",), "An animal.")]


# --- what is recognised

HEADS = {
    mesh: [record_set().encode(), b"<DescriptorRecordSet>"],
    obo: [ONTOLOGY.encode(), b"! a comment\n\n! another\nformat-version: 1.4", b"[Term]\nid: x"],
    annif: [b"<http://a.org/1>\tcats\n", b"<http://a.org/1>\n", b"uri,notation,label_fi\n", b'"uri","label_en-GB"\r\n'],
    invenio: [b"id,scheme,subject\n", b'"id","scheme","subject"\r\n'],
    jsonl: [b'{"id": "x"}', b'{"name": "x"', b'\n{"synonyms": [], "name": "x"}\n'],
}
NONE = [b"", b"\x00\xff", b"{\n", b'{"title": "a paper"}', b"uri\nx\n", b"name,size\n", b"<a> <b>", b'"' * 5000]


@pytest.mark.parametrize("reader", HEADS)
def test_each_reader_recognises_its_own_files_only(reader):
    assert all(reader.recognises(head, "file") for head in HEADS[reader])
    others = [head for other, heads in HEADS.items() if other is not reader for head in heads]
    assert [head for head in [*others, *NONE] if reader.recognises(head, "file")] == []

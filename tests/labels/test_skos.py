"""SKOS in each of its syntaxes, written as the tools that librarians use write it."""

import io

import pytest
from fuzzing.patience import patience
from rdflib import Graph

from futex.errors import InputError
from futex.labels.formats import skos
from futex.labels.label import Label
from futex.labels.rdf import jsonld

PREFIXES = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xl: <http://www.w3.org/2008/05/skos-xl#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix : <http://example.org/> .
"""

THESAURUS = f"""{PREFIXES}
:scheme a skos:ConceptScheme ; skos:prefLabel "Animals"@en .
:cat a skos:Concept ;
    skos:prefLabel "cats"@en , "Katzen"@de ;
    skos:altLabel "house cats"@en , "Hauskatzen"@de ;
    skos:hiddenLabel "kats"@en ;
    skos:definition "Small\\n  carnivores."@en ;
    skos:broader :mammal ;
    skos:inScheme :scheme .
:mammal a skos:Concept ; skos:prefLabel "mammals"@en ; skos:scopeNote "Not birds."@en ; skos:narrower :dog .
:dog a skos:Concept ; skos:prefLabel "dogs"@en ; skos:broader :mammal , :pet .
"""

LABELS = [
    Label(
        "http://example.org/cat", "cats", ("house cats", "kats"), "Small carnivores.", ("http://example.org/mammal",)
    ),
    Label("http://example.org/mammal", "mammals", (), "Not birds."),
    Label("http://example.org/dog", "dogs", (), "", ("http://example.org/mammal", "http://example.org/pet")),
]


def read(content: str | bytes, language: str = "en", name: str = "file") -> list[Label]:
    stream = io.BufferedReader(io.BytesIO(content.encode() if isinstance(content, str) else content))
    return list(skos.read(stream, name, language))


def one(description: str, language: str = "en") -> Label:
    """The label of the concept that a Turtle description makes."""
    (label,) = read(f"{PREFIXES}:x a skos:Concept ; {description} .", language)
    return label


def unordered(labels: list[Label]) -> set[Label]:
    return {Label(x.id, x.name, tuple(sorted(x.synonyms)), x.description, tuple(sorted(x.broader))) for x in labels}


def test_a_thesaurus_in_turtle():
    assert read(THESAURUS) == LABELS


@pytest.mark.parametrize("syntax", ["turtle", "longturtle", "nt", "xml", "pretty-xml", "json-ld"])
def test_every_syntax_that_another_library_writes_gives_the_same_labels(syntax):
    written = Graph().parse(data=THESAURUS).serialize(format=syntax)
    assert skos.recognises(written.encode()[:4096])
    assert unordered(read(written)) == unordered(LABELS)


# --- which names, in which language


@pytest.mark.parametrize(
    ("description", "language", "name", "synonyms"),
    [
        ('skos:prefLabel "Katze"@de , "cat"@en', "en", "cat", ()),
        ('skos:prefLabel "Katze"@de , "cat"@en', "DE", "Katze", ()),
        ('skos:prefLabel "colour"@en-GB , "color"@en-US', "en", "colour", ("color",)),
        ('skos:prefLabel "colour"@en-GB , "color"@en', "en", "color", ("colour",)),
        ('skos:prefLabel "colour"@en-GB , "color"@en-US', "en-us", "color", ()),
        ('skos:prefLabel "Katze"@de , "Felis"', "en", "Felis", ()),
        ('skos:prefLabel "Katze"@de , "chat"@fr', "en", "Katze", ()),
        ('skos:prefLabel "cat"@en ; skos:altLabel "Mieze"@de , "Felis"', "en", "cat", ("Felis",)),
        ('skos:prefLabel "Katz"@de ; skos:altLabel "Mieze"@de , "x"@fr , "puss"@en', "en", "Katz", ("puss", "Mieze")),
        ('skos:prefLabel "cat"@en ; skos:altLabel "cat"@en , " house\\n cat "@en , ""@en', "en", "cat", ("house cat",)),
        ('skos:prefLabel "cat"@en ; skos:hiddenLabel "kat"@en ; skos:altLabel "puss"@en', "en", "cat", ("puss", "kat")),
        ('xl:prefLabel [ xl:literalForm "cat"@en ] ; xl:altLabel [ xl:literalForm "puss"@en ]', "en", "cat", ("puss",)),
        ('xl:prefLabel :n , :m . :n xl:literalForm "cat"@en . :m xl:literalForm "Katze"@de', "en", "cat", ()),
    ],
)  # fmt: skip
def test_names(description, language, name, synonyms):
    label = one(description, language)
    assert (label.name, label.synonyms) == (name, synonyms)


def test_a_language_that_is_nowhere_is_told(caplog):
    for understood in ('"Katze"@de , "Felis"', '"Katze"@de ; skos:altLabel "cat"@en-GB'):
        one(f"skos:prefLabel {understood}")
    assert not caplog.messages
    many = " , ".join(f'"{tag}"@b{tag}' for tag in "abcdefghijklmnopqrstuvwxyz")
    assert one(f"skos:prefLabel {many}").name == "a"
    told = "file: nothing is in language 'en', names in others are taken; it has ba, bb, bc,"
    assert caplog.messages[0].startswith(told)
    assert caplog.messages[0].endswith(", …")


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        ('skos:scopeNote "Used for x."@en ; skos:definition "An animal."@en', "An animal."),
        ('skos:scopeNote "Used for x."@en ; skos:definition "Ein Tier."@de', "Used for x."),
        ('skos:definition "Ein Tier."@de', ""),
        ('skos:definition "An animal."', "An animal."),
        ('skos:definition [ rdf:value "An animal."@en ]', "An animal."),
        ("skos:definition <http://example.org/elsewhere>", ""),
    ],
)
def test_descriptions(notes, expected):
    assert one(f'skos:prefLabel "cat"@en ; {notes}').description == expected


# --- what is a label


@pytest.mark.parametrize("deprecated", ["true", '"true"', '"1"^^<http://www.w3.org/2001/XMLSchema#boolean>'])
def test_deprecated_concepts_are_left_out(deprecated):
    gone = f':old a skos:Concept ; skos:prefLabel "old"@en ; owl:deprecated {deprecated} .'
    kept = ':new a skos:Concept ; skos:prefLabel "new"@en ; owl:deprecated false .'
    assert [label.name for label in read(PREFIXES + gone + kept)] == ["new"]


def test_concepts_without_a_name_or_a_uri_are_left_out(caplog):
    nameless = ":a a skos:Concept ; skos:altLabel 'x' . [] a skos:Concept ; skos:prefLabel 'y' ."
    assert [label.name for label in read(f"{PREFIXES} {nameless} :b a skos:Concept ; skos:prefLabel 'z' .")] == ["z"]
    assert "1 concepts without a prefLabel left out" in caplog.text


def test_an_ontology_without_concepts_is_refused():
    with pytest.raises(InputError, match="file: no skos:Concept in it"):
        read(f"{PREFIXES}:a a owl:Class .")


def test_statements_on_statements_do_not_disturb():
    assert (
        one('skos:prefLabel "cat" . << :x skos:prefLabel "dog" >> skos:definition "no" . :x skos:broader :y').name
        == "cat"
    )


# --- JSON-LD comes in many shapes

CONTEXT = '{"skos": "http://www.w3.org/2004/02/skos/core#", "id": "@id", "graph": "@graph", "type": "@type"}'
NODES = [f'{{"id": "http://a.org/{i}", "type": "skos:Concept", "skos:prefLabel": "n{i}"}}' for i in range(5)]
EXPANDED = [
    f'{{"@id": "http://a.org/{i}", "@type": ["http://www.w3.org/2004/02/skos/core#Concept"],'
    f' "http://www.w3.org/2004/02/skos/core#prefLabel": [{{"@value": "n{i}", "@language": "en"}}]}}'
    for i in range(5)
]


@pytest.mark.parametrize("batch", [1, 150, jsonld.BATCH])
@pytest.mark.parametrize("chunk", [1, 7, jsonld.CHUNK])
@pytest.mark.parametrize(
    "document",
    [
        f'{{"@context": {CONTEXT}, "@graph": [{", ".join(NODES)}]}}',
        f'{{"@context": {CONTEXT}, "graph": [{", ".join(NODES)}]}}',
        f'{{"@graph": [{", ".join(NODES)}], "@context": {CONTEXT}}}',
        f"[{', '.join(EXPANDED)}]\n",
        f'{{"@graph": [{", ".join(EXPANDED)}]}}',
        f'{{"@context": [{CONTEXT}, {{}}], "id": "http://a.org/g", "@graph": [{", ".join(NODES)}]}}',
        f'{{"@context": {CONTEXT}, "id": "_:x", "skos:member": [{", ".join(NODES)}]}}',
    ],
)
def test_json_ld(document, batch, chunk, monkeypatch):
    monkeypatch.setattr(jsonld, "BATCH", batch)
    monkeypatch.setattr(jsonld, "CHUNK", chunk)
    assert [label.name for label in read(document)] == ["n0", "n1", "n2", "n3", "n4"]


@pytest.mark.parametrize("context", ['"http://a.org/context.jsonld"', '[{}, "context.jsonld"]'])
def test_a_context_elsewhere_is_never_fetched(context):
    with pytest.raises(InputError, match="never fetch it; put the context into the file"):
        read(f'{{"@context": {context}, "@graph": []}}')


def test_a_context_elsewhere_deep_inside_is_not_fetched_either():
    with pytest.raises(InputError, match="not well-formed JSON-LD"):
        read('[{"@context": "http://a.org/context.jsonld", "@id": "http://a.org/1"}]')


# --- RDF/XML with entities


def in_xml(concept: str, subset: str = "") -> str:
    return f"""<?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE rdf:RDF [<!ENTITY skos "http://www.w3.org/2004/02/skos/core#">{subset}]>
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="&skos;">{concept}</rdf:RDF>"""


def test_entities_may_abbreviate_namespaces():
    content = in_xml('<rdf:Description rdf:about="u:1"><rdf:type rdf:resource="&skos;Concept"/>'
                     '<skos:prefLabel xml:lang="en">cat</skos:prefLabel></rdf:Description>')  # fmt: skip
    assert read(content) == [Label("u:1", "cat")]


@pytest.mark.parametrize(
    "subset",
    [
        '<!ENTITY a "&skos;&skos;">',
        '<!ENTITY a SYSTEM "file:///etc/passwd">',
        '<!ENTITY % a "x">',
        '<!ENTITY % a SYSTEM "http://localhost:1/x.dtd"> %a;',
        f'<!ENTITY a "{"x" * 101}">',
    ],
)
def test_other_entities_are_refused(subset):
    with pytest.raises(InputError, match="file, line 2: declares the XML entity 'a'"):
        read(in_xml("<skos:Concept rdf:about='u:1'><skos:prefLabel>&a;</skos:prefLabel></skos:Concept>", subset))


def test_declared_attributes_are_refused():
    content = in_xml("<skos:Concept rdf:about='u:1'/>", "<!ATTLIST skos:Concept a CDATA 'x' b CDATA #IMPLIED>")
    with pytest.raises(InputError, match="file, line 2: declares the attribute 'a'"):
        read(content)


# --- what is recognised


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"# a comment\n\n@prefix skos: <http://x> .", ""),
        (b"PREFIX skos: <http://x>", ""),
        (b"@base <http://x> .", ""),
        (b"<http://a.org/1> <http://b.org/2> \"x\" .", ""),
        (b"<http://a.org/1> a <http://b.org/2> .", ""),
        (b"_:b0 <http://b.org/2> \"x\" .", ""),
        (b"# so long a licence that nothing else fits in here", "thesaurus.ttl"),
        (b"# so long a licence that nothing else fits in here", "archive.zip:dir/thesaurus.nt.gz"),
        (b'<?xml version="1.0"?>\n<!-- x -->\n<rdf:RDF xmlns:rdf="x">', ""),
        (b'<RDF xmlns="http://www.w3.org/1999/02/22-rdf-syntax-ns#">', ""),
        (b'{"@context": {}', ""),
        (b'[\n {"@id" : "x"', ""),
    ],
)  # fmt: skip
def test_recognises_rdf(head, name):
    assert skos.recognises(head, name)


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"{}",
        b'{"id": "x", "name": "an \\"@id\\": of sorts"}',
        b"<http://a.org/1>\tcats",
        b"<http://a.org/1>\ta cappella",
        b"<DescriptorRecordSet LanguageCode='eng'>",
        b"<article><front/></article>",
        b"format-version: 1.2",
        b"id,scheme,subject",
        b"prefix sums and other algorithms",
        b"import re",
    ],
)
@pytest.mark.parametrize("name", ["file", "a.ntp.tsv", "a.ttl.txt"])
def test_does_not_recognise_other_files(head, name):
    assert not skos.recognises(head, name)


def test_a_node_that_is_named_often_is_read_once():
    often, many = ",".join([":n"] * 20_000), ",".join(f'"{i}"' for i in range(20_000))
    with patience():
        (label,) = read(f"{PREFIXES}:x a skos:Concept ; xl:prefLabel {often} . :n xl:literalForm {many} .")
    assert len(label.names) == 20_000

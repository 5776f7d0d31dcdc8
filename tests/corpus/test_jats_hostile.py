"""Files from strangers: damaged, hostile or random, they end in a document or in one clear line."""

import io

import pytest
from corpus.jats_article import ARTICLE, LONG, documents, in_body, read, texts
from hypothesis import given, settings
from hypothesis import strategies as st

from futex.corpus import content
from futex.corpus.document import Document
from futex.corpus.formats import jats
from futex.corpus.formats.jats_subjects import MAX_LEVELS
from futex.corpus.paper import MAX_DEPTH
from futex.corpus.sources import Source
from futex.errors import DamagedPaper


@pytest.mark.parametrize(
    "subset",
    [
        '<!ENTITY a "text">',
        '<!ENTITY a SYSTEM "file:///etc/passwd">',
        '<!ENTITY % a SYSTEM "http://localhost:1/x.dtd"> %a;',
        '<!ENTITY a "&b;&b;"><!ENTITY b "&a;">',
        '<!ENTITY l0 "ha">'
        + "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 12))
        + '<!ENTITY a "&l11;">',
    ],
)
def test_declared_entities_are_refused(subset):
    content = f"<!DOCTYPE article [{subset}]>{in_body(f'<p>&a; {LONG}</p>')}"
    with pytest.raises(DamagedPaper) as refused:
        documents(content)
    assert str(refused.value) == (
        "papers/some.xml: declares XML entities, which we never expand; remove the <!ENTITY …> lines"
    )


def test_an_entity_in_an_encoding_that_hides_it_is_refused():
    content = '<?xml version="1.0" encoding="UTF-7"?><!DOCTYPE article [<+ACE-ENTITY a "x">]>' + in_body("<p>&a;</p>")
    with pytest.raises(DamagedPaper):
        documents(content)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "not well-formed XML"),
        (b"<article>\n<front>\n</article>", "line 3"),
        (b"<article><front>\xe9</front></article>", "line 1"),
        (b'<?xml version="1.0" encoding="klingon"?><article/>', "klingon"),
        (b"\xff\xfe<\x00a", "UTF-16"),
        (b"<html><p/></html>", "no <article> inside"),
        (b"<article><para/></article>", "neither <front> nor <body>"),
        (b"<article>" * 5000, "depth"),
        (b"<article><front>&unknown;</front></article>", "unknown"),
    ],
)
def test_damaged_files_are_refused_in_one_line_that_names_the_file(content, what):
    with pytest.raises(DamagedPaper) as refused:
        documents(content)
    message = str(refused.value)
    assert message.startswith("papers/some.xml: ")
    assert what in message
    assert "; " in message
    assert "XML_PARSE" not in message
    assert "\n" not in message


def nested_sections(depth):
    return f"<article><front/><body>{'<sec>' * depth}<p>{LONG}</p>{'</sec>' * depth}</body></article>"


def test_sections_may_nest_only_so_deep():
    assert len(list(read(nested_sections(MAX_DEPTH)).paper.paragraphs())) == 1
    with pytest.raises(DamagedPaper, match=f"more than {MAX_DEPTH} deep"):
        documents(nested_sections(MAX_DEPTH + 1))


@pytest.mark.parametrize("tag", ["boxed-text", "disp-quote", "italic", "p", "fig", "caption", "list"])
def test_other_elements_may_nest_as_deep_as_the_parser_lets_them(tag):
    assert len(texts(f"{f'<{tag}>' * 200}<p>{LONG}</p>{f'</{tag}>' * 200}")) == 1


@pytest.mark.parametrize(
    ("opened", "closed"),
    [
        (f"<p>{LONG} {'<inline-formula>' * 5}{'<tex-math>' * 5}", f"{'</tex-math>' * 5}{'</inline-formula>' * 5}</p>"),
        ("<sec><title>" * 50, f"</title><p>{LONG}</p></sec>" * 50),
    ],
    ids=["formulas", "titles"],
)
def test_what_is_nested_is_read_once(opened, closed):
    paper = read(in_body(f"{opened}bubbles{closed}")).paper
    assert sum(f"{place}".count("bubbles") for place in paper.paragraphs()) == 1


def test_files_beyond_the_size_limit_are_refused(monkeypatch):
    monkeypatch.setattr(content, "MAX_BYTES", len(ARTICLE.encode()))
    assert read(ARTICLE).paper.id == "10.1234/test.1"
    with pytest.raises(DamagedPaper, match="longer than"):
        documents(ARTICLE + " ")


def test_a_stream_that_breaks_off_is_a_damaged_paper():
    class Broken(io.BytesIO):
        def read(self, size=-1):
            raise EOFError("compressed file ended too early")

    with pytest.raises(DamagedPaper, match="ended too early"):
        list(jats.read(Source("some.xml.gz", Broken())))


def ends_well(content):
    try:
        found, message = documents(content), ""
    except DamagedPaper as refused:
        found, message = [], str(refused)
    assert all(isinstance(document, Document) for document in found)
    assert bool(found) != bool(message)
    assert "\n" not in message


@given(st.binary(max_size=200))
def test_random_bytes_end_well(content):
    assert jats.recognises(content) in {True, False}
    ends_well(content)


@settings(max_examples=200)
@given(st.integers(0, len(ARTICLE.encode())), st.booleans())
def test_truncated_articles_end_well(length, closed):
    ends_well(ARTICLE.encode()[:length] + b"</article>" * closed)


@settings(max_examples=300)
@given(st.data())
def test_mutated_articles_end_well(data):
    content = bytearray(ARTICLE.encode())
    for _ in range(data.draw(st.integers(1, 8))):
        start = data.draw(st.integers(0, len(content)))
        piece = data.draw(st.binary(max_size=6) | st.sampled_from(PIECES))
        content[start : start + data.draw(st.integers(0, 40))] = piece
    ends_well(bytes(content))


PIECES = [b"<sec>", b"</sec>", b"<p>", b"&nbsp;", b"&x;", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<?x ?>", b"<a:b:c/>"]

TAGS = [
    "sec",
    "p",
    "title",
    "list",
    "list-item",
    "fig",
    "caption",
    "boxed-text",
    "sup",
    "xref",
    "ref",
    "app",
    "body",
    "bold",
    "media",
    "disp-formula",
    "tex-math",
    "citation",
]
TREES = st.recursive(
    st.sampled_from(["", LONG, "a", "&alpha;", "<!-- c -->", "<?p i?>", "DOI:", "10.1000/x"]),
    lambda inner: st.tuples(st.sampled_from(TAGS), st.lists(inner, max_size=4)).map(
        lambda made: f"<{made[0]} ref-type='bibr'>{''.join(made[1])}</{made[0]}>"
    ),
    max_leaves=30,
)


@settings(max_examples=300)
@given(TREES, TREES)
def test_elements_in_any_order_end_in_a_document(body, back):
    read(f"<article><front/><body>{body}</body><back>{back}</back></article>")


@given(
    st.lists(st.text(st.characters(codec="utf-8", categories=["L"]), min_size=1, max_size=8), min_size=10, max_size=20)
)
def test_words_survive_markup_of_any_kind(words):
    marked = " ".join(f"<italic>{word[:1]}</italic><!-- x -->{word[1:]}" for word in words)
    assert texts(f"<p>{marked}</p>") == [" ".join(words)]


def test_a_damaged_article_of_a_wrapper_does_not_keep_from_the_others():
    wrapped = f"<articles>{in_body('')}<article/>{in_body('')}<article/></articles>"
    found = jats.read(Source("papers/some.xml", io.BytesIO(wrapped.encode())))
    assert [next(found).paper.id, next(found).paper.id] == ["some", "some-3"]
    with pytest.raises(DamagedPaper) as refused:
        next(found)
    assert str(refused.value) == (
        "papers/some.xml, article 2 of 4: neither <front> nor <body> in its <article>; give a complete JATS file"
        " (1 more are damaged)"
    )


def test_articles_inside_articles_are_taken_once():
    inner = in_body(f"<p>{LONG}</p>")
    wrapped = f"<articles>{in_body(f'<p>{LONG}</p>{inner}')}{inner}</articles>"
    assert [len(list(document.paper.paragraphs())) for document in documents(wrapped)] == [2, 1]


def test_subjects_may_nest_only_so_deep():
    inner = f"{'<subj-group><subject>b</subject>' * 100}{'</subj-group>' * 100}"
    groups = f'<subj-group subj-group-type="Discipline"><subject>{"a/" * 15}</subject>{inner}</subj-group>'
    meta = f"<article-categories>{groups}</article-categories>"
    (document,) = documents(f"<article><front><article-meta>{meta}</article-meta></front></article>")
    assert document.subjects.paths == (("a",) * 15 + ("b",) * (MAX_LEVELS - 15),)


def test_citations_inside_citations_are_taken_once():
    nested = "".join(f"<mixed-citation><x><pub-id>10.1000/{i}</pub-id>" for i in range(100))
    refs = f"<ref-list><ref>{nested}{'</x></mixed-citation>' * 100}</ref></ref-list>"
    assert read(f"<article><front/><back>{refs}</back></article>").paper.references == ("10.1000/0",)


def test_keywords_inside_keywords_are_taken_once():
    meta = f"<kwd-group>{'<kwd>a' * 100}{'</kwd>' * 100}</kwd-group>"
    (document,) = documents(f"<article><front><article-meta>{meta}</article-meta></front></article>")
    assert document.subjects.keywords == ("a" * 100,)

"""Sets of records from strangers: endless, damaged or hostile, they end in papers or in one clear line."""

import io

import pytest
from corpus.pubmed_record import RECORD, article, article_set, documents
from hypothesis import given, settings
from hypothesis import strategies as st

from futex.corpus.document import Document
from futex.corpus.formats import pubmed, xml_records
from futex.corpus.formats.xml_records import records
from futex.corpus.paper import Paper
from futex.corpus.sources import Source
from futex.errors import InputError

BOMB = '<!ENTITY l0 "ha">' + "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 12))


def ending(content):
    try:
        return documents(content), ""
    except InputError as refused:
        return [], str(refused)


@pytest.mark.parametrize(
    "subset",
    [
        '<!ENTITY a "text">',
        '<!ENTITY a SYSTEM "file:///etc/passwd">',
        '<!ENTITY % p SYSTEM "http://localhost:1/x.dtd"> %p; <!ENTITY a "b">',
    ],
)
def test_entities_are_not_expanded(subset):
    inside = "<Abstract><AbstractText>We &a;grew<i>&a;</i> cells.</AbstractText></Abstract>"
    content = article_set(article("1", inside)).replace('.dtd">', f'.dtd" [{subset}]>')
    assert documents(content) == [Document(Paper("pmid:1", abstract="We grew cells."))]


@pytest.mark.parametrize("subset", [f'{BOMB}<!ENTITY a "&l11;">', '<!ENTITY a "&b;"><!ENTITY b "&a;">'])
@pytest.mark.parametrize("inside", ["<ArticleTitle>&a;</ArticleTitle>", "<ArticleTitle x='&a;'/>"])
def test_bombs_and_circles_of_entities_do_not_go_off(subset, inside):
    found, message = ending(article_set(article("1", inside)).replace('.dtd">', f'.dtd" [{subset}]>'))
    assert found == [Document(Paper("pmid:1"))] or message.startswith("papers/some.xml: not well-formed XML (")
    assert "xmlCtxt" not in message


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "not well-formed XML"),
        (article_set(article("1"))[:-30].encode(), "not well-formed XML"),
        (b"<PubmedArticleSet>\n<PubmedArticle>\n</PubmedArticleSet>", "line 3"),
        (b"<PubmedArticleSet>\xe9</PubmedArticleSet>", "line 1"),
        (b'<?xml version="1.0" encoding="klingon"?><PubmedArticleSet/>', "klingon"),
        (b"<PubmedArticleSet>" * 5000, "depth"),
        (b"<PubmedArticleSet>&unknown;</PubmedArticleSet>", "not well-formed XML"),
        (article_set(article("1")).encode() * 2, "only at the start of the document, line 6"),
    ],
)
def test_damaged_sets_are_refused_in_one_line_that_names_the_file(content, what):
    with pytest.raises(InputError) as refused:
        documents(content)
    message = str(refused.value)
    assert message.startswith("papers/some.xml: ")
    assert what in message
    assert "; " in message
    assert "XML_PARSE" not in message


class Endless(io.RawIOBase):
    """The same again and again; `taken` counts the bytes."""

    def __init__(self, start, unit):
        self._next, self._unit, self.taken = start, unit, 0

    def read(self, size=-1):
        chunk, self._next = self._next, self._unit
        self.taken += len(chunk)
        return chunk


UNITS = [b"<a/>", b"x", b"<!-- x -->", b"<DeleteCitation/>", b"<i>x</i>"]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("start", ["<PubmedArticleSet>", "<PubmedArticleSet><PubmedArticle>", "<PubmedArticle x='"])
def test_a_record_that_never_ends_is_not_waited_for(monkeypatch, start, unit):
    monkeypatch.setattr(xml_records, "MAX_RECORD", 2**20)
    stream = Endless(start.encode(), unit * 10_000)
    with pytest.raises(InputError) as refused:
        list(pubmed.read(Source("some.xml", stream)))
    assert stream.taken < 2 * 2**20
    assert "<PubmedArticle>" in str(refused.value) or "not well-formed" in str(refused.value)


def test_the_limit_is_for_each_record(monkeypatch):
    monkeypatch.setattr(xml_records, "CHUNK", 100)
    monkeypatch.setattr(xml_records, "MAX_RECORD", 1000)
    few_and_long = article_set(*(article(str(i), "<Abstract/>" + "<!-- x -->" * 50) for i in range(1, 100)))
    assert len(documents(few_and_long)) == 99
    with pytest.raises(InputError, match="without a whole <PubmedArticle>; give a file that is made of these"):
        documents(few_and_long.replace("PubmedArticle>", "Article>"))


def test_a_set_of_many_books_is_no_endless_record(monkeypatch):
    monkeypatch.setattr(xml_records, "MAX_RECORD", 2**18)
    book = "<PubmedBookArticle><BookDocument/></PubmedBookArticle>"
    assert documents(article_set(book * 10_000)) == []


@pytest.mark.parametrize(
    "unit",
    [
        "<PubmedArticle><a/></PubmedArticle>",
        "<a/><PubmedArticle/>x",
        "<a><b/><PubmedArticle/></a>",
        "<a><b><PubmedArticle/></b></a><c/>",
        "<PubmedArticle><PubmedArticle/></PubmedArticle>",
    ],
)
def test_what_was_read_is_forgotten(monkeypatch, unit):
    monkeypatch.setattr(xml_records, "CHUNK", 1000)
    content = io.BytesIO(f"<PubmedArticleSet>{unit * 2000}</PubmedArticleSet>".encode())
    held = [sum(1 for _ in record.getroottree().iter()) for record in records(content, "some.xml", "PubmedArticle")]
    assert len(held) >= 2000
    assert max(held) < 200  # a chunk is parsed at once


def ends_well(content):
    found, message = ending(content)
    assert all(isinstance(document, Document) for document in found)
    assert "\n" not in message


@given(st.binary(max_size=200))
def test_random_bytes_end_well(content):
    assert pubmed.recognises(content) in {True, False}
    ends_well(content)


SET = article_set(RECORD, article("1")).encode()
PIECES = [b"<PubmedArticle>", b"</PubmedArticle>", b"<Reference>", b"&nbsp;", b"&x;", b"<!--", b"-->", b"<![CDATA["]


@settings(max_examples=100)
@given(st.integers(0, len(SET)))
def test_truncated_sets_end_well(length):
    ends_well(SET[:length])


@settings(max_examples=200)
@given(st.data())
def test_mutated_sets_end_well(data):
    content = bytearray(SET)
    for _ in range(data.draw(st.integers(1, 8))):
        start = data.draw(st.integers(0, len(content)))
        piece = data.draw(st.binary(max_size=6) | st.sampled_from(PIECES))
        content[start : start + data.draw(st.integers(0, 40))] = piece
    ends_well(bytes(content))


TAGS = [
    *("PubmedArticle", "MedlineCitation", "Article", "ArticleTitle", "Abstract", "AbstractText", "PubmedData"),
    *("ArticleIdList", "ArticleId", "ReferenceList", "Reference", "MeshHeading", "DescriptorName", "PubDate", "Year"),
]
TREES = st.recursive(
    st.sampled_from(["", "a", "10.1000/x", "<!-- c -->", "<?p i?>", "2020"]),
    lambda inner: st.tuples(st.sampled_from(TAGS), st.lists(inner, max_size=4)).map(
        lambda made: f"<{made[0]} IdType='doi'>{''.join(made[1])}</{made[0]}>"
    ),
    max_leaves=30,
)


@settings(max_examples=200)
@given(TREES)
def test_elements_in_any_order_end_in_documents(tree):
    assert documents(f"<PubmedArticleSet><PubmedArticle>{tree}</PubmedArticle></PubmedArticleSet>")

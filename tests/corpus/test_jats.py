import pytest
from corpus.jats_article import ARTICLE, LONG, documents, in_body, in_meta, read, texts

from futex.corpus.formats import jats


def test_front_matter():
    paper, subjects = read(ARTICLE)
    assert paper.id == "10.1234/test.1"
    assert paper.title == "Rapid in vivo growth of H2O bubbles"
    assert paper.abstract == "We grew bubbles. They burst."
    assert paper.metadata == {
        "year": 2015,
        "venue": "Journal of Tests",
        "authors": ["Jane A Doe", "The Test Group"],
        "aliases": ["10.1234/test.1.2", "pmid:777", "pmc:888", "title:rapid in vivo growth of h2o bubbles"],
        "reference_aliases": {"10.1000/a": ["pmid:1"], "pmid:5": ["title:of words enough here"]},
    }
    assert subjects.paths == (
        ("Biology", "Genetics", "Gene expression"),
        ("Biology", "Genetics", "Alleles"),
        ("Virology",),
        ("Ecology",),
    )
    assert subjects.keywords == ("bubbles", "E. coli")


def test_body_keeps_the_tree_and_leaves_out_back_matter_and_reviews():
    assert [(place.path, place.text) for place in read(ARTICLE).paper.paragraphs()] == [
        ((), f"Before all sections {LONG}."),
        (("Methods",), f"Cells [1] in Figure 2 {LONG}."),
        (("Methods", "Growth of E. coli"), f"Deep {LONG}."),
        (("Appendix 1", "Proof"), f"Appended {LONG}."),
    ]


def test_a_section_without_title_is_still_a_unit():
    methods = read(ARTICLE).paper.body.children[1]
    (growth,) = [child for child in methods.children if not child.text]
    assert [child.heading for child in growth.children] == [""]


def test_references_are_keys_in_order_without_duplicates_and_the_paper_itself():
    assert read(ARTICLE).paper.references == (
        "10.1000/a",
        "10.1000/b",
        "10.1000/c",
        "10.1000/d",
        "pmid:5",
        "title:the e coli genome a map",
        "title:the molecular biology of bubbles",
    )


# --- paragraphs


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (f"<p>H<sub>2</sub>O and <bold>b</bold>old {LONG}</p>", [f"H2O and bold {LONG}"]),
        (f"<p>medium<sup><xref ref-type='bibr'>1</xref>,2</sup> {LONG}</p>", [f"medium 1,2 {LONG}"]),
        (f"<p>10<sup>6</sup> cells {LONG}</p>", [f"106 cells {LONG}"]),
        (f"<p>{LONG}:<disp-formula><label>(1)</label>x=y</disp-formula>where x</p>", [f"{LONG}: x=y where x"]),
        (f"<p>{LONG}:<disp-formula>{'x+' * 50}y</disp-formula>where x</p>", [f"{LONG}: where x"]),
        (f"<p>{LONG}<break/>next</p>", [f"{LONG} next"]),
        (f"<p>{LONG}<fn><p>a note</p></fn>.</p>", [f"{LONG}."]),
        (f"<disp-quote><p>{LONG}</p></disp-quote><statement><title>Lemma</title><p>{LONG} two</p></statement>",
         [LONG, f"{LONG} two"]),
        (f"<p>(<inline-formula><alternatives><graphic/>x</alternatives></inline-formula>) {LONG}</p>", [f"(x) {LONG}"]),
        (f"<p>{LONG} <bold>DOI:</bold> <ext-link>10.1000/x</ext-link></p>", [f"{LONG} DOI: 10.1000/x"]),
        (f"<boxed-text><caption><title>Box</title></caption><p>{LONG}</p></boxed-text>", [LONG]),
    ],
)  # fmt: skip
def test_text_of_a_paragraph(inside, expected):
    assert texts(inside) == expected


def test_a_list_is_one_paragraph_alone_or_within_another():
    items = (
        "<list><list-item><label>1.</label><p>a b c d e</p></list-item><list-item><p>f g h i j</p></list-item></list>"
    )
    assert texts(items) == ["a b c d e f g h i j"]
    assert texts(f"<p>We list:{items}and go on.</p>") == ["We list: a b c d e f g h i j and go on."]


FIGURE = (
    f"<fig><object-id>10.1/f</object-id><label>Figure 1</label><caption><title>A caption.</title><p>{LONG}</p>"
    "<p><bold>DOI:</bold> <ext-link ext-link-type='doi'>http://dx.doi.org/10.1/f</ext-link></p></caption>"
    "<graphic xlink:href='f.png'/><attrib>From a friend</attrib></fig>"
)
TABLE = (
    f"<table-wrap><label>Table 1</label><caption><p>Cells, {LONG}</p></caption><table><tr><td>{LONG}</td></tr></table>"
    f"<table-wrap-foot><p>Foot {LONG}</p></table-wrap-foot></table-wrap>"
)


def test_captions_are_paragraphs_of_their_section():
    assert texts(f"<p>Before {LONG}</p>{FIGURE}<p>After {LONG}</p>{TABLE}") == [
        f"Before {LONG}",
        f"A caption. {LONG}",
        f"After {LONG}",
        f"Cells, {LONG}",
    ]


def test_figures_tables_and_boxes_inside_a_paragraph_follow_it():
    box = f"<boxed-text><p>Boxed {LONG}</p></boxed-text>"
    supplement = f"<supplementary-material><caption><p>Data {LONG}</p></caption></supplementary-material>"
    assert texts(f"<p>Before {LONG}{FIGURE}<fig-group>{FIGURE}</fig-group>after.{TABLE}{box}{supplement}End.</p>") == [
        f"Before {LONG} after. End.",
        f"A caption. {LONG}",
        f"A caption. {LONG}",
        f"Cells, {LONG}",
        f"Boxed {LONG}",
    ]


def test_figures_at_the_end_of_the_file_are_a_section():
    content = f"<article><front/><body><p>{LONG}</p></body><floats-group>{FIGURE}</floats-group></article>".replace(
        "xlink:", ""
    )
    assert [place.text for place in read(content).paper.paragraphs()] == [LONG, f"A caption. {LONG}"]


# --- front matter in other shapes


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        ("<article-id pub-id-type='pmid'>12</article-id><article-id pub-id-type='pmc'>34</article-id>", "pmid:12"),
        (
            "<article-id pub-id-type='publisher-id'>x</article-id><article-id pub-id-type='pmc'>PMC34</article-id>",
            "pmc:34",
        ),
        ("<article-id pub-id-type='publisher-id'>x</article-id>", "x"),
        ("", "some"),
    ],
)
def test_the_id_is_the_best_there_is(ids, expected):
    assert read(in_meta(ids)).paper.id == expected


@pytest.mark.parametrize(
    "name", ["some.xml", "a/b/some.nxml", "papers.zip:dir/some.xml", "papers.tar:some.xml", "some"]
)
def test_without_any_identifier_the_file_name_is_the_id(name):
    assert read(in_meta(""), name).paper.id == "some"


def test_metadata_has_only_keys_with_a_value():
    assert read(in_meta("")).paper.metadata == {}


@pytest.mark.parametrize(
    ("abstracts", "expected"),
    [
        ({"toc": "A", "": "B"}, "B"),
        ({"teaser": "A", "structured": "B"}, "B"),
        ({"graphical": "A", "teaser": "B"}, "B"),
        ({"graphical": "A"}, ""),
    ],
)
def test_the_main_abstract_is_chosen(abstracts, expected):
    written = [
        f"<abstract{f' abstract-type={kind!r}' * bool(kind)}><p>{a}</p></abstract>" for kind, a in abstracts.items()
    ]
    assert read(in_meta("".join(written))).paper.abstract == expected


def test_an_abstract_without_paragraphs_is_text():
    assert read(in_meta("<abstract>Just <bold>text</bold>.</abstract>")).paper.abstract == "Just text."


def test_a_figure_is_no_part_of_the_abstract():
    figure = FIGURE.replace("xlink:", "")
    assert read(in_meta(f"<abstract><p>Some{figure}text.</p></abstract>")).paper.abstract == "Some text."


def test_narrower_groups_belong_to_the_last_subject_of_a_group():
    group = (
        "<subj-group><subject>A</subject><subject>B</subject><subj-group><subject>C</subject></subj-group></subj-group>"
    )
    written = in_meta(f"<article-categories>{group}</article-categories>")
    assert read(written).subjects.paths == (("A",), ("B", "C"))


@pytest.mark.parametrize("kind", ["heading", "toc-heading", "display-channel", "Article Type", "article-type"])
def test_article_types_are_no_subjects(kind):
    group = f"<subj-group subj-group-type='{kind}'><subject>Review</subject></subj-group>"
    assert read(in_meta(f"<article-categories>{group}</article-categories>")).subjects.paths == ()


def test_comments_are_not_cited():
    identifier = "<pub-id pub-id-type='pmid'><!-- 4 -->5</pub-id>"
    citation = f"<citation>X<!-- 10.1000/x --><?y 10.1000/y?>{identifier}</citation>"
    assert read(f"<article><front/><back><ref>{citation}</ref></back></article>").paper.references == ("pmid:5",)


def test_alternative_forms_of_a_citation_are_one_reference():
    written = """<article><front/><back><ref-list><ref><citation-alternatives>
        <mixed-citation>Smith. Title of the paper, doi:10.1000/x</mixed-citation>
        <element-citation><article-title>Title of the paper</article-title></element-citation>
        </citation-alternatives></ref></ref-list></back></article>"""
    assert read(written).paper.references == ("10.1000/x",)


# --- encodings, entities, wrappers


@pytest.mark.parametrize("doctype", ["", '<!DOCTYPE article PUBLIC "x" "y.dtd">'])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
def test_named_characters_come_out_in_every_encoding(doctype, encoding):
    declared = "utf-8" if encoding == "utf-8-sig" else encoding
    inside = "<article-title>é &alpha;&nbsp;&amp; &NotEqualTilde; <![CDATA[&alpha; < ]]></article-title>"
    content = f'<?xml version="1.0" encoding="{declared}"?>{doctype}' + in_meta(f"<title-group>{inside}</title-group>")
    assert read(content.encode(encoding)).paper.title == "é α & ≂̸ &alpha; <"


def test_unknown_entities_are_left_out_if_a_dtd_may_define_them():
    content = f'<!DOCTYPE article SYSTEM "y.dtd">{in_body(f"&this;<p>a&that;b {LONG}</p>")}'
    assert [place.text for place in read(content).paper.paragraphs()] == [f"ab {LONG}"]


def test_wrappers_give_each_article_and_namespaces_do_not_matter():
    article = in_meta("<article-id pub-id-type='pmid'>{}</article-id>")
    wrapped = f"<pmc-articleset>{article.format(1)}{article.format(2)}</pmc-articleset>"
    assert [document.paper.id for document in documents(wrapped)] == ["pmid:1", "pmid:2"]
    namespaced = article.format(3).replace("<article>", "<article xmlns='https://jats.nlm.nih.gov/ns/archiving/1.3/'>")
    assert read(f"<OAI-PMH xmlns='oai'><record>{namespaced}</record></OAI-PMH>").paper.id == "pmid:3"
    prefixed = f"<j:article xmlns:j='x'><j:front/><j:body><j:p>{LONG}</j:p></j:body></j:article>"
    assert [place.text for place in read(prefixed).paper.paragraphs()] == [LONG]


@pytest.mark.parametrize(
    "head",
    [
        ARTICLE.encode()[:600],
        b"<article>",
        b"<?xml version='1.0'?>\n<article dtd-version='1.1'>",
        b"<!DOCTYPE article [<!ELEMENT x ANY> <!-- ] --> ]><jats:article xmlns:jats='x'>",
        b"<!-- <html> --><?a b?><pmc-articleset>",
        '<?xml version="1.0" encoding="utf-16"?><article/>'.encode("utf-16"),
    ],
)
def test_recognises_jats(head):
    assert jats.recognises(head)


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"{}",
        b"PAR1",
        b"<html><article>",
        b"<articlex>",
        b"<article-set>",
        b"<!-- <article> -->",
        b"<!DOCTYPE article>",
    ],
)
def test_does_not_recognise_other_files(head):
    assert not jats.recognises(head)


def test_an_ambiguous_prolog_is_recognised_in_linear_time():
    assert not jats.recognises(b"<?a?>" * 800 + b"<x>")
    assert not jats.recognises(b"<!---->" * 500 + b"<!DOCTYPE a []" * 30)


# --- hostile and damaged files

"""What publishers do with JATS: the same things in as many ways as there are houses."""

import pytest
from corpus.jats_article import LONG, in_body, in_meta, read, texts

MATH = "<mml:math xmlns:mml='http://www.w3.org/1998/Math/MathML'><mml:mi>x</mml:mi><mml:mo>=</mml:mo><mml:mn>1</mml:mn>"
MATH += "<mml:annotation>x = 1</mml:annotation></mml:math>"
TEX = (
    "<tex-math id='M1'>\\documentclass[12pt]{minimal}\n\\usepackage{amsmath}\n\\begin{document}$$x = 1$$\\end{document}"
    "</tex-math>"
)


# --- abstracts


def abstract(inside, language="en"):
    return read(in_meta(inside).replace("<article>", f"<article xml:lang='{language}'>")).paper.abstract


@pytest.mark.parametrize(
    "side",
    [
        "<abstract abstract-type='author-highlights'><list><list-item><p>One.</p></list-item></list></abstract>",
        "<abstract abstract-type='graphical'><title>Graphical abstract</title><p><fig/></p></abstract>",
        "<abstract abstract-type='plain-language-summary'><title>Plain words</title><p>Lay text.</p></abstract>",
        "<abstract abstract-type='Key-points'><p>Points.</p></abstract>",
        "<abstract abstract-type='precis'><p>In brief.</p></abstract>",
        "<abstract xml:lang='es'><p>Resumen.</p></abstract>",
        "<trans-abstract xml:lang='fr'><title>Résumé</title><p>Texte.</p></trans-abstract>",
    ],
)
def test_the_main_abstract_wins_wherever_it_stands(side):
    main = "<abstract xml:lang='en'><title>Abstract</title><p>Main.</p></abstract>"
    assert abstract(side + main) == abstract(main + side) == "Main."


def test_of_several_languages_that_of_the_article_is_chosen():
    both = "<abstract xml:lang='en'><p>Cells.</p></abstract><abstract xml:lang='pt'><p>Células.</p></abstract>"
    assert abstract(both, "pt") == "Células."
    assert abstract(both, "en-GB") == "Cells."


def test_a_structured_abstract_loses_its_headings_at_any_depth():
    design = "<sec><title>Design</title><p>A trial.</p></sec>"
    methods = f"<sec><title>Methods</title>{design}<p>In <italic>mice</italic>.</p></sec>"
    assert abstract(f"<abstract><title>Abstract</title>{methods}</abstract>") == "A trial. In mice."


def test_a_translation_is_better_than_nothing_a_picture_is_not():
    assert abstract("<trans-abstract xml:lang='en'><p>Cells.</p></trans-abstract>", "es") == "Cells."
    assert abstract("<abstract abstract-type='visual'><p>Figure.</p></abstract>") == ""


# --- titles, subjects, keywords


def test_a_subtitle_belongs_to_the_title():
    group = "<title-group><article-title>Cells<xref>*</xref></article-title><subtitle>A story</subtitle></title-group>"
    assert read(in_meta(group)).paper.title == "Cells: A story"


def subjects(*groups):
    written = "".join(
        f"<subj-group subj-group-type='{kind}'>{''.join(f'<subject>{term}</subject>' for term in terms)}</subj-group>"
        for kind, *terms in groups
    )
    return read(in_meta(f"<article-categories>{written}</article-categories>")).subjects.paths


def test_a_heading_is_a_subject_only_if_a_channel_tells_the_type_of_the_article():
    assert subjects(("display-channel", "Research Article"), ("heading", "Ecology")) == (("Ecology",),)
    assert subjects(("heading", "Ecology")) == ()


def test_old_disciplines_of_plos_are_paths_in_one_string():
    assert subjects(("Discipline", "Virology/Diagnosis", "Ecology")) == (("Virology", "Diagnosis"), ("Ecology",))
    assert subjects(("Discipline-v2", "Ear/Nose")) == (("Ear/Nose",),)


def test_keywords_in_the_language_of_the_article():
    groups = (
        "<kwd-group xml:lang='en'><kwd>cell</kwd></kwd-group><kwd-group xml:lang='es'><kwd>célula</kwd></kwd-group>"
    )
    for language, expected in (("es", ("célula",)), ("en-US", ("cell",)), ("de", ("cell", "célula"))):
        content = in_meta(groups).replace("<article>", f"<article xml:lang='{language}'>")
        assert read(content).subjects.keywords == expected


# --- body


@pytest.mark.parametrize("tag", ["inline-formula", "disp-formula"])
@pytest.mark.parametrize(
    ("forms", "expected"),
    [
        (f"<alternatives>{TEX}{MATH}<graphic/></alternatives>", "x=1"),
        (f"<alternatives>{MATH}{TEX}</alternatives>", "x=1"),
        (MATH, "x=1"),
        (TEX, "x = 1"),
        ("<tex-math><![CDATA[x < 1]]></tex-math>", "x < 1"),
        ("<graphic/>", ""),
    ],
)
def test_a_formula_is_written_out_once(tag, forms, expected):
    (paragraph,) = texts(f"<p>Here <{tag}>{forms}</{tag}> holds for {LONG}</p>")
    assert paragraph == " ".join(f"Here {expected} holds for {LONG}".split())


@pytest.mark.parametrize(
    "section",
    [
        "<sec sec-type='COI-statement'><title>Conflict of interest</title>{}</sec>",
        "<sec><title>Conflicts of Interest.</title>{}</sec>",
        "<sec><title>Competing interests</title>{}</sec>",
        "<sec><title>Declaration of competing interest</title>{}</sec>",
        "<sec><title>Acknowledgments</title>{}</sec>",
        "<sec><title>Authors’ contributions</title>{}</sec>",
        "<sec sec-type='data-availability'><title>Where to find it</title>{}</sec>",
        "<sec sec-type='supplementary-material'><title>More</title>{}</sec>",
        "<sec><title>Methods</title><sec><title>Ethics statement</title>{}</sec></sec>",
    ],
)
def test_statements_are_left_out_of_the_body_too(section):
    written = section.format(f"<p>{LONG}</p>")
    assert texts(f"<p>Kept {LONG}</p>{written}") == [f"Kept {LONG}"]


@pytest.mark.parametrize(
    "title", ["Disclosure of HIV status to partners", "Funding of health care", "Acknowledging harm"]
)
def test_sections_on_such_matters_are_kept(title):
    assert texts(f"<sec><title>{title}</title><p>{LONG}</p></sec>") == [LONG]


def test_a_video_has_a_caption_like_a_figure():
    video = (
        f"<media mimetype='video'><label>Video 1.</label><caption><title>Cells</title><p>{LONG}</p></caption></media>"
    )
    assert texts(video) == [f"Cells {LONG}"]
    assert texts(f"<p>Before {LONG} {video} after</p>") == [f"Before {LONG} after", f"Cells {LONG}"]


def test_tables_of_other_standards_are_left_out():
    cells = f"<o:table xmlns:o='http://docs.oasis-open.org/ns/oasis-exchange/table'><o:entry><p>{LONG}</p></o:entry></o:table>"
    assert texts(f"<table-wrap><caption><p>Caption {LONG}</p></caption>{cells}</table-wrap>") == [f"Caption {LONG}"]


def test_boxes_lists_and_definitions_keep_their_words():
    box = f"<boxed-text><sec><title>Box</title><p>{LONG}</p></sec></boxed-text>"
    terms = (
        "<def-list><def-item><term>A</term><def><p>one two three four five six seven eight nine</p></def></def-item>"
    )
    assert texts(box + terms + "</def-list>") == ["A one two three four five six seven eight nine", LONG]


def test_glyphs_and_readings_are_no_words():
    private = "<private-char><glyph-data>FF00FF</glyph-data></private-char>"
    assert texts(f"<p><ruby><rb>漢</rb><rt>kan</rt></ruby>{private} {LONG}</p>") == [f"漢 {LONG}"]


def test_a_translation_of_the_whole_article_is_left_out():
    translation = f"<sub-article article-type='translation'><body><p>Traducción {LONG}</p></body></sub-article>"
    content = in_body(f"<p>{LONG}</p>").replace("</article>", f"{translation}</article>")
    assert [place.text for place in read(content).paper.paragraphs()] == [LONG]


def test_appendices_are_kept_in_or_outside_a_group():
    a, b = (f"<app><title>{title}</title><p>{LONG}</p></app>" for title in "AB")
    paper = read(f"<article><front/><body/><back><app-group>{a}</app-group>{b}</back></article>").paper
    assert [place.path for place in paper.paragraphs()] == [("A",), ("B",)]


# --- references


def cited(inside, where="<back><ref-list>{}</ref-list></back>"):
    """The best key of each reference, and the other keys."""
    paper = read(f"<article><front/>{where.format(inside)}</article>").paper
    return {key: paper.metadata.get("reference_aliases", {}).get(key, []) for key in paper.references}


IDS = "<pub-id pub-id-type='pmid'>7</pub-id><pub-id pub-id-type='doi'>10.1000/X</pub-id>"
IDS += "<pub-id pub-id-type='pmcid'>PMC8</pub-id><pub-id pub-id-type='other'>9</pub-id>"
TITLE = "<article-title>On the growth of cells</article-title>"


@pytest.mark.parametrize("style", ["element-citation", "mixed-citation", "nlm-citation", "citation"])
def test_every_key_of_a_reference_is_kept_in_every_style(style):
    expected = {"10.1000/x": ["pmid:7", "pmc:8", "title:on the growth of cells"]}
    assert cited(f"<ref><label>1.</label><{style}>{TITLE}{IDS}</{style}></ref>") == expected


def test_the_forms_of_one_citation_complete_each_other():
    forms = f"<element-citation>{TITLE}</element-citation><mixed-citation>Cells. doi: 10.1000/x.</mixed-citation>"
    alternatives = f"<ref><citation-alternatives>{forms}</citation-alternatives></ref>"
    assert cited(alternatives) == {"10.1000/x": ["title:on the growth of cells"]}


def test_several_citations_in_one_reference_are_several_works():
    a, b = (f"<mixed-citation>10.1000/{letter}</mixed-citation>" for letter in "ab")
    assert cited(f"<ref>{a}<note><p>{b}</p></note></ref>") == {"10.1000/a": [], "10.1000/b": []}


def test_references_may_stand_in_the_body():
    inside = "<ref><mixed-citation>10.1000/a</mixed-citation></ref>"
    assert cited(inside, "<body><sec><title>References</title><ref-list>{}</ref-list></sec></body>") == {
        "10.1000/a": []
    }


def test_data_sets_of_the_paper_itself_are_not_cited():
    own = "<element-citation specific-use='isSupplementedBy'><pub-id pub-id-type='doi'>10.1000/own</pub-id>"
    where = "<back><sec sec-type='data-availability'><p>{}</p></sec></back>"
    assert cited(f"{own}</element-citation>", where) == {}


def test_books_are_known_by_their_titles_also_where_they_are_reviewed():
    book = "<citation citation-type='book'><source>The biology of cells</source></citation>"
    assert cited(f"<ref>{book}</ref>") == {"title:the biology of cells": []}
    product = "<product product-type='book'><source>The biology of cells</source></product>"
    assert read(in_meta(product)).paper.references == ("title:the biology of cells",)


def test_a_paper_that_cites_itself_by_any_key_has_no_such_reference():
    own = in_meta("<article-id pub-id-type='doi'>10.1000/own</article-id><article-id pub-id-type='pmid'>7</article-id>")
    ref = f"<ref><citation>{TITLE}<pub-id pub-id-type='pmid'>7</pub-id></citation></ref>"
    assert read(own.replace("</article>", f"<back>{ref}</back></article>")).paper.references == ()

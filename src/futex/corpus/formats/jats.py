"""JATS XML, the article format of PubMed Central, PLOS, eLife and most open-access publishers (also its NLM ancestors).

Files come from strangers: they are parsed without DTDs, network access or entity expansion, and read up to a size.
What a reader of the paper would not call its text (tables' cells, footnotes, acknowledgements, reviews) is left out;
captions are paragraphs of the section that their figure or table stands in, and a list is one paragraph.
"""

import re
from collections.abc import Iterator

from lxml import etree

from futex.corpus.back_matter import is_back_matter
from futex.corpus.document import Document, Subjects
from futex.corpus.formats.formulas import formula_text
from futex.corpus.formats.jats_references import cited_works
from futex.corpus.formats.jats_subjects import LANGUAGE, is_in, keywords, subject_paths
from futex.corpus.formats.xml import Element, each_document, root_name
from futex.corpus.formats.xml import raw_text as _raw_text
from futex.corpus.formats.xml import text as _text
from futex.corpus.paper import MAX_DEPTH, Paper, Unit, distinct, known, section, squeeze
from futex.corpus.references import distinct_works, doi_key, pmc_key, pmid_key, title_key
from futex.corpus.sources import Source
from futex.errors import DamagedPaper

NAME = "jats"
_ROOTS = frozenset({"article", "articles", "pmc-articleset", "OAI-PMH"})

_YEAR = re.compile(r"[12]\d{3}")

_NOT_TEXT = (
    *("{*}table", "table-wrap-foot", "array", "graphic", "inline-graphic", "supplementary-material", "glyph-data"),
    *("fn", "fn-group", "label", "object-id", "attrib", "permissions", "alt-text", "long-desc", "code", "rp", "rt"),
    *("{*}annotation", "{*}annotation-xml", "ref-list", "ack", "sec-meta", "index-term"),
)
_FLOATS = ("fig", "fig-group", "table-wrap", "table-wrap-group", "boxed-text", "media")
"""What may stand inside a paragraph without being part of its sentences."""
_PARAGRAPHS = frozenset({"p", "list", "def-list", "caption"})
_SEPARATE = (
    *("p", "title", "sec", "list", "list-item", "def-list", "def-item", "term", "def", "break", "disp-quote"),
    *("statement", "verse-group", "verse-line", "speech", "preformat", "disp-formula"),
    *_FLOATS,
)
"""What starts on a new line, so that the words before and after it must not run together."""
_NO_ABSTRACT = re.compile(r"graphic|visual")
_SIDE_ABSTRACT = re.compile(
    r"summary|teaser|toc|short|editor|digest|points|highlight|synopsis|patient|video|precis|significance|impact|lay"
)
_LEFT_OUT = re.compile(r"supplementary|availability|coi-|conflict|competing|funding|acknowledg|contribution|ethics")


def recognises(head: bytes, name: str = "") -> bool:
    """Whether the root element is an article, or a wrapper in which PubMed Central and OAI servers hand out some."""
    return root_name(head) in _ROOTS


def read(source: Source) -> Iterator[Document]:
    """The article of a file, or each of a wrapper; an article without an id gets the name of its file."""
    return each_document(source, "article", "a JATS article", _document)


# --- from a tree to a document


def _document(article: Element, name: str, own_name: str) -> Document:
    if article.find("front") is None and article.find("body") is None:
        raise DamagedPaper(f"{name}: neither <front> nor <body> in its <article>; give a complete JATS file")
    for other_article in list(article.iterchildren("sub-article", "response")):
        article.remove(other_article)
    cited = cited_works(article)  # before their identifiers go the way of all that is no text
    _reduce_to_text(article)
    meta = article.find("front/article-meta")
    if meta is None:
        meta = etree.Element("article-meta")
    title = _title(meta)
    paper_id, aliases = _identity(meta, title, own_name)
    works = distinct_works(cited, without={paper_id, *aliases})
    language = article.get(LANGUAGE, "")
    paper = Paper(
        id=paper_id,
        title=title,
        abstract=_abstract(meta, language),
        body=_body(article, name),
        references=tuple(works),
        metadata=known(
            year=_year(meta),
            venue=_text(article.find("front/journal-meta//journal-title")),
            authors=_authors(meta),
            aliases=aliases,
            reference_aliases={best: others for best, others in works.items() if others},
        ),
    )
    return Document(paper, Subjects(subject_paths(meta), keywords(meta, language)))


def _reduce_to_text(article: Element) -> None:
    """Leave only what is text, with spaces where a page would have a line break or a raised reference number."""
    for supplement in article.iter("supplementary-material"):
        supplement.tail = f" {supplement.tail or ''}"
    etree.strip_elements(article, *_NOT_TEXT, with_tail=False)
    for block in article.iter(*_SEPARATE):
        block.text = f" {block.text or ''}"
        block.tail = f" {block.tail or ''}"
    for formula in list(article.iter("inline-formula", "disp-formula")):
        _write_out(formula)
    for raised in article.iter("sup"):
        mark = raised.getparent() if raised.getparent().tag == "xref" else next(raised.iterchildren("xref"), None)
        if mark is not None and mark.get("ref-type") == "bibr":
            raised.text = f" {raised.text or ''}"


def _write_out(formula: Element) -> None:
    """Leave one of its several forms: MathML, else TeX without what a TeX program needs around it."""
    if next(formula.iter("{*}math"), None) is not None:
        etree.strip_elements(formula, "tex-math", with_tail=False)
    for tex in list(formula.iter("tex-math")):
        written = _raw_text(tex).rpartition("\\begin{document}")[2].partition("\\end{document}")[0].strip("$ \n")
        del tex[:]  # which would be read once more at every level
        tex.text = written
    if formula.tag == "disp-formula" and not formula_text(_raw_text(formula)):
        formula.clear(keep_tail=True)


# --- front matter


def _title(meta: Element) -> str:
    parts = [part for part in meta.iterfind("title-group/*") if part.tag in ("article-title", "subtitle")]
    for part in parts:
        etree.strip_elements(part, "xref", with_tail=False)
    return ": ".join(filter(None, map(_text, parts)))


def _identity(meta: Element, title: str, own_name: str) -> tuple[str, list[str]]:
    """The paper's id, and the other keys under which it may be cited."""
    found: dict[str, list[str]] = {}
    for element in meta.iterfind("article-id"):
        found.setdefault(element.get("pub-id-type", ""), []).append(_text(element))
    keys = [
        *map(doi_key, found.get("doi", [])),
        *map(pmid_key, found.get("pmid", [])),
        *map(pmc_key, [*found.get("pmc", []), *found.get("pmcid", [])]),
    ]
    known = distinct(keys)
    paper_id = next(iter([*known, *filter(None, found.get("publisher-id", []))]), own_name)
    return paper_id, distinct([*known, title_key(title)], without=[paper_id])


def _year(meta: Element) -> int | None:
    """The year of the first of an article's several dates of publication (online, printed, collected)."""
    years = [_text(year) for year in meta.iterfind("pub-date/year")]
    return min((int(year) for year in years if _YEAR.fullmatch(year)), default=None)


def _authors(meta: Element) -> list[str]:
    people = (c for c in meta.iterfind("contrib-group/contrib") if c.get("contrib-type", "author") == "author")
    return distinct(map(_author, people))


def _author(contributor: Element) -> str:
    name = next(contributor.iter("name", "string-name", "collab"), None)
    if name is None:
        return ""
    etree.strip_elements(name, "contrib-group", "xref", with_tail=False)  # the members of a group, marks of notes
    parts = [_text(name.find("given-names")), _text(name.find("surname"))]
    return " ".join(filter(None, parts)) or _text(name)


def _abstract(meta: Element, language: str) -> str:
    abstracts = [*meta.iterfind("abstract"), *meta.iterfind("trans-abstract")]
    abstracts = [abstract for abstract in abstracts if not _NO_ABSTRACT.search(_kind_of(abstract))]
    if not abstracts:
        return ""
    abstract = min(abstracts, key=lambda abstract: _distance_from_main(abstract, language))
    etree.strip_elements(abstract, "title", *_FLOATS, with_tail=False)
    _drop_doi_notes(abstract)
    return _text(abstract)


def _kind_of(abstract: Element) -> str:
    return str(abstract.get("abstract-type", "")).lower()


def _distance_from_main(abstract: Element, language: str) -> tuple[bool, int, bool]:
    """The main abstract is no translation and has no type; any type is better than one for other readers."""
    kind = _kind_of(abstract)
    side = 0 if not kind else 2 if _SIDE_ABSTRACT.search(kind) else 1
    return abstract.tag == "trans-abstract", side, not is_in(abstract, language)


def _drop_doi_notes(element: Element) -> None:
    """eLife ends abstracts and captions with a paragraph that tells their own DOI."""
    for link in list(element.iter("ext-link")):
        mark, note = link.getprevious(), link.getparent()
        follows_mark = mark is not None and mark.text == "DOI:" and mark.getprevious() is None
        if follows_mark and note.tag == "p" and not squeeze(f"{note.text or ''}{link.tail or ''}"):
            note.clear()


# --- body


def _body(article: Element, name: str) -> Unit:
    """T_d without the abstract: the body, then the appendices and figures that are printed at the end."""
    body = article.find("body")
    if body is None:
        body = etree.SubElement(article, "body")
    for appendix in [
        *article.iterfind("back//app"),
        *article.iterfind("floats-group"),
        *article.iterfind("floats-wrap"),
    ]:
        appendix.tag = "sec"
        body.append(appendix)
    _drop_doi_notes(body)
    _move_floats_behind_paragraphs(body)
    return _section(body, name, depth=0)


def _section(element: Element, name: str, depth: int) -> Unit:
    if depth > MAX_DEPTH:
        raise DamagedPaper(f"{name}: sections nested more than {MAX_DEPTH} deep; flatten them")
    heading = _text(element.find("title"))
    if is_back_matter(heading) or _LEFT_OUT.search(element.get("sec-type", "").lower()):
        return Unit()  # some publishers put acknowledgements and statements into the body
    paragraphs: list[str] = []
    sections: list[Unit] = []
    for block in _blocks(element):
        if block.tag == "sec":
            sections.append(_section(block, name, depth + 1))
        else:
            paragraphs.append(_raw_text(block))
    return section(heading, paragraphs, sections)


def _blocks(element: Element) -> Iterator[Element]:
    """Subsections and paragraphs in reading order; what holds them (boxes, quotations, figures) is looked through."""
    pending = list(reversed(element))
    while pending:
        block = pending.pop()
        tag = block.tag
        if tag == "sec" or tag in _PARAGRAPHS:
            yield block
        elif tag != "title":  # which is the heading, whatever is nested in it
            pending.extend(reversed(block))


def _move_floats_behind_paragraphs(body: Element) -> None:
    for element in reversed(list(body.iter(*_FLOATS))):
        paragraph = _interrupted_by(element)
        if paragraph is not None:
            hole = etree.Element("hole")
            hole.tail = element.tail
            element.getparent().replace(element, hole)
            paragraph.addnext(element)


def _interrupted_by(element: Element) -> Element | None:
    """The outermost paragraph around it, but none outside of the figure or box that it may be part of."""
    paragraph = None
    for ancestor in element.iterancestors():
        if ancestor.tag in _PARAGRAPHS:
            paragraph = ancestor
        elif ancestor.tag == "sec" or ancestor.tag in _FLOATS:
            break
    return paragraph

"""TEI, as GROBID writes it from PDFs (and Pub2TEI from publishers' XML).

GROBID puts all sections side by side, with their numbers: the numbers nest them again. Figures stand at the end of the
body; their captions become paragraphs where the text first mentions them. What is no text of the paper (cells of
tables, notes, acknowledgements) is left out, annexes are kept.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain

from lxml import etree

from futex.corpus.document import Document, Subjects
from futex.corpus.formats.captions import CaptionedOutline, without_label
from futex.corpus.formats.xml import Element, each_document, outermost, raw_text, root_name, text
from futex.corpus.numbering import split_number
from futex.corpus.paper import Paper, Unit, distinct, known
from futex.corpus.references import arxiv_key, doi_in, doi_key, own_keys, reference_key
from futex.corpus.sources import Source
from futex.errors import DamagedPaper

NAME = "tei"

_ID = "{http://www.w3.org/XML/1998/namespace}id"
_YEAR = re.compile(r"[12]\d{3}")

_NOT_TEXT = ("note", "table", "graphic", "listBibl", "fw", "ptr")
_PARAGRAPHS = frozenset({"p", "ab", "list"})
_SEPARATE = ("p", "ab", "s", "head", "div", "list", "item", "lb", "pb", "formula", "quote", "figure", "label")
"""What is set apart by more than a letter space, so that the words before and after it must not run together."""


def recognises(head: bytes, name: str = "") -> bool:
    return root_name(head) in ("TEI", "teiCorpus")


def read(source: Source) -> Iterator[Document]:
    """The paper of a file, or each of a <teiCorpus>; a paper without an identifier gets the name of its file."""
    return each_document(source, "TEI", "a TEI document", _document)


def _document(tei: Element, name: str, own_name: str) -> Document:
    if tei.find("teiHeader") is None:
        raise DamagedPaper(f"{name}: no <teiHeader> in its <TEI>; give a complete TEI file, as GROBID writes it")
    references = _references(tei)  # before the notes go that have them as they were printed
    _reduce_to_text(tei)
    header = tei.find("teiHeader")
    title = _title(header)
    identifiers = _identifiers(header)
    keys = own_keys(**identifiers, title=title)
    paper_id = next(iter(own_keys(**identifiers)), own_name)
    paper = Paper(
        id=paper_id,
        title=title,
        abstract=_abstract(header),
        body=_body(tei),
        references=tuple(key for key in references if key not in keys),
        metadata=known(
            year=_year(header),
            venue=text(header.find("fileDesc/sourceDesc/biblStruct/monogr/title")),
            authors=_authors(header),
            aliases=[key for key in keys if key != paper_id],
        ),
    )
    return Document(paper, Subjects(keywords=_keywords(header)))


def _reduce_to_text(tei: Element) -> None:
    for block in tei.iter(*_SEPARATE):
        block.text = f" {block.text or ''}"
        block.tail = f" {block.tail or ''}"
    for formula in tei.iter("formula"):
        etree.strip_elements(formula, "label", with_tail=False)
    etree.strip_elements(tei, *_NOT_TEXT, with_tail=False)


# --- header


def _title(header: Element) -> str:
    titles = list(header.iterfind("fileDesc/titleStmt/title"))
    main = [title for title in titles if title.get("type") == "main"]
    return next(filter(None, map(text, chain(main, titles))), "")


def _identifiers(header: Element) -> dict[str, str]:
    """DOI, PubMed, PubMed Central and arXiv ids; GROBID writes them where the source is described."""
    found: dict[str, Element] = {}
    for element in header.iterfind("fileDesc//idno"):
        found.setdefault(element.get("type", "").lower(), element)
    doi, pmid, pmcid, pmc, arxiv = (text(found.get(kind)) for kind in ("doi", "pmid", "pmcid", "pmc", "arxiv"))
    return {"doi": doi, "pmid": pmid, "pmc": pmcid or pmc, "arxiv": arxiv}


def _year(header: Element) -> int | None:
    """The first of the years of publication."""
    dates = chain(
        header.iterfind("fileDesc/publicationStmt/date"), header.iterfind("fileDesc/sourceDesc//imprint/date")
    )
    years = (_YEAR.search(date.get("when") or text(date)) for date in dates)
    return min((int(year[0]) for year in years if year), default=None)


def _authors(header: Element) -> list[str]:
    people = chain(
        header.iterfind("fileDesc/sourceDesc/biblStruct/analytic/author/persName"),
        header.iterfind("fileDesc/titleStmt/author"),
    )
    return distinct(" ".join(map(text, outermost(person, "forename", "surname"))) or text(person) for person in people)


def _abstract(header: Element) -> str:
    abstracts = list(header.iterfind("profileDesc/abstract"))
    for abstract in abstracts:
        etree.strip_elements(abstract, "head", "figure", with_tail=False)
    return next(filter(None, map(text, abstracts)), "")


def _keywords(header: Element) -> tuple[str, ...]:
    keywords = list(header.iterfind("profileDesc/textClass/keywords"))
    terms = [text(term) for group in keywords for term in outermost(group, "term")]
    listed = [word.strip() for group in keywords for word in re.split(r"[;,]", text(group))]
    return tuple(distinct(terms or listed))


# --- body


def _body(tei: Element) -> Unit:
    """The sections of the body, then the annexes."""
    outline = CaptionedOutline(_captions(tei))
    bodies = tei.findall("text/body")
    nested = any(body.find(".//div/div/head") is not None for body in bodies)
    for body in bodies:
        _add_blocks(outline, body, nested, depth=0)
    for annex in tei.xpath("text/back//div[@type='annex'][not(ancestor::div/@type='annex')]"):
        outline.main("")
        _add_blocks(outline, annex, nested=False, depth=0)
    return outline.body()


def _add_blocks(outline: CaptionedOutline, element: Element, nested: bool, depth: int) -> None:
    floats = depth == 0 and element.find("div") is not None  # GROBID lists the figures of all sections after them
    for block in _joined_at_formulas(_blocks(element)):
        if block.tag == "div":
            _open_section(outline, block, nested, depth + 1)
            _add_blocks(outline, block, nested, depth + 1)
        elif block.tag != "figure":
            outline.mentioning(raw_text(block), _mentions(block))
        elif not floats:
            outline.caption(block.get(_ID))


def _open_section(outline: CaptionedOutline, div: Element, nested: bool, depth: int) -> None:
    head = div.find("head")
    title = text(head)
    if nested:
        outline.numbered("", split_number(title)[1], depth)
    elif title:
        outline.numbered(head.get("n", ""), title)


def _blocks(element: Element) -> Iterator[Element]:
    """Sections, paragraphs, formulas and figures in reading order; what else holds them is looked through."""
    pending = list(reversed(element))
    while pending:
        block = pending.pop()
        if block.tag in _PARAGRAPHS:
            pending.extend(reversed(_cut_out_figures(block)))
            yield block
        elif block.tag in ("div", "formula", "figure"):
            yield block
        elif block.tag != "head":
            pending.extend(reversed(block))


def _cut_out_figures(paragraph: Element) -> list[Element]:
    figures = list(paragraph.iter("figure"))
    for figure in figures:
        hole = etree.Element("hole")
        hole.tail, figure.tail = figure.tail, None
        figure.getparent().replace(figure, hole)
    return figures


def _joined_at_formulas(blocks: Iterable[Element]) -> Iterator[Element]:
    """GROBID ends a paragraph at each formula in it; "where x is …" goes on with the paragraph before."""
    paragraph: Element | None = None
    goes_on = False
    for block in blocks:
        is_formula = block.tag == "formula"
        if paragraph is not None and (is_formula or (goes_on and block.tag == "p" and text(block)[:1].islower())):
            paragraph.append(block)
        else:
            if paragraph is not None:
                yield paragraph
            paragraph = block if block.tag in {"formula", *_PARAGRAPHS} else None
            if paragraph is None:
                yield block
        goes_on = is_formula
    if paragraph is not None:
        yield paragraph


def _mentions(paragraph: Element) -> list[str]:
    return [ref.get("target", "").removeprefix("#") for ref in paragraph.iter("ref")]


def _captions(tei: Element) -> dict[str, str]:
    """By the ids of figures and tables; those without one are given one."""
    figures = list(tei.iterfind("text//figure"))
    for number, figure in enumerate(figures):
        figure.set(_ID, figure.get(_ID, f"figure {number}"))
    return {figure.get(_ID): _caption(figure) for figure in figures}


def _caption(figure: Element) -> str:
    etree.strip_elements(figure, "label", with_tail=False)
    for part in figure.iterchildren("head", "figDesc"):
        etree.strip_elements(part, "figure", with_tail=False)  # it has a caption of its own
    head, description = (without_label(text(figure.find(tag))) for tag in ("head", "figDesc"))
    return description if description.startswith(head) else f"{head} {description}"


# --- references


def _references(tei: Element) -> list[str]:
    return distinct(map(_reference, tei.xpath("text//listBibl/biblStruct[not(ancestor::biblStruct)]")))


def _reference(cited: Element) -> str | None:
    identifiers = {element.get("type", "").lower(): element for element in cited.iter("idno")}
    written = map(text, (identifiers.get("doi"), *identifiers.values()))
    links = (link.get("target", "") for link in cited.iter("ptr", "ref"))
    return (
        next(filter(None, map(doi_key, chain(written, links))), None)
        or doi_in(" ".join(cited.itertext()))
        or reference_key(pmid=text(identifiers.get("pmid")), title=_cited_title(cited))
        or arxiv_key(text(identifiers.get("arxiv")))
    )


def _cited_title(cited: Element) -> str:
    """Of the article; else of the book, but not of the journal."""
    titles = [*cited.iterfind("analytic/title"), *cited.iterfind("monogr/title")]
    return next(filter(None, (text(title) for title in titles if title.get("level") not in ("j", "s"))), "")

"""The works that a JATS article cites, by all their keys, whatever element its publisher cites them with."""

from futex.corpus.formats.xml import Element, raw_text
from futex.corpus.references import doi_in, doi_key, pmc_key, pmid_key, title_key

_CITATIONS = frozenset({"element-citation", "mixed-citation", "nlm-citation", "citation", "citation-alternatives"})
_LINKS = ("pub-id", "object-id", "ext-link", "uri")
_TITLES = ("article-title", "chapter-title", "data-title")
_PARTS = (*_LINKS, *_TITLES, "source")
_WHOLE_WORKS = frozenset({"book", "report", "thesis"})
_KINDS = ("publication-type", "citation-type", "product-type")
_HREF = "{http://www.w3.org/1999/xlink}href"


def cited_works(article: Element) -> list[tuple[str, ...]]:
    """The keys of each work that is cited, and of the books that an article reviews (<product>)."""
    citations = article.iter(*_CITATIONS, "product")
    # the forms of one citation in <citation-alternatives> are not works of their own
    works = (_keys(citation) for citation in citations if citation.getparent().tag not in _CITATIONS)
    return [keys for keys in works if keys]


def _keys(citation: Element) -> tuple[str, ...]:
    """The most reliable key first."""
    doi = pmid = pmc = None
    titles: dict[str, Element] = {}
    for part in citation.iter(*_PARTS):
        tag = part.tag
        if tag not in _LINKS:
            titles.setdefault(tag, part)
            continue
        kind, content = part.get("pub-id-type"), part.text or ""
        if kind == "pmid":
            pmid = pmid or pmid_key(content)
        elif kind in ("pmc", "pmcid"):
            pmc = pmc or pmc_key(content)
        else:
            doi = doi or doi_key(part.get(_HREF, "")) or doi_key(content)
    keys = (doi or _doi_in_text(citation), pmid, pmc, title_key(_title(citation, titles)))
    return tuple(key for key in keys if key)


def _doi_in_text(citation: Element) -> str | None:
    return doi_in(" ".join(citation.itertext())) if "10." in raw_text(citation) else None  # the join takes long


def _title(citation: Element, titles: dict[str, Element]) -> str:
    title = next((titles[tag] for tag in _TITLES if tag in titles), None)
    if title is None and _WHOLE_WORKS.intersection(map(citation.get, _KINDS)):
        title = titles.get("source")  # elsewhere it is the name of a journal
    return raw_text(title) if title is not None else ""

"""The works that a JATS article cites, by all their keys, whatever element its publisher cites them with."""

from collections.abc import Iterator

from futex.corpus.formats.xml import Element, text
from futex.corpus.references import doi_in, doi_key, pmc_key, pmid_key, title_key

_CITATIONS = ("element-citation", "mixed-citation", "nlm-citation", "citation", "citation-alternatives")
_TITLES = ("article-title", "chapter-title", "data-title")
_WHOLE_WORKS = frozenset({"book", "report", "thesis"})
_HREF = "{http://www.w3.org/1999/xlink}href"


def cited_works(article: Element) -> list[tuple[str, ...]]:
    """The keys of each work in the lists of references, and of the books that an article reviews."""
    products = article.iterfind("front/article-meta/product")
    citations = [*(citation for ref in article.iter("ref") for citation in _outermost(ref)), *products]
    return [keys for keys in map(_keys, citations) if keys]


def _outermost(ref: Element) -> Iterator[Element]:
    """The citations of a reference; several forms of the same one stand in <citation-alternatives>."""
    pending = list(reversed(ref))
    while pending:
        element = pending.pop()
        if element.tag in _CITATIONS:
            yield element
        else:
            pending.extend(reversed(element))


def _keys(citation: Element) -> tuple[str, ...]:
    """The most reliable key first."""
    doi = pmid = pmc = None
    for link in citation.iter("pub-id", "object-id", "ext-link", "uri"):
        kind, content = link.get("pub-id-type", ""), link.text or ""
        doi = doi or doi_key(link.get(_HREF, "")) or doi_key(content)
        if kind == "pmid":
            pmid = pmid or pmid_key(content)
        elif kind in ("pmc", "pmcid"):
            pmc = pmc or pmc_key(content)
    keys = [doi or doi_in(" ".join(citation.itertext())), pmid, pmc, title_key(_title(citation))]
    return tuple(key for key in keys if key)


def _title(citation: Element) -> str:
    for tag in _TITLES:
        title = next(citation.iter(tag), None)
        if title is not None:
            return text(title)
    kinds = {citation.get(name) for name in ("publication-type", "citation-type", "product-type")}
    # elsewhere <source> is the name of a journal
    return text(next(citation.iter("source"), None)) if kinds & _WHOLE_WORKS else ""

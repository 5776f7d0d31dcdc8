"""The works that a JATS article cites, by all their keys, whatever element its publisher cites them with."""

from itertools import chain

from futex.corpus.formats.xml import Element, outermost, raw_text
from futex.corpus.references import doi_in, doi_key, pmc_key, pmid_key, title_key

_CITATIONS = frozenset({"element-citation", "mixed-citation", "nlm-citation", "citation", "citation-alternatives"})
_LINKS = ("pub-id", "object-id", "ext-link", "uri")
_TITLES = ("article-title", "chapter-title", "data-title")
_PARTS = (*_LINKS, *_TITLES, "source")
_WHOLE_WORKS = frozenset({"book", "report", "thesis"})
_KINDS = ("publication-type", "citation-type", "product-type")
_HREF = "{http://www.w3.org/1999/xlink}href"


def cited_works(article: Element) -> list[tuple[str, ...]]:
    """The keys of each work in the lists of references, and of the books that an article reviews."""
    listed = filter(_is_listed, outermost(article, *_CITATIONS))
    reviewed = article.iterfind("front/article-meta/product")
    return [keys for keys in map(_keys, chain(listed, reviewed)) if keys]


def _is_listed(citation: Element) -> bool:
    """And not a data set of the paper's own."""
    return next(citation.iterancestors("ref"), None) is not None


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

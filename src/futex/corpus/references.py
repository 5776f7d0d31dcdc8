"""Keys under which a paper is cited, so that two papers are linked by a work that is not in the corpus itself.

>>> reference_key(doi="https://doi.org/10.1038/NRM3288.")
'10.1038/nrm3288'
>>> reference_key(pmid="PMID: 22510768")
'pmid:22510768'
>>> reference_key(title="Effects of histone H4 depletion on the cell cycle.")
'title:effects of histone h4 depletion on the cell cycle'
"""

import html
import re
from collections.abc import Collection, Iterable, Sequence
from unicodedata import normalize
from urllib.parse import unquote

from futex.corpus.paper import distinct

MIN_TITLE_WORDS = 4
"""Shorter titles ("Introduction to statistics") are shared by too many works to be a key."""
MAX_TITLE = 2_000
"""Characters; what is longer is no title."""

_DOI = re.compile(r"(?<!\d)10\.\d{4,9}(?:\.\d{1,9}){0,3}(?:/|%2F)\S{1,300}", re.IGNORECASE | re.ASCII)
_PLAIN_DOI = re.compile(  # the usual case, which needs none of the mending
    r"(?:https?://(?:dx\.)?doi\.org/|doi:)?(10\.\d{4,9}/[a-z0-9._-]{0,299}[a-z0-9])", re.IGNORECASE | re.ASCII
)
_PMID = re.compile(r"(?:^\W*|pmid\W*|pubmed\W*|pubmed\.ncbi\.nlm\.nih\.gov/)0*([1-9]\d{0,8})(?!\.?\w)", re.I | re.ASCII)
_PMC = re.compile(r"(?:PMC)?0*([1-9]\d{0,9})", re.IGNORECASE | re.ASCII)
_ARXIV = re.compile(
    r"(?:^|arxiv\W{0,3}|abs/|pdf/)(\d{4}\.\d{4,5}|[a-z-]{2,12}(?:\.[a-z]{2})?/\d{7})(?!\d)", re.IGNORECASE | re.ASCII
)
_TITLE_WORD = re.compile(r"[a-z0-9]+")

_SPELLINGS = str.maketrans(dict.fromkeys("‐‑‒–—−", "-") | dict.fromkeys("\u00ad\u200b\u2060\ufeff", ""))
_REST_OF_URL = re.compile(r"(?:\?|#\w|&\w+=).*|/(?:full|abstract|e?pdf|meta)$")
_BRACKETS = {")": "(", "]": "[", "}": "{", ">": "<"}


def doi_key(text: str) -> str | None:
    """The bare DOI in lower case out of any way to write one: a URL, "doi:…", percent-encoded, broken by spaces."""
    if plain := _PLAIN_DOI.fullmatch(text):
        return plain[1].lower()
    if "10." not in text:
        return None
    mended = _mended(_mended(text))
    if mended != _mended(mended):
        return None
    match = _DOI.search(mended)
    doi = _trimmed(match[0]) if match else ""
    return doi if _DOI.fullmatch(doi) else None


def doi_in(text: str) -> str | None:
    """The key of the first DOI in running text, where (other than in a DOI field) it ends at the next space."""
    match = _DOI.search(text)
    return doi_key(match[0]) if match else None


def pmid_key(text: str) -> str | None:
    """The PubMed id out of "12345", "PMID: 12345" or a PubMed URL."""
    match = _PMID.search(text)
    return f"pmid:{match[1]}" if match else None


def pmc_key(text: str) -> str | None:
    """The PubMed Central id out of "PMC12345" or "12345"."""
    match = _PMC.fullmatch(text.strip())
    return f"pmc:{match[1]}" if match else None


def arxiv_key(text: str) -> str | None:
    """The DOI that arXiv gives its papers, out of "arXiv:2105.05862v2", an old id like hep-th/9901001, or a URL."""
    match = _ARXIV.search(text)
    return f"10.48550/arxiv.{match[1].lower()}" if match else None


def s2_key(number: str) -> str | None:
    """The paper that Semantic Scholar knows by this number."""
    return f"s2:{number}" if number.isascii() and number.isdigit() else None


def title_key(title: str) -> str | None:
    """The title's words of ASCII letters and digits; None if they are too few to tell works apart, or too many.

    Letters beyond ASCII separate words ("Müller" → "m ller"). Publishers garble or spell out just these letters, and
    corpora that come with keys of this form are linked as they are.
    """
    words = _TITLE_WORD.findall(normalize("NFC", title).lower()) if len(title) <= MAX_TITLE else []
    return f"title:{' '.join(words)}" if len(words) >= MIN_TITLE_WORDS else None


def reference_key(doi: str | None = None, pmid: str | None = None, title: str | None = None) -> str | None:
    """The most reliable key there is: DOI, else PubMed id, else title."""
    return doi_key(doi or "") or pmid_key(pmid or "") or title_key(title or "")


def own_keys(doi: str = "", pmid: str = "", pmc: str = "", arxiv: str = "", title: str = "") -> list[str]:
    """Every key under which a paper with these identifiers may be cited, the most reliable first."""
    return distinct([doi_key(doi), pmid_key(pmid), pmc_key(pmc), arxiv_key(arxiv), title_key(title)])


def distinct_works(works: Iterable[Sequence[str]], without: Collection[str] = ()) -> dict[str, list[str]]:
    """Works that are cited, each given by all its keys: the first key of each, and its other keys.

    >>> distinct_works([("10.1/a", "pmid:1"), ("title:a b c d",), ("10.1/a",), ("10.1/self",)], without={"10.1/self"})
    {'10.1/a': ['pmid:1'], 'title:a b c d': []}
    """
    found: dict[str, list[str]] = {}
    for keys in works:
        if not any(key in without for key in keys):
            found.setdefault(keys[0], list(keys[1:]))
    return found


def _mended(text: str) -> str:
    """Decoded once, and all in one piece; both can bring out what is to be decoded next."""
    decoded = unquote(html.unescape(text)) if "%" in text or "&" in text else text
    return "".join(decoded.lower().translate(_SPELLINGS).split())


def _trimmed(doi: str) -> str:
    """Without what follows a DOI in a URL or a sentence."""
    while (shorter := _without_last(_REST_OF_URL.sub("", doi))) != doi:
        doi = shorter
    return doi


def _without_last(doi: str) -> str:
    last = doi[-1:]
    unbalanced = last in _BRACKETS and doi.count(last) > doi.count(_BRACKETS[last])
    return doi[:-1] if unbalanced or last in tuple(".,;:/'\"`’”…*") else doi

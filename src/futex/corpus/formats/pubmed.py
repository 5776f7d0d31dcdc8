"""PubMed and MEDLINE XML, as the National Library of Medicine publishes it (pubmed26n0001.xml.gz) and PubMed saves it.

A record has title, abstract, references and MeSH headings, but no full text. The headings are subjects by their ids
("D006801"), which are those of MeSH's descriptors. Books and lists of deleted records are left alone.
"""

import re
from collections.abc import Iterator

from futex.corpus.document import Document, Subjects
from futex.corpus.formats.xml import Element, root_name, text
from futex.corpus.formats.xml_records import records
from futex.corpus.paper import Paper, distinct, known
from futex.corpus.references import distinct_works, doi_in, doi_key, pmc_key, pmid_key, title_key
from futex.corpus.sources import Source
from futex.corpus.text_files import fallback_id

NAME = "pubmed"

_RECORD, _BOOK = "PubmedArticle", "PubmedBookArticle"
_ARTICLE = "MedlineCitation/Article"
_ROOTS = frozenset({"PubmedArticleSet", _RECORD})
_NO_TITLE = re.compile(r"\[(?:not available|in process citation)\]\.?", re.IGNORECASE)
_YEAR = re.compile(r"\b[12]\d{3}\b", re.ASCII)


def recognises(head: bytes, name: str = "") -> bool:
    return root_name(head) in _ROOTS


def read(source: Source) -> Iterator[Document]:
    """Every article; one without any id gets the name of its file, and its number there."""
    found = records(source.stream, source.name, _RECORD, _BOOK)
    articles = (record for record in found if record.tag == _RECORD)
    file_id = fallback_id(source)
    for number, article in enumerate(articles, start=1):
        yield _document(article, own_name=file_id if number == 1 else f"{file_id}-{number}")


def _document(record: Element, own_name: str) -> Document:
    title = _title(record)
    keys = _keys(record)
    paper_id = keys[0] if keys else own_name
    aliases = distinct([*keys, title_key(title)], without=[paper_id])
    works = distinct_works(_cited_works(record), without={paper_id, *aliases})
    paper = Paper(
        id=paper_id,
        title=title,
        abstract=_abstract(record),
        references=tuple(works),
        metadata=known(
            year=_year(record),
            venue=_venue(record),
            authors=distinct(map(_author, record.iterfind(f"{_ARTICLE}/AuthorList/Author"))),
            aliases=aliases,
            reference_aliases={best: others for best, others in works.items() if others},
        ),
    )
    return Document(paper, _subjects(record))


# --- what the paper is


def _title(record: Element) -> str:
    """In English if there is one; translated ones stand in brackets, as do the words for "none"."""
    english = text(record.find(f"{_ARTICLE}/ArticleTitle"))
    is_one = english and not _NO_TITLE.fullmatch(english)
    return english if is_one else text(record.find(f"{_ARTICLE}/VernacularTitle"))


def _abstract(record: Element) -> str:
    """The journal's; else what others wrote who index for MEDLINE (PIP, KIE, NASA), best in English."""
    others = sorted(record.iterfind("MedlineCitation/OtherAbstract"), key=lambda other: other.get("Language") != "eng")
    abstracts = [*record.iterfind(f"{_ARTICLE}/Abstract"), *others]
    written = (" ".join(filter(None, map(text, abstract.iterfind("AbstractText")))) for abstract in abstracts)
    return next(filter(None, written), "")


def _keys(record: Element) -> list[str]:
    """Its PMID first: some records share a DOI, that of a whole issue."""
    data = record.find("PubmedData")
    ids = _ids(data) if data is not None else {}
    places = record.iterfind(f"{_ARTICLE}/ELocationID[@EIdType='doi']")
    dois = [ids.get("doi", ""), *(text(place) for place in places if place.get("ValidYN") != "N")]
    pmids = [text(record.find("MedlineCitation/PMID")), ids.get("pubmed", "")]
    return distinct([*map(pmid_key, pmids), *map(doi_key, dois), pmc_key(ids.get("pmc", ""))])


def _ids(element: Element) -> dict[str, str]:
    """By their types, of a record or a reference."""
    return {found.get("IdType", ""): text(found) for found in element.iterfind("ArticleIdList/ArticleId")}


def _year(record: Element) -> int | None:
    """The first of its dates of publication, one of which may be written "1978 Dec-1979 Jan"."""
    printed = record.iterfind(f"{_ARTICLE}/Journal/JournalIssue/PubDate/*")
    online = record.iterfind(f"{_ARTICLE}/ArticleDate/*")
    years = (_YEAR.search(text(part)) for part in (*printed, *online) if part.tag in ("Year", "MedlineDate"))
    return min((int(year[0]) for year in years if year), default=None)


def _venue(record: Element) -> str:
    journal = record.find(f"{_ARTICLE}/Journal/Title")
    return text(journal) or text(record.find("MedlineCitation/MedlineJournalInfo/MedlineTA"))


def _author(author: Element) -> str:
    given = text(author.find("ForeName")) or text(author.find("Initials"))
    return " ".join(filter(None, [given, text(author.find("LastName"))])) or text(author.find("CollectiveName"))


def _subjects(record: Element) -> Subjects:
    headings = record.iterfind("MedlineCitation/MeshHeadingList/MeshHeading/DescriptorName")
    keywords = record.iterfind("MedlineCitation/KeywordList/Keyword")
    return Subjects(
        keywords=tuple(distinct(map(text, keywords))),
        ids=tuple(distinct(heading.get("UI") for heading in headings)),
    )


# --- what it cites


def _cited_works(record: Element) -> Iterator[tuple[str, ...]]:
    """The keys of each reference that has any; lists may stand in lists."""
    for reference in record.iterfind("PubmedData/ReferenceList//Reference"):
        if keys := _cited_keys(reference):
            yield keys


def _cited_keys(reference: Element) -> tuple[str, ...]:
    ids = _ids(reference)
    doi = doi_key(ids.get("doi", "")) or doi_in(text(reference.find("Citation")))
    pmc = pmc_key(ids.get("pmc") or ids.get("pmcid", ""))
    return tuple(filter(None, (doi, pmid_key(ids.get("pubmed", "")), pmc)))

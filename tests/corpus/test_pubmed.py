"""PubMed XML: what a record becomes, and how files of many are found among others."""

import gzip
import json
from pathlib import Path

import pytest
from corpus.paper_files import ids, make
from corpus.pubmed_record import RECORD, article, article_set, documents, own_ids, read

from futex.conversion import convert
from futex.corpus.document import Document, Subjects
from futex.corpus.formats import jats, pubmed, tei
from futex.corpus.paper import Paper
from futex.corpus.store import read_papers
from futex.errors import InputError

BOOK = "<PubmedBookArticle><BookDocument><PMID>9</PMID></BookDocument></PubmedBookArticle>"
DELETED = "<DeleteCitation><PMID Version='1'>8</PMID></DeleteCitation>"


# --- what a record becomes


def test_every_field():
    assert read(RECORD) == Document(
        Paper(
            id="pmid:12345",
            title="Rapid growth of E. coli at 105 Pa.",
            abstract="We grew E. coli. They burst.",
            references=("10.1000/first", "pmid:22", "10.1000/third", "pmc:444"),
            metadata={
                "year": 2019,
                "venue": "Journal of Tests",
                "authors": ["Ann B Author", "C Writer", "Plato", "The Bubble Group"],
                "aliases": ["10.1234/growth", "pmc:678", "title:rapid growth of e coli at 105 pa"],
                "reference_aliases": {"10.1000/first": ["pmid:11", "pmc:111"]},
            },
        ),
        Subjects(keywords=("bubbles", "E. coli", "soap"), ids=("D006801", "D004926")),
    )


def test_a_record_of_which_little_is_known():
    assert read(article("7", inside="")) == Document(Paper("pmid:7"))
    assert read("<PubmedArticle/>") == Document(Paper("some"))


@pytest.mark.parametrize(
    ("inside", "data", "aliases"),
    [
        ("", own_ids(doi="10.1234/a"), ["10.1234/a"]),
        ("<ELocationID EIdType='doi' ValidYN='Y'>10.1234/b</ELocationID>", "", ["10.1234/b"]),
        ("<ELocationID EIdType='doi'>10.1234/b</ELocationID>", own_ids(doi="10.1234/a"), ["10.1234/a", "10.1234/b"]),
        ("<ELocationID EIdType='doi' ValidYN='N'>10.1234/b</ELocationID>", "", []),
        ("<ELocationID EIdType='pii' ValidYN='Y'>10.1234/b</ELocationID>", "", []),
        ("", own_ids(doi=""), []),
        ("", own_ids(doi="10.103/00006450-03000-0000"), []),  # as it stands in MEDLINE
    ],
)
def test_a_valid_doi_is_another_name_of_it(inside, data, aliases):
    paper = read(article("7", inside, data)).paper
    assert (paper.id, paper.metadata.get("aliases", [])) == ("pmid:7", aliases)


def test_without_a_pmid_the_doi_is_the_id():
    assert read(article("", data=own_ids(doi="10.1234/a"))).paper.id == "10.1234/a"


def test_the_ids_of_references_are_not_its_own():
    cited = f"<ReferenceList><Reference>{own_ids(doi='10.1234/cited', pmc='PMC1')}</Reference></ReferenceList>"
    paper = read(article("7", data=cited)).paper
    assert (paper.id, paper.references) == ("pmid:7", ("10.1234/cited",))
    assert "aliases" not in paper.metadata


def test_records_that_share_a_doi_stay_apart():
    shared = own_ids(doi="10.1234/issue")
    found = documents(article_set(article("1", data=shared), article("2", data=shared)))
    assert [document.paper.id for document in found] == ["pmid:1", "pmid:2"]
    assert [document.paper.metadata["aliases"] for document in found] == [["10.1234/issue"]] * 2


def test_the_abstract_of_others_is_taken_if_it_is_the_only_one():
    other = "<OtherAbstract Type='{}' Language='{}'><AbstractText>{}</AbstractText></OtherAbstract>"
    both = other.format("Publisher", "ger", "Nein.") + other.format("PIP", "eng", "PIP: Yes.")
    record = article("7", inside="").replace("</MedlineCitation>", f"{both}</MedlineCitation>")
    assert read(record).paper.abstract == "PIP: Yes."
    assert read(record.replace("eng", "fre")).paper.abstract == "Nein."
    assert read(article("7").replace("</MedlineCitation>", f"{both}</MedlineCitation>")).paper.abstract == "Some."


@pytest.mark.parametrize("none", ["", "[Not Available].", "[In Process Citation]"])
def test_the_vernacular_title_is_taken_if_it_is_the_only_one(none):
    none = f"<ArticleTitle>{none}</ArticleTitle>"
    vernacular = "<VernacularTitle>Über <i>Blasen</i>.</VernacularTitle>"
    assert read(article("7", none + vernacular)).paper.title == "Über Blasen."
    assert read(article("7", vernacular)).paper.title == "Über Blasen."
    assert read(article("7", none)).paper.title == ""


def test_a_translated_title_is_a_title():
    inside = "<ArticleTitle>[On bubbles].</ArticleTitle><VernacularTitle>Über Blasen.</VernacularTitle>"
    assert read(article("7", inside)).paper.title == "[On bubbles]."


def printed(date):
    return f"<Journal><JournalIssue><PubDate>{date}</PubDate></JournalIssue></Journal>"


@pytest.mark.parametrize(
    ("dates", "year"),
    [
        (printed("<Year>2021</Year>"), 2021),
        (printed("<MedlineDate>Winter 1978-1979</MedlineDate>"), 1978),
        ("<ArticleDate><Year>2020</Year><Day>31</Day></ArticleDate>", 2020),
        (printed("<Year>20211</Year>"), None),
    ],
)
def test_years(dates, year):
    assert read(article("7", dates)).paper.metadata.get("year") == year


def test_books_and_deleted_records_are_left_alone():
    found = documents(article_set(article("1"), BOOK, article("2"), DELETED))
    assert [document.paper.id for document in found] == ["pmid:1", "pmid:2"]
    assert documents(article_set(BOOK, DELETED)) == []


def test_a_record_by_itself():
    assert [document.paper.id for document in documents(f"<?x y?><!-- one -->{article('7')}<!-- end -->")] == ["pmid:7"]


# --- among files


def test_it_is_recognised_by_its_root():
    assert pubmed.recognises(article_set().encode())
    assert pubmed.recognises(article("1").encode())
    assert not any(reader.recognises(article_set().encode()) for reader in (jats, tei))
    assert not any(map(pubmed.recognises, (b"<article/>", b"<pmc-articleset>", b"<TEI/>", b"", b"PubmedArticleSet")))


def test_compressed_sets_in_a_folder(tmp_path):
    make(
        tmp_path, a_xml_gz=gzip.compress(article_set(article("1"), article("2")).encode()), b_xml=article("3").encode()
    )
    assert ids(tmp_path) == ["pmid:1", "pmid:2", "pmid:3"]


def test_records_that_come_again_count_once(tmp_path):
    make(tmp_path, a_xml=article_set(article("1"), article("1")).encode(), b_xml=article_set(article("1")).encode())
    skipped = []
    assert [paper.id for paper in read_papers(tmp_path, on_skip=skipped.append)] == ["pmid:1"]
    assert skipped == [f"paper pmid:1: again in {tmp_path}/{name}; the first one counts" for name in ("a.xml", "b.xml")]


def test_nameless_records_of_files_of_the_same_name(tmp_path):
    abstract = "<Abstract><AbstractText>Some.</AbstractText></Abstract>"
    make(tmp_path, a__some_xml=article("", abstract).encode(), b__some_xml=article("", abstract).encode())
    assert [paper.id for paper in read_papers(tmp_path)] == ["some", "b/some"]


def test_a_set_that_breaks_off_is_read_up_to_there_and_told_of(tmp_path):
    content = article_set(*(article(str(i), f"<ArticleTitle>{i**9}</ArticleTitle>") for i in range(1, 5000))).encode()
    make(tmp_path, a_xml_gz=gzip.compress(content)[:-5000], b_xml=article("999999").encode())
    skipped = []
    found = ids(tmp_path, on_skip=skipped.append)
    assert (found[0], found[-1]) == ("pmid:1", "pmid:999999")
    assert 1000 < len(found) < 5000
    assert len(skipped) == 1
    assert skipped[0].startswith(f"{tmp_path}/a.xml.gz is damaged: ")
    with pytest.raises(InputError, match=r"a\.xml\.gz is damaged"):
        ids(tmp_path / "a.xml.gz")


def converted(tmp_path, terms="subjects", labels=None):
    make(tmp_path, p_xml=article_set(RECORD, article("1"), article("2", inside="")).encode())
    skipped = []
    count = convert(
        str(tmp_path / "p.xml"),
        papers=tmp_path / "papers.jsonl",
        labels=labels,
        gold=tmp_path / "gold.jsonl",
        terms=terms,
        on_skip=skipped.append,
    )
    return count, skipped, [json.loads(line) for line in Path(tmp_path, "gold.jsonl").read_text().splitlines()]


def test_mesh_headings_become_gold_by_their_ids(tmp_path):
    count, skipped, gold = converted(tmp_path)
    assert (count, skipped) == (2, ["paper pmid:2: neither abstract nor body text"])
    assert gold == [{"id": "pmid:12345", "labels": ["D004926", "D006801"]}]


def test_keywords_become_gold_if_asked_for(tmp_path):
    assert converted(tmp_path, "keywords")[2] == [{"id": "pmid:12345", "labels": ["E. coli", "bubbles", "soap"]}]


def test_ids_make_no_label_space(tmp_path):
    with pytest.raises(InputError, match="name their labels by ids only; take the vocabulary that came with them"):
        converted(tmp_path, labels=tmp_path / "labels.jsonl")

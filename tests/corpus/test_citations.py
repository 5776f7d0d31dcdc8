"""Meta-path neighbourhoods against brute force over all pairs of papers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from futex.corpus.citations import CitationGraph, MetaPath
from futex.corpus.paper import Paper
from futex.corpus.statistics import statistics
from futex.errors import InputError

SIZE = 6
keys = st.sampled_from([f"d{i}" for i in range(SIZE)] + [f"outside{i}" for i in range(4)])
corpora = st.lists(
    st.tuples(st.lists(keys, max_size=5), st.lists(st.sampled_from("xyz"), max_size=2), st.sampled_from("VW")),
    min_size=SIZE,
    max_size=SIZE,
).map(
    lambda rows: [
        Paper(f"d{i}", references=tuple(refs), metadata={"authors": authors, "venue": venue})
        for i, (refs, authors, venue) in enumerate(rows)
    ]
)


def brute_force(papers: list[Paper], path: str) -> list[set[int]]:
    """N_M(d) straight from the definitions."""
    cites = {paper.id: set(paper.references) for paper in papers}
    nodes = set(cites) | {key for refs in cites.values() for key in refs}

    by = {paper.id: paper for paper in papers}

    def linked_by(a: str, b: str, path: str) -> bool:
        match path:
            case "P->P":
                return b in cites[a]
            case "P<-P":
                return a in cites[b]
            case "P->P<-P":
                return bool(cites[a] & cites[b])
            case "P->(PP)<-P":
                return len(cites[a] & cites[b]) >= 2
            case "P<-P->P":
                return any(a in cites.get(n, ()) and b in cites.get(n, ()) for n in nodes)
            case "P<-(PP)->P":
                return sum(a in cites.get(n, ()) and b in cites.get(n, ()) for n in nodes) >= 2
            case "P(AA)P":
                return len(set(by[a].metadata["authors"]) & set(by[b].metadata["authors"])) >= 2
            case "P(AV)P":
                return linked_by(a, b, "P-A-P") and linked_by(a, b, "P-V-P")
            case "P-A-P":
                return bool(set(by[a].metadata["authors"]) & set(by[b].metadata["authors"]))
            case "P-V-P":
                return by[a].metadata["venue"] == by[b].metadata["venue"]
        raise AssertionError(path)

    ids = [paper.id for paper in papers]
    return [{j for j, b in enumerate(ids) if b != a and linked_by(a, b, path)} for a in ids]


MICOL_PATHS = ["P->P", "P<-P", "P->P<-P", "P<-P->P", "P-A-P", "P-V-P"]
MICOL_GRAPHS = ["P->(PP)<-P", "P<-(PP)->P", "P(AA)P", "P(AV)P"]


@pytest.mark.parametrize("path", [*MICOL_PATHS, *MICOL_GRAPHS])
@given(papers=corpora)
def test_neighbourhoods_equal_brute_force(path, papers):
    graph = CitationGraph(papers)
    found = [set(graph.neighbours(i, MetaPath.parse(path)).tolist()) for i in range(len(papers))]
    assert found == brute_force(papers, path)


@given(papers=corpora)
def test_statistics_count_pairs_and_edges(papers):
    stats = statistics(papers)
    assert stats.linked_pairs == sum(map(len, brute_force(papers, "P->P<-P"))) // 2
    ids = {paper.id for paper in papers}
    assert stats.citation_edges == sum(len(set(paper.references) & ids) for paper in papers)


def test_papers_are_found_under_their_aliases_and_in_any_case():
    papers = [Paper("10.1/A", metadata={"aliases": ["pmid:7"]}), Paper("b", references=("PMID:7", "10.1/a"))]
    assert CitationGraph(papers).neighbours(1, MetaPath.parse("P→P")).tolist() == [0]


def test_a_work_is_one_whatever_key_it_is_cited_by():
    """The second paper tells that the DOI and the title of the others are the same work."""
    papers = [
        Paper("a", references=("10.1/X",)),
        Paper("b", references=("10.1/x",), metadata={"reference_aliases": {"10.1/x": ["pmid:7", "title:t"]}}),
        Paper("c", references=("title:t",)),
        Paper("d", references=("pmid:7", "title:other"), metadata={"reference_aliases": ["not", "readable"]}),
    ]
    graph = CitationGraph(papers)
    assert [len(graph.neighbours(i, MetaPath.parse("P->P<-P"))) for i in range(4)] == [3, 3, 3, 3]
    assert [len(graph.neighbours(i, MetaPath.parse("P->(PP)<-P"))) for i in range(4)] == [0, 0, 0, 0]


def test_a_paper_of_the_corpus_is_found_by_any_key_of_a_reference():
    papers = [
        Paper("10.1/a", metadata={"aliases": ["pmid:7"]}),
        Paper("b", references=("10.1/wrong",), metadata={"reference_aliases": {"10.1/wrong": ["pmid:7"]}}),
    ]
    assert CitationGraph(papers).neighbours(1, MetaPath.parse("P->P")).tolist() == [0]


several_keys = st.lists(st.sampled_from("uvwxyz"), min_size=1, max_size=3, unique=True)
with_aliases = st.lists(st.tuples(st.lists(several_keys, max_size=3), several_keys), min_size=4, max_size=4)


def cited_and_shared(papers):
    """Whom each paper is linked to, by ids."""
    graph = CitationGraph(papers)
    paths = [MetaPath.parse(path) for path in ("P->P", "P->P<-P")]
    return {
        paper.id: [{papers[j].id for j in graph.neighbours(i, path)} for path in paths]
        for i, paper in enumerate(papers)
    }


@given(rows=with_aliases, order=st.permutations(range(4)))
def test_links_do_not_depend_on_the_order_of_the_papers(rows, order):
    papers = [
        Paper(
            f"d{i}",
            references=tuple(keys[0] for keys in cited),
            metadata={"aliases": own[:1], "reference_aliases": {keys[0]: keys[1:] for keys in cited}},
        )
        for i, (cited, own) in enumerate(rows)
    ]
    assert cited_and_shared([papers[i] for i in order]) == cited_and_shared(papers)


def test_works_that_a_later_reference_tells_to_be_one_are_one():
    papers = [
        Paper(paper, references=tuple(keys[0]), metadata={"reference_aliases": {keys[0]: list(keys[1:])}})
        for paper, keys in (("a", "xp"), ("b", "yq"), ("c", "xyd"))
    ]
    assert cited_and_shared(papers)["a"] == [set(), {"b", "c"}]
    assert cited_and_shared([*papers, Paper("d")])["b"] == [{"d"}, {"a", "c"}]


@pytest.mark.parametrize(
    "text", ["", "P", "P->", "->P", "P->X", "P--P", "P->P<-", "Q->P", "P(AAV)P", "P-(PP)-P", "P(AA)P->(PPP)<-P"]
)
def test_unreadable_meta_paths(text):
    with pytest.raises(InputError, match="cannot read the meta-path"):
        MetaPath.parse(text)


def test_arrows_and_ascii_are_the_same():
    assert MetaPath.parse("P→P←P") == MetaPath.parse("P -> P <- P") == MetaPath(("->", "<-"))
    assert MetaPath.parse("P→(PP)←P") == MetaPath(("->", "<-"), at_least=2)
    assert MetaPath.parse("PAP") == MetaPath.parse("P-A-P") == MetaPath(("-A-",))
    assert MetaPath.parse("P(AA)P") == MetaPath.parse("P-(AA)-P") == MetaPath(("-A-",), at_least=2)
    assert MetaPath.parse("P(AV)P") == MetaPath(("-(AV)-",))


def test_a_path_says_what_the_corpus_does_not_tell():
    papers = [Paper("a", references=("x",)), Paper("b", metadata={"authors": ["Zhang"]})]
    assert MetaPath.parse("P->P<-P").missing_from(papers) == []
    assert MetaPath.parse("P(AV)P").missing_from(papers) == ["venue"]
    assert MetaPath.parse("P(AV)P").missing_from(papers[:1]) == ["authors", "venue"]


def test_links_are_counted():
    """d0 and d1 share two references, d0 and d2 one; d0 itself does not count."""
    references = [("x", "y", "z"), ("x", "y"), ("z",)]
    graph = CitationGraph([Paper(f"d{i}", references=refs) for i, refs in enumerate(references)])
    found, counts = graph.linked(0, MetaPath.parse("P->P<-P"))
    assert dict(zip(found.tolist(), counts.tolist(), strict=True)) == {1: 2, 2: 1}


def test_papers_are_read_once():
    class OnDisk(list):
        passes = 0

        def __iter__(self):
            self.passes += 1
            return super().__iter__()

    papers = OnDisk([Paper("d0", references=("x",), metadata={"reference_aliases": {"x": ["y"]}}), Paper("d1")])
    CitationGraph(papers)
    assert papers.passes == 1

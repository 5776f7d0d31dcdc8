"""Links and neighbourhoods, drawn from a corpus whose papers all tell where a text came from."""

import pytest

from futex.baselines.links import Around, Network, Node
from futex.corpus.paper import Paper
from futex.errors import InputError
from futex.network.triples import abstract

SHARED = "P->P<-P"


def corpus(*references: str) -> list[Paper]:
    """A paper's only text is its id."""
    return [Paper(f"d{i}", abstract=f"d{i}", references=tuple(refs)) for i, refs in enumerate(references)]


PAPERS = corpus("ab", "a", "b", "bc", "c", "z")
NEIGHBOURS = {f"d{i}": {f"d{j}" for j in linked} for i, linked in enumerate([{1, 2, 3}, {0}, {0, 3}, {0, 2, 4}, {3}])}
"""N_M by brute force: papers that share a letter; d5 shares none."""


def test_links_and_neighbours_are_inside_the_neighbourhood_and_do_not_give_the_answer_away():
    links = Network(PAPERS, SHARED, seed=0).links(200)
    assert {(link.node.text, link.linked.text) for link in links} == {(a, b) for a in NEIGHBOURS for b in NEIGHBOURS[a]}
    for link in links:
        for node, other in (link, link[::-1]):
            assert set(node.neighbours) <= NEIGHBOURS[node.text] - {other.text}
    assert any(len(link.node.neighbours) == 2 for link in links)


def test_at_ranking_all_of_the_neighbourhood_may_be_read():
    network = Network(PAPERS, SHARED, seed=0)
    drawn = {d: set(network.neighbours_of(d)) for d in NEIGHBOURS}
    assert all(drawn[d] and drawn[d] <= NEIGHBOURS[d] for d in NEIGHBOURS)
    assert network.neighbours_of("d5") == network.neighbours_of("elsewhere") == ()
    assert network.neighbours_of("d0") == network.neighbours_of("d0")


def test_the_seed_decides():
    draws = [Network(PAPERS, SHARED, seed).links(20) for seed in (0, 0, 1)]
    assert draws[0] == draws[1] != draws[2]


def test_micol_reads_titles_and_abstracts_without_neighbours(papers):
    texts = {paper.title_and_abstract for paper in papers}
    links = Network(papers, SHARED, seed=0).links(20, abstract, neighbours=0)
    assert {link.node.text for link in links} <= texts
    assert all(node.neighbours == () for link in links for node in link)


def test_a_neighbour_that_nodes_share_is_there_once():
    around = Around.of([Node("a", ("x", "y")), Node("b"), Node("c", ("y",))])
    assert around == (["x", "y"], [(0, 0), (1, 0), (1, 2)])


@pytest.mark.parametrize(
    ("metapath", "message"),
    [
        ("P(AV)P", r"has authors or venue, but the meta-path P\(AV\)P"),
        ("P->P", "no two papers of this corpus are linked by P->P"),
        ("P->", "cannot read the meta-path"),
    ],
)
def test_what_the_corpus_lacks_is_said_in_one_line(metapath, message):
    with pytest.raises(InputError, match=message):
        Network(PAPERS, metapath, seed=0)

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from futex.corpus.references import (
    arxiv_key,
    doi_in,
    doi_key,
    own_keys,
    pmc_key,
    pmid_key,
    reference_key,
    title_key,
)

DOI_LIKE = st.text(st.sampled_from("10.38/nrm%2F5&lt;()[]<>?#-–.,: \u200b"), max_size=40).map("10.1038/x".__add__)


@pytest.mark.parametrize(
    "written",
    [
        "10.1038/nrm3288",
        "10.1038/NRM3288",
        "https://doi.org/10.1038/NRM3288",
        "http://dx.doi.org/10.1038/nrm3288",
        "info:doi/10.1038/nrm3288",
        "doi:10.1038/nrm3288.",
        "DOI: 10.1038/nrm3288;",
        "(10.1038/nrm3288)",
        "10.1038%2Fnrm3288",
        "10.1038%252Fnrm3288",
        " 10.1038/ nrm\n3288 ",
        "10.1038/nrm\u200b3288",
        "https://example.org/doi/10.1038/nrm3288/full",
        "https://example.org/article?id=10.1038/nrm3288&type=printable",
        "https://doi.org/10.1038/nrm3288?download=true",
        "10.1038/nrm3288#sthash.abc.dpuf",
    ],
)
def test_every_way_to_write_a_doi_gives_one_key(written):
    assert doi_key(written) == "10.1038/nrm3288"


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("10.1002/(SICI)1096(1997)381:2<188::AID>3.0.CO;2-#", "10.1002/(sici)1096(1997)381:2<188::aid>3.0.co;2-#"),
        ("10.1002/(SICI)1:1%3C1::AID-X%3E3.0", "10.1002/(sici)1:1<1::aid-x>3.0"),
        ("10.1002/(SICI)1:1&lt;1::AID-X&gt;3.0", "10.1002/(sici)1:1<1::aid-x>3.0"),
        ("10.1130/2006.2405(07)", "10.1130/2006.2405(07)"),
        ("10.1021/bi020715+", "10.1021/bi020715+"),
        ("10.1128/jb.186.12.3687–3694.2004", "10.1128/jb.186.12.3687-3694.2004"),
        ("10.1000.10/123", "10.1000.10/123"),
    ],
)
def test_unusual_but_real_dois_survive(written, key):
    assert doi_key(written) == key


@pytest.mark.parametrize(
    "text", ["", "nrm3288", "10.1038", "10.1038/", "10.1038/...", "10.12/x", "110.1038/x", "pmid:10"]
)
def test_what_is_no_doi_has_no_key(text):
    assert doi_key(text) is None


def test_a_doi_in_running_text_ends_at_a_space():
    assert doi_in("Cell 1:2. doi:10.1016/J.CELL.2012.01.001. PMID 22341.") == "10.1016/j.cell.2012.01.001"
    assert doi_in("Cell 10.10 1:2") is None


@given(DOI_LIKE | st.text())
@example("10.1038/x%0\u200b0")
@example("10.1038/&ALPHA;x")
def test_doi_key_is_idempotent_and_bare(text):
    key = doi_key(text)
    if key is not None:
        assert doi_key(key) == key
        assert key.startswith("10.")
        assert not any(char.isspace() for char in key)


@given(st.from_regex(r"10\.[0-9]{4,9}/[a-z0-9]{1,20}", fullmatch=True))
def test_plain_dois_are_found_whatever_stands_around_them(doi):
    assert doi_key(doi) == doi_key(f"https://doi.org/{doi.upper()}") == doi_in(f"see {doi}, and (doi:{doi}).") == doi


@pytest.mark.parametrize(
    "written",
    [
        "12345",
        " 0012345 ",
        "PMID: 12345",
        "pmid:12345",
        "PMID 12345.",
        "https://pubmed.ncbi.nlm.nih.gov/12345/",
        "http://www.ncbi.nlm.nih.gov/pubmed/12345?dopt=Abstract",
    ],
)
def test_every_way_to_write_a_pubmed_id_gives_one_key(written):
    assert pmid_key(written) == "pmid:12345"


@pytest.mark.parametrize("text", ["", "0", "PMC12345", "10.1038/nrm3288", "1234567890", "twelve"])
def test_what_is_no_pubmed_id_has_no_key(text):
    assert pmid_key(text) is None


@pytest.mark.parametrize(
    ("text", "key"),
    [("PMC888", "pmc:888"), (" pmc0888 ", "pmc:888"), ("888", "pmc:888"), ("", None), ("PMC", None), ("PMC8x", None)],
)
def test_pubmed_central_ids(text, key):
    assert pmc_key(text) == key


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("2105.05862", "10.48550/arxiv.2105.05862"),
        ("arXiv:2105.05862v2 [cs.CL]", "10.48550/arxiv.2105.05862"),
        ("https://arxiv.org/abs/0704.0001", "10.48550/arxiv.0704.0001"),
        ("http://arxiv.org/pdf/hep-th/9901001v3", "10.48550/arxiv.hep-th/9901001"),
        ("math.GT/0309136", "10.48550/arxiv.math.gt/0309136"),
        ("", None),
        ("Phys. Rev. 2105.058621", None),
        ("see p. 2105.05862", None),
    ],
)
def test_arxiv_ids_are_dois(text, key):
    assert arxiv_key(text) == key
    assert key is None or doi_key(key) == key


def test_a_paper_has_every_key_that_its_identifiers_give():
    assert own_keys("10.1/X", "5", "PMC6", "2105.05862", "A title of enough words") == [
        "pmid:5",
        "pmc:6",
        "10.48550/arxiv.2105.05862",
        "title:a title of enough words",
    ]
    assert own_keys(doi="10.1000/X", title="Short") == ["10.1000/x"]
    assert own_keys() == []


def test_titles_are_compared_by_their_words():
    key = "title:effects of histone h4 depletion on saccharomyces"
    assert title_key("Effects of histone-H4 depletion: on Saccharomyces.") == key
    assert title_key(" effects  OF Histone H4\ndepletion (on) “Saccharomyces” ") == key


def test_composed_and_decomposed_letters_give_the_same_title_key():
    assert title_key("On radial Müller glia cells") == title_key("On radial Mu\u0308ller glia cells")
    assert title_key("On radial Müller glia cells") == "title:on radial m ller glia cells"


def test_short_titles_are_too_ambiguous_to_be_keys():
    assert title_key("Principles of neuroscience") is None
    assert title_key("Principles of modern neuroscience") == "title:principles of modern neuroscience"


@given(st.text())
def test_title_key_is_idempotent(text):
    key = title_key(text)
    if key is not None:
        assert title_key(key.removeprefix("title:")) == key


def test_the_most_reliable_key_wins():
    title = "A title of enough words"
    assert reference_key("10.1038/X", "12345", title) == "10.1038/x"
    assert reference_key("no doi", "12345", title) == "pmid:12345"
    assert reference_key(None, None, title) == "title:a title of enough words"
    assert reference_key("", "", "Too short") is None
    assert reference_key() is None


def test_what_is_as_long_as_a_paper_is_no_title():
    assert title_key("a b c d " * 200) is not None
    assert title_key("a b c d " * 300) is None

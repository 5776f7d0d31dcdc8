"""A spool is a sequence like a list of the same papers, whatever is in them."""

import sys
from functools import partial
from tempfile import gettempdir

import pytest
from hypothesis import given
from hypothesis import strategies as st

from futex.corpus.paper import Paper, section
from futex.corpus.spool import PaperSpool
from futex.errors import InputError

PAPERS = [
    Paper(
        id=f"d{i}",
        title="β-cells \U0001f600",
        abstract="a" * i,
        body=section("", [f"paragraph number {i} " * 5], [section("Methods", ["we did this and that " * 4])]),
        references=("10.1/x", "title:y"),
        metadata={"year": 1990 + i, "aliases": ["pmid:1"]},
    )
    for i in range(7)
]


def test_papers_come_back_in_order():
    assert list(PaperSpool(iter(PAPERS))) == PAPERS


@given(st.integers(-9, 9) | st.none(), st.integers(-9, 9) | st.none(), st.integers(-3, 3).filter(bool) | st.none())
def test_slices_as_in_a_list(start, stop, step):
    assert PaperSpool(PAPERS)[start:stop:step] == PAPERS[start:stop:step]


def test_positions_as_in_a_list():
    spool = PaperSpool(PAPERS)
    assert (spool[0], spool[-1], len(spool)) == (PAPERS[0], PAPERS[-1], 7)
    with pytest.raises(IndexError):
        spool[7]
    assert PAPERS[3] in spool


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full")
@pytest.mark.parametrize("papers", [PAPERS[:1], PAPERS * 200], ids=["at the end", "before"])
def test_a_full_folder_of_temporary_files_is_named(monkeypatch, papers):
    monkeypatch.setattr("tempfile.TemporaryFile", partial(open, "/dev/full", "w+b"))
    with pytest.raises(InputError, match=f"cannot write to {gettempdir()}: No space left on device; make room there"):
        PaperSpool(papers)


def test_an_empty_spool():
    assert list(PaperSpool([])) == []

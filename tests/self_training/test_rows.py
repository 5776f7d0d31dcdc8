"""Matrices on disk are the same matrices, and not in memory."""

import mmap
import sys
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array, random_array, vstack

from futex.errors import InputError
from futex.self_training.rows import ROWS_AT_ONCE, on_disk, portions


@given(st.lists(st.integers(0, 4), max_size=5), st.integers(1, 6))
def test_parts_lie_one_below_the_other(rows, columns):
    parts = [random_array((n, columns), density=0.5, format="csr", dtype=np.float32) for n in rows]
    matrix = on_disk(iter(parts))
    assert matrix.shape == (sum(rows), columns if rows else 0)
    if rows:
        np.testing.assert_array_equal(matrix.toarray(), vstack(parts).toarray())


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full")
def test_a_full_folder_of_temporary_files_is_named(monkeypatch):
    monkeypatch.setattr("tempfile.TemporaryFile", partial(open, "/dev/full", "w+b"))
    with pytest.raises(InputError, match="No space left on device; make room there or set TMPDIR"):
        on_disk([csr_array(np.eye(3, dtype=np.float32))])


def test_later_parts_may_have_more_columns():
    matrix = on_disk(csr_array(np.eye(n, dtype=np.int32)) for n in (1, 3))
    np.testing.assert_array_equal(matrix.toarray(), [[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    assert matrix.dtype == np.int32


def test_numbers_and_columns_are_mapped_files_also_after_a_product():
    matrix = on_disk([random_array((50, 40), density=0.3, format="csr", dtype=np.float32)])
    matrix @ np.ones((40, 2), np.float32)
    matrix.T @ np.ones((50, 2), np.float32)
    for part in (matrix.data, matrix.indices):
        while isinstance(part.base, np.ndarray):
            part = part.base
        assert isinstance(part.base, mmap.mmap)


def test_portions_hold_every_row_once():
    rows = 2 * ROWS_AT_ONCE + 5
    assert [i for some in portions(rows) for i in range(rows)[some]] == list(range(rows))

"""Sparse matrices with a row a paper, on disk: the system keeps of them in memory what it has room for."""

import tempfile
from array import array
from collections.abc import Iterable, Iterator
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from futex.files import writing_temporarily

ROWS_AT_ONCE = 2048


def portions(rows: int) -> Iterator[slice]:
    """All rows, so many at a time that what is made of them fits into memory."""
    for start in range(0, rows, ROWS_AT_ONCE):
        yield slice(start, min(start + ROWS_AT_ONCE, rows))


def on_disk(parts: Iterable[csr_array]) -> csr_array:
    """The rows of all parts, one below the other, in files without a name that are gone with the matrix.

    A part may have more columns than those before it.
    """
    ends, columns, dtype = array("q", [0]), 0, np.dtype(np.float32)
    with writing_temporarily(), tempfile.TemporaryFile() as data, tempfile.TemporaryFile() as indices:
        for part in parts:
            data.write(part.data.tobytes())
            indices.write(part.indices.astype(np.int32).tobytes())
            ends.frombytes((ends[-1] + part.indptr[1:].astype(np.int64)).tobytes())
            columns, dtype = part.shape[1], part.dtype
        matrix = (_mapped(data, dtype), _mapped(indices, np.dtype(np.int32)), narrowed(np.asarray(ends)))
    return csr_array(matrix, shape=(len(ends) - 1, columns))


def some_rows(x: csr_array, which: NDArray[np.int64]) -> csr_array:
    """Some rows of a matrix, on disk if they are many."""
    if len(which) <= ROWS_AT_ONCE:
        return x[which]
    return on_disk(x[which[some]] for some in portions(len(which)))


def squares(x: csr_array) -> csr_array:
    """Of each number."""
    return csr_array((x.data**2, x.indices, x.indptr), shape=x.shape)


def _mapped(file: IO[bytes], dtype: np.dtype[Any]) -> NDArray[Any]:
    """What was written to a file, which may be closed then."""
    if not file.tell():
        return np.empty(0, dtype)
    file.flush()
    return np.asarray(np.memmap(file, dtype, mode="r"))


def narrowed(ends: NDArray[np.int64]) -> NDArray[np.int32] | NDArray[np.int64]:
    """Where the rows of a matrix end, in 32 bits if they suffice: scipy then keeps its columns so too."""
    return ends.astype(np.int32) if ends[-1] <= np.iinfo(np.int32).max else ends

"""Nothing twice, nothing lost: the vector store under repeats, kills and rivals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from futex.plm.cache import CachedPLM, digest
from futex.plm.fake import FakePLM
from futex.plm.row_files import RowFiles

TEXTS = [f"text number {i}" for i in range(10)]


@pytest.mark.parametrize("on_disk", [False, True])
def test_every_text_and_pair_is_computed_once(tmp_path, on_disk):
    fake = FakePLM()
    plm = CachedPLM(fake, tmp_path if on_disk else None)
    first = plm.embed([*TEXTS, *TEXTS])
    assert fake.texts_embedded == 10
    np.testing.assert_array_equal(first[:10], first[10:])
    np.testing.assert_array_equal(plm.embed(TEXTS[3:5]), first[3:5])
    pairs = [("a", "b"), ("a", "c"), ("a", "b")]
    np.testing.assert_array_equal(plm.score(pairs), plm.score(pairs))
    assert (fake.texts_embedded, fake.pairs_scored) == (10, 2)
    np.testing.assert_array_equal(plm.embed(TEXTS), FakePLM().embed(TEXTS))


@pytest.mark.parametrize("on_disk", [False, True])
def test_a_plm_can_read_the_cache_and_leave_nothing_there(tmp_path, on_disk):
    plm = CachedPLM(FakePLM(), tmp_path if on_disk else None)
    plm.embed(TEXTS[:4])
    files = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    computed = plm.uncached.texts_embedded
    plm.leave_no_trace()
    np.testing.assert_array_equal(plm.embed(TEXTS), FakePLM().embed(TEXTS))  # in order, some known and some not
    plm.embed(TEXTS)
    assert plm.uncached.texts_embedded == computed + 6
    assert {path: path.read_bytes() for path in files} == files
    plm.forget_all_but(2)
    np.testing.assert_array_equal(plm.embed(TEXTS), FakePLM().embed(TEXTS))
    assert plm.uncached.texts_embedded == computed + 6 + 4


def test_a_second_process_computes_nothing(tmp_path):
    CachedPLM(FakePLM(), tmp_path).embed(TEXTS)
    fake = FakePLM()
    np.testing.assert_array_equal(CachedPLM(fake, tmp_path).embed(TEXTS), FakePLM().embed(TEXTS))
    assert fake.texts_embedded == 0


def test_nothing_at_all_is_fine(tmp_path):
    for plm in (CachedPLM(FakePLM()), CachedPLM(FakePLM(), tmp_path)):
        assert plm.embed([]).shape == (0, plm.dimension)
        assert plm.score([]).shape == (0,)


@pytest.mark.parametrize("left", ["a row", "a row and a part of its key", "a part of a row"])
def test_what_a_kill_left_half_written_is_cut_off(tmp_path, left):
    """Keys are written last, so after a kill there may be too many rows or a part of a key."""
    store = RowFiles(tmp_path, width=4)
    rows = np.arange(12, dtype=np.float32).reshape(3, 4)
    store.add([digest(str(i)) for i in range(2)], rows[:2])
    with (tmp_path / "rows").open("ab") as file:
        file.write(rows[2].tobytes()[: 7 if left == "a part of a row" else 16])
    if "key" in left:
        (tmp_path / "keys").write_bytes((tmp_path / "keys").read_bytes() + digest("2")[:11])
    again = RowFiles(tmp_path, width=4)
    assert not again.rows([digest("2")])
    again.add([digest("2")], rows[2:] * 2)
    found = again.rows([digest(str(i)) for i in range(3)])
    np.testing.assert_array_equal([found[digest(str(i))] for i in range(3)], [rows[0], rows[1], rows[2] * 2])
    assert (tmp_path / "rows").stat().st_size == 3 * 16


def test_two_writers_share_a_store(tmp_path):
    one, other = RowFiles(tmp_path, width=1), RowFiles(tmp_path, width=1)
    one.add([b"a" * 16], np.array([[1.0]], np.float32))
    other.add([b"b" * 16, b"a" * 16], np.array([[2.0], [9.0]], np.float32))
    one.add([b"c" * 16], np.array([[3.0]], np.float32))
    for store in (one, RowFiles(tmp_path, width=1)):
        found = store.rows([b"a" * 16, b"b" * 16, b"c" * 16])
        assert [row.tolist() for row in found.values()] == [[1.0], [2.0], [3.0]]
    assert (tmp_path / "rows").stat().st_size == 3 * 4


@given(st.tuples(st.text(), st.text()), st.tuples(st.text(), st.text()))
def test_different_pairs_have_different_keys(a, b):
    assert (digest(*a) == digest(*b)) == (a == b)

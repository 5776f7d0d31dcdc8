"""Rows on disk: whatever happens to the files, what comes out is right or not there."""

import errno
import os
from pathlib import Path

import numpy as np
import pytest

from futex.plm import row_files, row_index
from futex.plm.cache import CachedPLM, digest
from futex.plm.fake import FakePLM
from futex.plm.row_files import RowFiles
from futex.plm.row_index import RowIndex

KEYS = [digest(str(i)) for i in range(6)]
ROWS = np.arange(24, dtype=np.float32).reshape(6, 4)


def found(store: RowFiles) -> dict[int, list[float]]:
    """By the number of the key."""
    rows = store.rows(KEYS)
    return {i: rows[key].tolist() for i, key in enumerate(KEYS) if key in rows}


@pytest.fixture
def folder(tmp_path):
    RowFiles(tmp_path, width=4).add(KEYS, ROWS)
    return tmp_path


@pytest.mark.parametrize("name", ["keys", "rows", "sums"])
def test_a_flipped_bit_loses_one_row_at_most_and_alters_none(folder, name):
    whole = (folder / name).read_bytes()
    for place in range(len(whole)):
        (folder / name).write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        rows = found(RowFiles(folder, width=4))
        assert len(rows) == (5 if name != "keys" or place % 16 < 8 else 6)  # half a key is enough to find its row
        assert all(row == ROWS[i].tolist() for i, row in rows.items())


@pytest.mark.parametrize("name", ["keys", "rows", "sums"])
def test_files_that_were_cut_are_cut_alike(folder, name):
    whole = {path: path.read_bytes() for path in folder.iterdir()}
    for size in range(len(whole[folder / name])):
        for path, content in whole.items():
            path.write_bytes(content)
        (folder / name).write_bytes(whole[folder / name][:size])
        store = RowFiles(folder, width=4)
        rows = found(store)
        assert list(rows) == list(range(6 * size // len(whole[folder / name])))
        store.add(KEYS[5:], ROWS[5:] * 2)
        assert found(RowFiles(folder, width=4)) == rows | {5: (ROWS[5] * 2).tolist()}


def test_what_is_damaged_is_computed_again_and_stays(tmp_path):
    texts = [f"text number {i}" for i in range(5)]
    expected = CachedPLM(FakePLM(), tmp_path).embed(texts)
    (rows,) = (tmp_path / "embeddings").rglob("rows")
    content = bytearray(rows.read_bytes())
    content[70] ^= 1
    rows.write_bytes(content)
    for computed in (1, 0):
        fake = FakePLM()
        np.testing.assert_array_equal(CachedPLM(fake, tmp_path).embed(texts), expected)
        assert fake.texts_embedded == computed


def test_a_store_that_shrinks_under_a_reader(folder):
    store = RowFiles(folder, width=4)
    for name in ("keys", "rows", "sums"):
        (folder / name).write_bytes(b"")
    assert found(store) == {}
    store.add(KEYS[:1], ROWS[:1])
    assert found(store) == {0: ROWS[0].tolist()}


@pytest.fixture
def read_only(monkeypatch):
    """As on a file system that is mounted so: no folder, no lock, no file can be made."""

    def refuse(path, *options, **more):
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    def refuse_to_write(path, mode="r", *options, **more):
        return refuse(path) if set(mode) & set("wa+x") else open_as_ever(path, mode, *options, **more)

    open_as_ever = Path.open
    monkeypatch.setattr(Path, "open", refuse_to_write)
    for place, name in [(Path, "mkdir"), (Path, "touch"), (os, "truncate"), (row_files.FileLock, "acquire")]:
        monkeypatch.setattr(place, name, refuse)


@pytest.mark.parametrize("there", [True, False])
def test_a_cache_that_cannot_be_written_to_is_read_all_the_same(tmp_path, request, caplog, there):
    if there:
        CachedPLM(FakePLM(), tmp_path).embed(["one", "two"])
    request.getfixturevalue("read_only")
    fake = FakePLM()
    for plm in (CachedPLM(fake, tmp_path), CachedPLM(fake, tmp_path)):
        np.testing.assert_array_equal(plm.embed(["one", "two", "three"]), FakePLM().embed(["one", "two", "three"]))
        plm.score([("a", "b")])
    assert fake.texts_embedded == (2 if there else 6)
    assert [record.getMessage() for record in caplog.records] == [
        f"cannot write to the cache {tmp_path}: what is computed now is not kept; choose another with --cache"
    ]


def test_opening_a_store_makes_no_files(tmp_path):
    assert found(RowFiles(tmp_path / "cache", width=4)) == {}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("recent", [0, 3, 100])
def test_the_index_knows_the_last_position_of_each_key(monkeypatch, recent):
    """Against a dictionary, with keys that come again, whether they were sorted in or not."""
    monkeypatch.setattr(row_index, "RECENT", recent)
    rng = np.random.default_rng(0)
    index, expected = RowIndex(), {}
    for _ in range(40):
        keys = [digest(str(i)) for i in rng.integers(30, size=rng.integers(6))]
        expected |= {key: len(index) + i for i, key in enumerate(keys)}
        index.append(b"".join(keys))
    assert len(index) > 60
    asked = [digest(str(i)) for i in range(40)]
    assert dict(index.positions(asked)) == expected

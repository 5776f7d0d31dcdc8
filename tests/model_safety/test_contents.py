"""What stands in the files of a stranger's model: JSON, arrays, trees, labels. One clear line and no harm."""

import io
import json
import os
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest
from model_safety.stranger import refused, sign

from futex.errors import FutexError


@pytest.mark.parametrize("name", ["recipe.json", "base_plm.json", "vocabulary.json", "tuned_plm/fake.json"])
@pytest.mark.parametrize(
    "bomb",
    [
        *(b'{"a":' * 100_000, b"[" * 1_000_000, b'{"weight": NaN, "trees": Infinity}'),
        *(b'{"weight": ' + b"9" * 400 + b"}", b'{"a": ' + b"9" * 10_000 + b"}"),
    ],
)
def test_json_bombs(model, name, bomb):
    (model / name).write_bytes(bomb)
    sign(model)
    refused(model, "is not readable JSON")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("recipe.json", {"treees": 3}, "no setting 'treees'"),
        ("recipe.json", {"trees": "three"}, "'trees' cannot be"),
        ("recipe.json", {"beam": -1}, "'beam' cannot be -1: it takes a whole number from 1 on"),
        ("tuned_plm/fake.json", {"__class__": "x"}, "has no weight"),
        ("tuned_plm/fake.json", {"weight": 1e999}, "is not readable JSON|has no weight"),
        ("vocabulary.json", {"words": ["a"], "idf": []}, "a number for each"),
        ("vocabulary.json", {"words": [1], "idf": [1.0]}, "a number for each"),
        ("vocabulary.json", {"words": {"a": 1}, "idf": [1.0]}, "a number for each"),
        ("vocabulary.json", {"words": ["a"], "idf": {"a": 1}}, "a number for each"),
        (
            "vocabulary.json",
            {"words": ["a"], "idf": ["1"]},
            r"vocabulary\.json does not list words with a number for each",
        ),
        ("vocabulary.json", {}, "a number for each"),
    ],
)
def test_json_that_does_not_fit(model, name, content, message):
    (model / name).write_text(json.dumps(content))
    sign(model)
    refused(model, message)


def test_weights_that_are_not_numbers(by_names):
    fusion = json.loads((by_names / "fusion.json").read_text())
    for wrong in ("NaN", "1e999", "1e300", '"0"', "[]"):
        first = next(iter(fusion))
        (by_names / "fusion.json").write_text(json.dumps({**fusion, first: "?"}).replace('"?"', wrong))
        sign(by_names)
        refused(by_names, "is not readable JSON|has a number each")


def test_an_adapted_model_without_its_trees(by_names):
    (by_names / "forest.npz").unlink()
    sign(by_names)
    refused(by_names, r"forest\.npz does not hold arrays")


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("left", lambda a: a * 0),  # for ever round and round
        ("left", lambda a: a + 10**6),
        ("feature", lambda a: np.where(a < 0, a, a + 1000)),
        ("feature", lambda a: a * 0 - 2),
        ("feature", lambda a: a.astype(float)),
        ("rate", lambda a: a + 2),
        ("rate", lambda a: a * np.nan),
        ("rate", lambda a: a[:-1]),
        ("roots", lambda a: a + 10**6),
        ("roots", lambda a: a - 1),
        ("roots", lambda a: a[None]),
        ("roots", lambda a: a[:0]),
        ("roots", lambda a: np.tile(a, 100)),
    ],
)
def test_trees_that_lead_nowhere(by_names, part, change):
    with np.load(by_names / "forest.npz") as saved:
        arrays = dict(saved)
    np.savez(by_names / "forest.npz", **{**arrays, part: change(arrays[part])})
    sign(by_names)
    refused(by_names, "no trees over the features")


# --- arrays


def npz(path: Path, arrays: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> None:
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in arrays.items():
            archive.writestr(f"{name}.npy", content)


def npy(array: np.ndarray, pretend: str | None = None) -> bytes:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue().replace(str(array.shape).encode(), pretend.encode()) if pretend else file.getvalue()


def headed(header: str) -> bytes:
    """What numpy takes for an array with this header."""
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()


@pytest.mark.parametrize(
    ("arrays", "compression", "message"),
    [
        ({"papers": npy(np.array([os.system], object))}, zipfile.ZIP_STORED, "Python objects"),
        ({"papers": npy(np.zeros(10**6))}, zipfile.ZIP_DEFLATED, "larger than the file"),
        ({"papers": npy(np.zeros(1), "(10**9,)")}, zipfile.ZIP_STORED, "does not hold arrays"),
        ({"papers": npy(np.zeros(10), "(9999999999,)")}, zipfile.ZIP_STORED, "another size than it says"),
        ({"papers": npy(np.zeros((0, 1)), f"(0, {2**70})")}, zipfile.ZIP_STORED, "does not hold arrays"),
        ({"papers": npy(np.arange(9))}, zipfile.ZIP_LZMA, "they are compressed"),
        ({"papers": b"\x93NUMPY\x01\x00\xff\xff{"}, zipfile.ZIP_STORED, "does not hold arrays"),
        ({"papers": b"no array"}, zipfile.ZIP_STORED, "does not hold arrays"),
        ({"papers": headed("{")}, zipfile.ZIP_STORED, "does not hold arrays"),
        ({"papers": headed("{1: 2, 'shape': 3}")}, zipfile.ZIP_STORED, "does not hold arrays"),
        ({"papers": headed("{'descr': (), 'fortran_order': True, 'shape': ()}")}, zipfile.ZIP_STORED, "hold arrays"),
        ({"papers": npy(np.array(3))}, zipfile.ZIP_STORED, "does not count the names"),
    ],
)
def test_arrays_that_lie(by_names, arrays, compression, message):
    npz(by_names / "names.npz", arrays, compression)
    sign(by_names)
    refused(by_names, message)


def test_counts_that_are_none(by_names):
    with np.load(by_names / "names.npz") as saved:
        arrays = dict(saved)
    wrongs = [("mentions", np.full(6, -1)), ("named", np.full(6, np.nan)), ("given", np.array(["x"] * 6))]
    wrongs += [("given", arrays["named"] + 1), ("papers", np.array(1e300)), ("mentions", np.full(6, np.inf))]
    for name, wrong in wrongs:
        np.savez(by_names / "names.npz", **{**arrays, name: wrong})
        sign(by_names)
        refused(by_names, "does not count the names of these labels")


@pytest.mark.parametrize(
    ("part", "change", "message"),
    [
        ("target", lambda a: a * 0 - 1, "branches lead nowhere"),
        ("target", lambda a: a + 10**6, "branches lead nowhere"),
        ("is_leaf", lambda a: ~a, "branches lead nowhere"),
        ("first", lambda a: a * 0, "its nodes have no columns"),
        ("first", lambda a: a * 10**11, "its nodes have no columns"),
        ("first", lambda a: a.astype(float), "its nodes have no columns"),
        ("indices", lambda a: a + 10**6, "does not hold trees"),
        ("indptr", lambda a: a * 0 - 5, "does not hold trees"),
        ("shape", lambda a: a * 10**6, "does not hold trees"),
        ("shape", lambda a: a[:1], "does not hold trees"),
        ("data", lambda a: a * np.nan, "weights are not those of the words"),
    ],
)
def test_trees_that_lead_in_circles_or_out_of_memory(model, part, change, message):
    """A root that is its own branch would be walked for ever; a column out of range would be read, in C."""
    with np.load(model / "parabel.npz") as saved:
        arrays = dict(saved)
    arrays[f"0.{part}"] = change(arrays[f"0.{part}"])
    np.savez(model / "parabel.npz", **arrays)
    sign(model)
    refused(model, message)


# --- labels


def test_labels_that_try_to_be_code(model, papers, capsys):
    """They are texts and stay texts: the terminal gets no control characters."""
    from futex.cli import app
    from futex.corpus.store import write_papers

    script = {"id": "L1", "name": "Lung cancer", "synonyms": ["\x1b[2J[bold]<script>alert(1)</script>"]}
    lines = (model / "labels.jsonl").read_text().splitlines()
    (model / "labels.jsonl").write_text("\n".join([json.dumps(script), *lines[1:]]) + "\n")
    sign(model)
    write_papers(papers[1:2], model.parent / "paper.jsonl")
    app(["suggest", str(model), str(model.parent / "paper.jsonl")], standalone_mode=False)
    assert "\x1b[2J" not in capsys.readouterr().out


@pytest.mark.parametrize("bomb", [b'{"id": "x"', b'{"id": "x", "name": 7}', b"\x1f\x8bnot gzip", b"PK\x03\x04"])
def test_labels_that_cannot_be_read(model, bomb):
    (model / "labels.jsonl").write_bytes(bomb)
    sign(model)
    refused(model, r"labels\.jsonl", FutexError)

"""A model folder from a stranger: whatever is wrong with it, one clear line and no harm.

The stranger knows the format, so every altered model gets a manifest with the right sizes and hashes.
"""

import io
import json
import os
import shutil
import socket
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from futex import json_files, model_check
from futex.config import Recipe
from futex.errors import FutexError, ModelError
from futex.files import sha256
from futex.pipeline import FuTex

RECIPE = Recipe(plm="fake", triples=16, min_linked_papers=4, min_papers_per_word=1)
BY_NAMES = Recipe(plm="fake", scoring="names", match_within="full", network=False, self_training=False)


@pytest.fixture(scope="session")
def originals(papers, labels, tmp_path_factory) -> dict[str, Path]:
    """A model of the paper's modules, and one that scores names and was adapted."""
    folder = tmp_path_factory.mktemp("models")
    FuTex(RECIPE).fit(papers, labels).save_pretrained(folder / "modules")
    adapted = FuTex(BY_NAMES).fit(papers, labels)
    adapted.adapt(papers[:6], {paper.id: {"L1"} if i % 2 else {"L3"} for i, paper in enumerate(papers[:6])})
    adapted.save_pretrained(folder / "names")
    return {name: folder / name for name in ("modules", "names")}


@pytest.fixture
def model(originals, tmp_path) -> Path:
    return Path(shutil.copytree(originals["modules"], tmp_path / "model"))


@pytest.fixture
def by_names(originals, tmp_path) -> Path:
    return Path(shutil.copytree(originals["names"], tmp_path / "model"))


def sign(folder: Path) -> None:
    """What a careful stranger does after changing a file."""
    names = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "manifest.json"]
    files = {p.relative_to(folder).as_posix(): {"bytes": p.stat().st_size, "sha256": sha256(p)} for p in names}
    (folder / "manifest.json").write_text(json.dumps({"format": 1, "files": files}))


def refused(folder: Path, message: str, error: type[FutexError] = ModelError) -> None:
    with pytest.raises(error, match=message) as caught:
        FuTex.from_pretrained(folder)
    assert "\n" not in str(caught.value)


def test_the_originals_are_fine(model, by_names, papers):
    sign(model)
    assert FuTex.from_pretrained(model).rank(papers[:1])


# --- what a folder may hold


def link_to_a_file(folder: Path, outside: Path) -> None:
    (folder / "labels.jsonl").rename(outside)
    (folder / "labels.jsonl").symlink_to(outside)


def link_to_a_folder(folder: Path, outside: Path) -> None:
    (folder / "tuned_plm").rename(outside)
    (folder / "tuned_plm").symlink_to(outside)


def link_inside(folder: Path, outside: Path) -> None:
    (folder / "base_plm.json").unlink()
    (folder / "base_plm.json").symlink_to("recipe.json")


def pipe(folder: Path, outside: Path) -> None:
    (folder / "recipe.json").unlink()
    os.mkfifo(folder / "recipe.json")


def pipe_for_a_manifest(folder: Path, outside: Path) -> None:
    (folder / "manifest.json").unlink()
    os.mkfifo(folder / "manifest.json")


def endless_manifest(folder: Path, outside: Path) -> None:
    (folder / "manifest.json").unlink()
    (folder / "manifest.json").symlink_to("/dev/zero")


def listening_socket(folder: Path, outside: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        here = Path.cwd()
        os.chdir(folder)  # the path of a socket may have a hundred characters
        listener.bind("fusion.json")
        os.chdir(here)


def code(folder: Path, outside: Path) -> None:
    (folder / "tuned_plm" / "modeling_evil.py").write_text("raise SystemExit('it ran')")
    sign(folder)


def pickled(folder: Path, outside: Path) -> None:
    (folder / "tuned_plm" / "pytorch_model.bin").write_bytes(b"\x80\x04cposix\nsystem\n.")
    sign(folder)


def another_folder(folder: Path, outside: Path) -> None:
    (folder / "tuned_plm" / "1_Pooling").mkdir()


@pytest.mark.parametrize(
    "attack",
    [
        *(link_to_a_file, link_to_a_folder, link_inside, pipe, pipe_for_a_manifest, endless_manifest),
        *(listening_socket, code, pickled, another_folder),
    ],
)
def test_links_special_files_code_and_pickles_are_refused(model, tmp_path, attack: Callable[[Path, Path], None]):
    attack(model, tmp_path / "outside")
    refused(model, "holds a file that is not its own: ")


def test_limits_of_number_and_size(model, monkeypatch):
    whole = sum(model_check.files_of(model).values())
    for name, limit, message in [
        ("MAX_FILES", 5, "more than 5 files"),
        ("MAX_BYTES", whole - 1, "larger than"),
        ("MAX_TEXT_BYTES", 10, r"\.json is longer than"),
    ]:
        monkeypatch.setattr(model_check, name, limit)
        refused(model, message)
        monkeypatch.undo()


# --- the manifest


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        ({"format": 1, "files": {"/etc/passwd": {"bytes": 1, "sha256": ""}}}, "outside the model: /etc/passwd"),
        ({"format": 1, "files": {"../x": {"bytes": 1, "sha256": ""}}}, r"outside the model: \.\./x"),
        ({"format": 1, "files": {"no\x1b[2J": {}}}, "is missing"),
        ({"format": 1, "files": {"recipe.json": {"bytes": 10**30, "sha256": ""}}}, "was altered"),
        ({"format": 1, "files": {"recipe.json": 7}}, "lists no files"),
        ({"format": 1, "files": []}, "lists no files"),
        ({"format": 1, "files": {}}, "not its own"),
        ({"format": 2, "files": {}}, "another version"),
        ([], "not a JSON object"),
    ],
)
def test_manifests_that_lie(model, manifest, message):
    (model / "manifest.json").write_text(json.dumps(manifest))
    refused(model, message)


def test_a_manifest_of_millions(model, monkeypatch):
    monkeypatch.setattr(json_files, "MAX_VALUES", 100_000)
    (model / "manifest.json").write_text('{"files": {' + '"a": 0, ' * 100_001 + '"b": 0}}')
    refused(model, "holds more than 100,000 values")


# --- JSON


@pytest.mark.parametrize("name", ["recipe.json", "base_plm.json", "vocabulary.json", "tuned_plm/fake.json"])
@pytest.mark.parametrize(
    "bomb",
    [b'{"a":' * 100_000, b"[" * 1_000_000, b'{"weight": NaN, "trees": Infinity}', b'{"a": ' + b"9" * 10_000 + b"}"],
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
        ("tuned_plm/fake.json", {"__class__": "x"}, "has no weight"),
        ("tuned_plm/fake.json", {"weight": 1e999}, "is not readable JSON|has no weight"),
        ("vocabulary.json", {"words": ["a"], "idf": []}, "a number for each"),
        ("vocabulary.json", {"words": [1], "idf": [1.0]}, "a number for each"),
        ("vocabulary.json", {"words": {"a": 1}, "idf": [1.0]}, "a number for each"),
    ],
)
def test_json_that_does_not_fit(model, name, content, message):
    (model / name).write_text(json.dumps(content))
    sign(model)
    refused(model, message)


def test_weights_that_are_not_numbers(by_names):
    fusion = json.loads((by_names / "fusion.json").read_text())
    for wrong in ("NaN", "1e999", '"0"', "[]"):
        first = next(iter(fusion))
        (by_names / "fusion.json").write_text(json.dumps({**fusion, first: "?"}).replace('"?"', wrong))
        sign(by_names)
        refused(by_names, "is not readable JSON|has a number each")


# --- arrays


def npz(path: Path, arrays: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> None:
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in arrays.items():
            archive.writestr(f"{name}.npy", content)


def npy(array: np.ndarray, pretend: str | None = None) -> bytes:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue().replace(str(array.shape).encode(), pretend.encode()) if pretend else file.getvalue()


@pytest.mark.parametrize(
    ("arrays", "compression", "message"),
    [
        ({"papers": npy(np.array([os.system], object))}, zipfile.ZIP_STORED, "Python objects"),
        ({"papers": npy(np.zeros(10**6))}, zipfile.ZIP_DEFLATED, "larger than the file"),
        ({"papers": npy(np.zeros(1), "(10**9,)")}, zipfile.ZIP_STORED, "does not hold arrays"),
        ({"papers": npy(np.zeros(10), "(9999999999,)")}, zipfile.ZIP_STORED, "another size than it says"),
        ({"papers": b"\x93NUMPY\x01\x00\xff\xff{"}, zipfile.ZIP_STORED, "does not hold arrays"),
        ({"papers": b"no array"}, zipfile.ZIP_STORED, "does not hold arrays"),
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
    for name, wrong in [("mentions", np.full(6, -1)), ("named", np.full(6, np.nan)), ("given", np.array(["x"] * 6))]:
        np.savez(by_names / "names.npz", **{**arrays, name: wrong})
        sign(by_names)
        refused(by_names, "does not count the names of these labels")


@pytest.mark.parametrize(
    ("part", "change", "message"),
    [
        ("target", lambda a: a * 0 - 1, "branches lead nowhere"),
        ("target", lambda a: a + 10**6, "branches lead nowhere"),
        ("is_leaf", lambda a: ~a, "branches lead nowhere"),
        ("first_row", lambda a: a * 0, "does not hold trees"),
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


# --- labels, and the PLM that a model stands on


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


@pytest.mark.parametrize("name", ["/", "..", "plm", "evil/model", "static:evil/model", "static:/", "../../plm"])
def test_a_model_cannot_make_us_read_a_folder_or_ask_a_hub(model, tmp_path, monkeypatch, name):
    from futex.plm.fake import FakePLM

    def asked(*args, **kwargs):
        raise AssertionError("the hub was asked")

    monkeypatch.setattr("futex.plm.checkpoints._hub_answers", asked)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "no hub"))
    monkeypatch.chdir(tmp_path)
    FakePLM().save(tmp_path / "plm")
    FakePLM().save(tmp_path / "evil" / "model")
    recipe = json.loads((model / "recipe.json").read_text())
    (model / "recipe.json").write_text(json.dumps({**recipe, "plm": name}))
    sign(model)
    refused(model, "no PLM")

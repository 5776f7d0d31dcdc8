"""A model folder from a stranger: links, special files, foreign names, a manifest that lies, a PLM from elsewhere."""

import json
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from model_safety.stranger import refused, sign

from futex import json_files, model_check
from futex.errors import InputError
from futex.pipeline import FuTex


def test_the_originals_are_fine(model, by_names, papers):
    for folder in (model, by_names):
        sign(folder)
        assert FuTex.from_pretrained(folder).rank(papers[:1])


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


# --- what is written over


def test_nothing_but_a_model_is_replaced(model, by_names, tmp_path, monkeypatch):
    saved = FuTex.from_pretrained(by_names)
    (tmp_path / "precious").mkdir()
    for stranger in ("thesis.docx", "labels.jsonl"):
        (tmp_path / "precious" / stranger).touch()
        monkeypatch.chdir(tmp_path / "precious")
        for target in (tmp_path / "precious", "."):
            with pytest.raises(InputError, match="is there and is no model"):
                saved.save_pretrained(target)
    assert {path.name for path in (tmp_path / "precious").iterdir()} == {"thesis.docx", "labels.jsonl"}
    saved.save_pretrained(model)
    assert (model / "fusion.json").exists()
    assert not list(tmp_path.glob(".*"))


def test_a_kill_while_it_is_replaced_leaves_the_old_model(model, by_names, monkeypatch):
    rename = Path.rename

    def killed(self, target):
        if self.name == ".model.new":
            raise KeyboardInterrupt
        return rename(self, target)

    saved = FuTex.from_pretrained(by_names)
    monkeypatch.setattr(Path, "rename", killed)
    with pytest.raises(KeyboardInterrupt):
        saved.save_pretrained(model)
    assert FuTex.from_pretrained(model.with_name(".model.old")).recipe.scoring == "modules"


# --- the manifest


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        ({"format": 1, "files": {"/etc/passwd": {"bytes": 1, "sha256": ""}}}, "incomplete: /etc/passwd is missing"),
        ({"format": 1, "files": {"../x": {"bytes": 1, "sha256": ""}}}, r"incomplete: \.\./x is missing"),
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


# --- the PLM that a model stands on


@pytest.mark.parametrize(
    "name", ["/", "..", "plm", "evil/model", "static:evil/model", "static:/", "bf16:evil/model", "bf16:/", "../../plm"]
)
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

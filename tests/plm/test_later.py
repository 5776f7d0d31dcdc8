"""A checkpoint is not loaded while the cache knows all that is asked of it."""

import errno
import json
import shutil
import subprocess
import sys

import numpy as np
import pytest

from futex.config import RECIPES
from futex.errors import ModelError
from futex.files import checksums
from futex.pipeline import FuTex
from futex.plm.checkpoints import load_folder, load_plm
from futex.plm.later import LaterPLM, loaded_now
from futex.plm.transformer import TransformerPLM


def test_the_second_time_only_the_facts_are_read(tiny_checkpoint, tmp_path):
    folder = tiny_checkpoint("bert")
    first, second = load_folder(folder, tmp_path), load_folder(folder, tmp_path)
    assert isinstance(first, TransformerPLM)
    assert isinstance(second, LaterPLM)
    for fact in ("fingerprint", "pooling", "dimension"):
        assert getattr(second, fact) == getattr(first, fact)
    np.testing.assert_array_equal(second.embed(["a text"]), first.embed(["a text"]))
    assert isinstance(loaded_now(second), TransformerPLM)


def test_facts_belong_to_the_files_and_to_how_they_are_read(tiny_checkpoint, tmp_path):
    folder = tmp_path / "plm"
    shutil.copytree(tiny_checkpoint("bert"), folder)
    load_folder(folder, tmp_path)
    assert isinstance(load_folder(folder, tmp_path, pooling="mean"), TransformerPLM)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"layer_norm_eps": 0.1}))
    assert isinstance(load_folder(folder, tmp_path), TransformerPLM)


def test_facts_that_cannot_be_kept_stop_nobody(tiny_checkpoint, tmp_path, caplog, monkeypatch):
    def refuse(file):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("os.fsync", refuse)
    assert isinstance(load_folder(tiny_checkpoint("bert"), tmp_path), TransformerPLM)
    assert "cannot write" in caplog.text


def test_facts_that_were_altered_count_for_nothing(tiny_checkpoint, tmp_path):
    load_folder(tiny_checkpoint("bert"), tmp_path)
    (note,) = (tmp_path / "plms").iterdir()
    note.write_text(note.read_text().replace("cls", "mean"))
    assert isinstance(load_folder(tiny_checkpoint("bert"), tmp_path), TransformerPLM)


def test_files_that_change_while_they_are_in_use_are_an_error(tiny_checkpoint, tmp_path):
    folder = tmp_path / "plm"
    shutil.copytree(tiny_checkpoint("bert"), folder)
    load_folder(folder, tmp_path)
    later = load_folder(folder, tmp_path)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"layer_norm_eps": 0.1}))
    with pytest.raises(ModelError, match="changed while they were in use"):
        later.embed(["a text"])


def test_what_was_saved_before_is_saved_again_without_being_loaded(tiny_checkpoint, tmp_path, monkeypatch):
    load_folder(tiny_checkpoint("bert")).save(tmp_path / "plm")
    load_folder(tmp_path / "plm", tmp_path).save(tmp_path / "loaded")
    monkeypatch.setattr(LaterPLM, "loaded", property(lambda plm: pytest.fail("it was loaded")))
    load_folder(tmp_path / "plm", tmp_path).save(tmp_path / "copied")
    assert checksums(tmp_path / "copied") == checksums(tmp_path / "loaded")


@pytest.mark.parametrize("time", ["first", "second"])
def test_only_files_of_a_plm_are_saved(tiny_checkpoint, tmp_path, time):
    """A model with a file that is not its own could not be read again."""
    load_folder(tiny_checkpoint("bert")).save(tmp_path / "plm")
    (tmp_path / "plm" / "README.md").write_text("our model")
    if time == "second":
        load_folder(tmp_path / "plm", tmp_path)
    load_folder(tmp_path / "plm", tmp_path).save(tmp_path / "saved")
    assert not (tmp_path / "saved" / "README.md").exists()
    assert load_folder(tmp_path / "saved").fingerprint == load_folder(tmp_path / "plm").fingerprint


def test_a_static_plm_does_without_its_teacher(tiny_checkpoint, tmp_path, monkeypatch):
    name = f"static:{tiny_checkpoint('bert')}"
    first = load_plm(name, tmp_path)
    monkeypatch.setattr(LaterPLM, "loaded", property(lambda plm: pytest.fail("the teacher was loaded")))
    assert load_plm(name, tmp_path).fingerprint == first.fingerprint


@pytest.mark.parametrize("recipe", ["best", "paper"])
def test_a_model_whose_vectors_are_all_known_needs_no_torch(papers, labels, tiny_checkpoint, tmp_path, recipe):
    chosen = RECIPES[recipe].but(plm=str(tiny_checkpoint("bert")), triples=8, min_linked_papers=4)
    cache = tmp_path / "cache"
    model = FuTex(chosen, cache=cache).fit(papers, labels)
    model.save_pretrained(tmp_path / "model")
    FuTex.from_pretrained(tmp_path / "model", cache=cache)  # now the facts of all its PLMs are known
    from futex.corpus.store import write_papers

    write_papers(papers, tmp_path / "papers.jsonl")
    program = """
import json, sys
from pathlib import Path
from futex import FuTex, read_papers
rankings = FuTex.from_pretrained(sys.argv[1], cache=Path(sys.argv[2])).rank(read_papers(sys.argv[3]))
print(json.dumps([{id: r.labels for id, r in rankings.items()}, "torch" in sys.modules]))
"""
    arguments = [sys.executable, "-c", program, *map(str, (tmp_path / "model", cache, tmp_path / "papers.jsonl"))]
    found, has_torch = json.loads(subprocess.run(arguments, capture_output=True, text=True, check=True).stdout)
    assert found == {id: list(ranking.labels) for id, ranking in model.rank(papers).items()}
    assert not has_torch

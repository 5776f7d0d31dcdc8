"""The static PLM: a mean of weighted token vectors, distilled without data, saved and found again."""

import os
import subprocess
import sys
from contextlib import contextmanager

import numpy as np
import pytest

from futex.corpus.paper import Paper
from futex.errors import ModelError
from futex.files import alone_in
from futex.network.contrastive import tune_on_links
from futex.plm import checkpoints
from futex.plm.checkpoints import load_folder, load_plm
from futex.plm.static import DIMENSION, StaticPLM, distil


@pytest.fixture
def teacher(tiny_checkpoint):
    return load_folder(tiny_checkpoint("bert"), max_length=64)


def test_a_text_is_the_mean_of_its_tokens(teacher):
    plm = distil(teacher)
    one, other, both = plm.embed(["cell", "gene", "cell gene"])
    np.testing.assert_allclose(both, (one + other) / 2, atol=1e-6)


def test_a_text_without_tokens_is_zero(teacher):
    assert not distil(teacher).embed([""]).any()


def test_similarities_of_tokens_are_the_teachers(teacher):
    """With all components kept, centring and turning change no angle between centred vectors."""
    words = ["cell", "gene", "mouse", "brain"]
    assert teacher.dimension <= DIMENSION
    vectors = teacher.embed_tokens(range(len(teacher.tokenizer)))
    own = vectors[[teacher.tokenizer.convert_tokens_to_ids(word) for word in words]] - vectors.mean(axis=0)

    def angles(rows):
        rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return rows @ rows.T

    np.testing.assert_allclose(angles(distil(teacher).embed(words)), angles(own), atol=1e-4)


def test_frequent_tokens_weigh_less(teacher):
    plm = distil(teacher)
    ids = [teacher.tokenizer.convert_tokens_to_ids(word) for word in ("the", "mouse")]
    vectors = teacher.embed_tokens(range(len(teacher.tokenizer)))
    lengths = np.linalg.norm(vectors[ids] - vectors.mean(axis=0), axis=1)
    shrunk = np.linalg.norm(plm.embed(["the", "mouse"]), axis=1) / lengths
    assert (shrunk[0] < shrunk[1]) == (ids[0] < ids[1])


def test_saved_and_loaded_it_is_the_same(teacher, tmp_path):
    plm = distil(teacher)
    plm.save(tmp_path / "static")
    again = load_folder(tmp_path / "static")
    assert again.fingerprint == plm.fingerprint
    np.testing.assert_array_equal(again.embed(["mouse brain"]), plm.embed(["mouse brain"]))


PRINCIPAL = """
import numpy as np
from futex.plm.side_by_side import side_by_side
from futex.plm.static import _principal
(components,) = side_by_side(_principal, [np.random.default_rng(0).standard_normal((2000, 384), dtype=np.float32)])
"""


def test_distilled_to_the_same_bits_on_one_core_and_on_all(tmp_path):
    """The hash of a static PLM names its vectors in every cache, so that machines can share one."""
    here: dict[str, np.ndarray] = {}
    exec(PRINCIPAL, here)
    script = PRINCIPAL + f"np.save({str(tmp_path / 'components.npy')!r}, components)"
    one_core = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    subprocess.run([sys.executable, "-c", script], check=True, env=one_core)
    assert np.array_equal(here["components"], np.load(tmp_path / "components.npy"))


def test_distilled_once(tiny_checkpoint, tmp_path, monkeypatch):
    name = f"static:{tiny_checkpoint('bert')}"
    first = load_plm(name, tmp_path)
    monkeypatch.setattr("futex.plm.static.distil", lambda teacher: pytest.fail("distilled again"))
    assert load_plm(name, tmp_path).fingerprint == first.fingerprint


def test_what_other_code_distilled_is_distilled_again(tiny_checkpoint, tmp_path, monkeypatch):
    name = f"static:{tiny_checkpoint('bert')}"
    before = load_plm(name, tmp_path)
    monkeypatch.setattr("futex.plm.static.RARITY", 1e-2)
    monkeypatch.setattr("futex.plm.static.DISTILLING_VERSION", "another")
    assert load_plm(name, tmp_path).fingerprint != before.fingerprint


def test_only_a_transformer_can_be_distilled(tmp_path):
    with pytest.raises(ModelError, match="static:embedded"):
        load_plm("static:fake", tmp_path)


def test_a_damaged_file_is_named(teacher, tmp_path):
    distil(teacher).save(tmp_path)
    (tmp_path / "static.safetensors").write_bytes(b"x" * 20)
    with pytest.raises(ModelError, match="delete it"):
        StaticPLM.load(tmp_path)


def test_it_is_never_fine_tuned(teacher, caplog):
    papers = [Paper(id=str(i), abstract="cells of the mouse", references=(f"10.1/{i % 2}",)) for i in range(8)]
    settings = {"metapath": "P->P<-P", "min_linked_papers": 2, "seed": 0, "cache": None}
    assert tune_on_links(distil(teacher), papers, triples=None, **settings) is None
    assert "cannot read pairs" in caplog.text
    with pytest.raises(ModelError, match="cannot be fine-tuned"):
        tune_on_links(distil(teacher), papers, triples=2, **settings)


def test_of_two_that_want_the_same_one_distils_and_the_other_waits_for_it(tiny_checkpoint, tmp_path, monkeypatch):
    name = f"static:{tiny_checkpoint('bert')}"

    @contextmanager
    def after_another(folder):
        with monkeypatch.context() as alone:
            alone.setattr(checkpoints, "alone_in", alone_in)
            load_plm(name, tmp_path)
        monkeypatch.setattr(checkpoints, "_distilled", lambda *others: pytest.fail("distilled twice"))
        with alone_in(folder):
            yield

    monkeypatch.setattr(checkpoints, "alone_in", after_another)
    assert isinstance(load_plm(name, tmp_path), StaticPLM)

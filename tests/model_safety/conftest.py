"""Two good models, for tests to spoil."""

import shutil
from pathlib import Path

import pytest

from futex.config import Recipe
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
    return Path(shutil.copytree(originals["names"], tmp_path / "names"))

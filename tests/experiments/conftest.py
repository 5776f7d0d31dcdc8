from pathlib import Path

import pytest
from experiments.tiny_corpus import read, write

from futex.corpus.paper import Paper
from futex.experiments.corpus import Corpus
from futex.labels.label import LabelSpace


@pytest.fixture
def folder(tmp_path: Path, papers: list[Paper], labels: LabelSpace) -> Path:
    return write(tmp_path, papers, labels)


@pytest.fixture
def corpus(folder: Path) -> Corpus:
    return read(folder)

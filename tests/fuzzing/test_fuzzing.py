"""A few damaged files of every kind; `make fuzz` tries many more, and hostile ones."""

import random

import pytest

from fuzzing.__main__ import ending, labels, papers
from fuzzing.mutations import damaged
from fuzzing.seeds import ARCHIVES, LABELS, PAPERS


@pytest.mark.parametrize("seed", [*PAPERS, *ARCHIVES, *LABELS], ids=lambda seed: seed.name)
def test_damaged_files_end_in_papers_or_in_one_clear_line(tmp_path, seed):
    rnd, read = random.Random(seed.name), labels if seed in LABELS else papers
    path = tmp_path / seed.name
    path.write_bytes(seed.content)
    assert ending(path, seed.format, read) == "read" or seed.name == "x_candidates.json"
    for _ in range(3 if seed.format == "pdf" else 30):
        path.write_bytes(damaged(seed.content, rnd))
        assert ending(path, seed.format, read) in ("read", "empty", "refused")

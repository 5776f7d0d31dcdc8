import pytest
from sharded.runs_of import Desk


@pytest.fixture
def desk(tmp_path, papers, labels, monkeypatch) -> Desk:
    """Twelve papers in three shards, on a disk that need not be waited for."""
    monkeypatch.setattr("os.fsync", lambda file: None)
    monkeypatch.setattr("futex.sharded.papers.PAPERS_A_SHARD", 4)
    desk = Desk(tmp_path)
    desk.give(papers, labels)
    return desk

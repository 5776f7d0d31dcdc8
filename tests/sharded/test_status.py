"""futex status: on a run that is finished, broken off, damaged, in progress, or none at all."""

import pytest
from filelock import FileLock
from sharded.runs_of import Poisoning, Stopping
from test_cli import fails, futex

from futex.runs.output import is_held
from futex.sharded.status import status_of


def done(desk) -> dict[str, tuple[int, int, int]]:
    """Shards done, shards in all and papers done of each stage."""
    stages = status_of(desk.folder / "out", running=False).stages
    return {stage.name: (stage.done, stage.shards, stage.papers) for stage in stages}


def test_a_run_as_it_grows(desk):
    with pytest.raises(KeyboardInterrupt):
        desk.run(engine=Stopping(3))
    assert done(desk) == {
        "papers": (3, 3, 12),
        "draft": (1, 1, 12),
        "findings": (2, 3, 8),
        "model": (0, 1, 0),
        "predictions": (0, 3, 0),
    }
    shown = futex("status", str(desk.folder / "out"))
    assert shown.returncode == 0
    assert "12 papers, not finished" in shown.stdout
    assert "goes on from here" in shown.stdout
    desk.run()
    assert all(shards == of for shards, of, _ in done(desk).values())
    assert "12 papers, finished" in futex("status", str(desk.folder / "out")).stdout


def test_damage_and_poison_are_named(desk):
    desk.run(engine=Poisoning("Look", "d5"))
    (desk.folder / "out/shards/papers/00002.parquet").unlink()
    path = desk.folder / "out/shards/predictions/00001.jsonl.zst"
    path.write_bytes(path.read_bytes()[:-1])
    shown = " ".join(futex("status", str(desk.folder / "out")).stdout.split())
    assert "predictions/00001.jsonl.zst" in shown
    assert "papers/00002.parquet" in shown
    assert "paper d5" in shown
    assert "12 papers, not finished" in shown


def test_whether_somebody_is_at_it(desk):
    desk.run()
    assert not is_held(desk.folder / "out")
    with FileLock(desk.folder / "out/.lock"):
        assert is_held(desk.folder / "out")
        assert "a process is at work on it" in futex("status", str(desk.folder / "out")).stdout


def test_predictions_of_a_run_that_was_killed_are_not_there_yet(desk):
    desk.run()
    (desk.folder / "out/predictions.jsonl").unlink()
    for command, *options in (("eval", "--gold", "gold.jsonl"), ("export", "--as", "csv", "--out", "table.csv")):
        fails(futex(command, str(desk.folder / "out"), *options), "is not finished: start it again with the same words")


def test_folders_that_are_no_run(tmp_path):
    fails(futex("status", str(tmp_path / "nowhere")), "no such folder")
    fails(futex("status", str(tmp_path)), "is no run of FuTex")
    (tmp_path / "shards").mkdir()
    (tmp_path / "shards/manifest.json").write_text("[" * 100_000)
    fails(futex("status", str(tmp_path)), "is no run of FuTex")

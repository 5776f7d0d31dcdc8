"""Papers that kill whoever works on them, and workers that die for other reasons."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from sharded.runs_of import BEST, PAPER, Noting, Poisoning

from futex.errors import FutexError
from futex.sharded.completing import TRIES, complete
from futex.sharded.engine import Task
from futex.sharded.folder import RunFolder
from futex.sharded.local import LocalEngine


@pytest.mark.parametrize("recipe", [BEST, PAPER.but(network=False)], ids=["best", "paper"])
def test_poison_is_isolated_named_and_skipped(desk, papers, labels, recipe):
    """The run is then that of the corpus without these papers."""
    result = desk.run(recipe, engine=Poisoning("Look", "d5", "d6", "d11"))
    message = f"the process that worked on it died, again and again; to retry, remove {desk.folder}/out/shards/findings"
    assert desk.skipped == [
        f"paper {paper}: {message}/{shard}.parquet"
        for paper, shard in (("d5", "00001"), ("d6", "00001"), ("d11", "00002"))
    ]
    assert desk.run(recipe) == result  # the next run does not try again
    assert len(desk.skipped) == 3
    desk.give([paper for paper in papers if paper.id not in ("d5", "d6", "d11")], labels)
    assert result == desk.run(recipe, "without")


def test_poison_of_the_last_stage_takes_only_itself(desk):
    whole = desk.run(out="whole").splitlines()
    result = desk.run(engine=Poisoning("Predict", "d7")).splitlines()
    assert result == [line for i, line in enumerate(whole) if i != 7]


@pytest.mark.parametrize("stage", ["Look", "Predict"])
def test_a_paper_that_was_given_up_is_tried_again_without_its_shard(desk, stage):
    whole = desk.run(out="whole")
    desk.run(engine=Poisoning(stage, "d7"))
    (message,) = desk.skipped
    Path(message.partition("remove ")[2]).unlink()
    assert desk.run() == whole
    assert desk.skipped == []


def test_the_search_takes_few_trials(desk):
    """Three tries of the shard, halves of 2 and of 1, two more tries of the paper, and the rest of the shard."""
    engine = Poisoning("Look", "d5")
    desk.run(engine=engine)
    tasks = [task for stage, task in engine.tasks if stage == "Deadly" and task.number == 1]
    assert tasks == [
        *[Task(1)] * TRIES,
        *(Task(1, part=part) for part in [(0, 2), (2, 4), (0, 1), (1, 2), (1, 2), (1, 2)]),
        Task(1, skip=(1,)),
    ]


def test_a_worker_that_dies_once_costs_nothing(desk):
    expected = desk.run(out="whole")
    assert desk.run(engine=Poisoning("Look", "d5", only_once=desk.folder / "died")) == expected
    assert (desk.folder / "died").exists()
    assert desk.skipped == []


def test_papers_that_all_kill_are_not_to_blame(desk, papers, monkeypatch):
    monkeypatch.setattr("futex.sharded.completing.MOST_POISONED", 3)
    with pytest.raises(FutexError, match=r"Looking at papers: workers die again and again \(exit code 9\)"):
        desk.run(engine=Poisoning("Look", *(paper.id for paper in papers)))


def test_where_no_shard_gets_through_none_is_tried_again(desk, papers, monkeypatch):
    monkeypatch.setattr("futex.sharded.completing.MOST_POISONED", 2)
    engine = Poisoning("Look", *(paper.id for paper in papers))
    with pytest.raises(FutexError, match="workers die again and again"):
        desk.run(engine=engine)
    assert [task for stage, task in engine.tasks if stage == "Deadly"] == [Task(0), Task(1), Task(2)]


@dataclass(frozen=True)
class Failing:
    """A stage of one task, which fails in some way."""

    run: RunFolder
    how: str
    whole_corpus: bool = True

    title = "Failing"
    uses_transformer = True

    @property
    def place(self):
        return self.run.draft

    def key(self, number):
        return "any"

    def load(self):
        return self.work

    def work(self, task):
        raise {"memory": MemoryError(), "disk": OSError(28, "No space left on device"), "bug": ZeroDivisionError()}[
            self.how
        ]


@pytest.mark.parametrize(
    ("how", "error", "message"),
    [
        ("memory", FutexError, "workers die again and again .out of memory.*is there enough memory"),
        ("disk", FutexError, "No space left on device"),
        ("bug", RuntimeError, "ZeroDivisionError"),
    ],
)
def test_what_ends_a_run(tmp_path, how, error, message):
    engine = Noting(LocalEngine())
    with pytest.raises(error, match=message):
        complete(Failing(RunFolder(tmp_path), how), engine, [12])
    engine.close()
    assert len(engine.tasks) == (TRIES if how == "memory" else 1)

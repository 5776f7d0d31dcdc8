"""The same bytes from a Ray cluster, also when papers kill workers and when a node goes down."""

import os
import sys

import pytest
from sharded.runs_of import BEST, PAPER, Poisoning

from futex.errors import InputError
from futex.sharded.engine import Outcome, Task
from futex.sharded.on_ray import RayEngine

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'futex[ray]'")


@pytest.fixture
def cluster(monkeypatch):
    """A head that drives and two nodes of a core each, whose workers find what tests import."""
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    small = {"object_store_memory": 512 * 2**20}
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False, **small})
    made.workers = [made.add_node(num_cpus=1, **small) for _ in range(2)]
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.mark.slow
def test_a_run_on_a_cluster_is_that_of_one_machine(desk, cluster):
    for recipe in (BEST, PAPER):
        expected = desk.run(recipe, f"local-{recipe.name}")
        assert desk.run(recipe, f"ray-{recipe.name}", RayEngine(cluster.address)) == expected


@pytest.mark.slow
def test_poison_on_a_cluster_is_isolated_named_and_skipped(desk, cluster):
    expected = desk.run(out="local", engine=Poisoning("Look", "d5"))
    assert desk.run(out="ray", engine=Poisoning("Look", "d5", engine=RayEngine(cluster.address))) == expected
    assert [message.split(":")[0] for message in desk.skipped] == ["paper d5"]


class LosingANode(RayEngine):
    """One node goes down when the first shard over the cluster is done."""

    def __init__(self, cluster):
        super().__init__(cluster.address)
        self._going_down = [cluster.workers[0]]
        self._cluster = cluster

    def _map(self, stage, tasks):
        for outcome in super()._map(stage, tasks):
            yield outcome
            while self._going_down:
                self._cluster.remove_node(self._going_down.pop(), allow_graceful=False)


@pytest.mark.slow
def test_a_node_that_goes_down_changes_nothing(desk, cluster, monkeypatch):
    monkeypatch.setattr("futex.sharded.papers.PAPERS_A_SHARD", 1)
    expected = desk.run(out="local")
    engine = LosingANode(cluster)
    assert desk.run(out="ray", engine=engine) == expected
    assert engine._going_down == []


def test_tasks_that_never_come_back_are_lost(monkeypatch):
    """Whether Ray says so (an error), or just drops them (errored blocks are left out)."""
    tasks = [Task(number) for number in range(4)]
    engine = object.__new__(RayEngine)
    engine._ray = ray

    def rows(stage, tasks):
        yield {"task": 2, "fault": "", "bug": "", "death": ""}
        yield {"task": 0, "fault": "", "bug": "", "death": "exit code 9"}
        if stage == "breaks":
            raise ray.exceptions.RayError("all is lost\nand more")

    monkeypatch.setattr(engine, "_rows", rows, raising=False)
    came_back = [Outcome(Task(2)), Outcome(Task(0), death="exit code 9")]
    for stage, reason in (("ends", "its node went down"), ("breaks", "all is lost")):
        lost = [Outcome(Task(number), death=reason) for number in (1, 3)]
        assert list(engine._map(stage, tasks)) == [*came_back, *lost]
    assert list(engine._map("ends", [])) == []


def test_no_cluster_where_one_is_said_to_be():
    with pytest.raises(InputError, match="cannot join the Ray cluster"):
        RayEngine("127.0.0.1:1")

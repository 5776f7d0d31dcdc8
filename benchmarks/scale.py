"""Papers through the local engine and through a Ray cluster of two nodes, one of which is killed in the middle.

    python benchmarks/scale.py CORPUS --labels LABELS [--limit 500] [--plm embedded] [--recipe best]

Both begin with an empty cache. Prints whether the bytes are equal, papers an hour a core, memory and disk.
"""

import argparse
import contextlib
import os
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from measuring import size_of, table
from memory import memory_of

from futex.config import Recipe
from futex.runs.inputs import Inputs
from futex.runs.run import run
from futex.sharded.engine import Engine
from futex.sharded.local import LocalEngine
from futex.sharded.on_ray import RayEngine

NODES = 2


@dataclass
class Measured:
    predictions: bytes
    seconds: float
    memory: float
    """The most that all our processes held together, in GB."""
    folder: int
    cache: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("papers")
    parser.add_argument("--labels", required=True)
    parser.add_argument("--limit", type=int, default=500)
    parser.add_argument("--plm", default="embedded")
    parser.add_argument("--recipe", default="best")
    options = parser.parse_args()
    cores = max(1, len(os.sched_getaffinity(0)) // NODES) * NODES
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        local = measured(options, LocalEngine(spawned=True), Path(folder, "local"))
        rows.append(row("local", local, options.limit, cores))
        with cluster(cores // NODES) as (address, kill):
            whole = measured(options, RayEngine(address), Path(folder, "ray"))
            rows.append(row(f"Ray, {NODES} nodes", whole, options.limit, cores))
            # the node goes down when findings are there and predictions are being made
            shelf = Path(folder, "killed/out/shards/predictions")
            # if the run fails before, it waits for ever: a daemon does not keep us
            killer = threading.Thread(target=kill_at, args=(shelf, kill), daemon=True)
            killer.start()
            killed = measured(options, RayEngine(address), Path(folder, "killed"))
            killer.join()
            rows.append(row("Ray, one node killed", killed, options.limit, cores))
    print(f"{options.limit} papers, {cores} cores")
    table("engine | time | papers an hour a core | memory | run folder | cache", rows)
    same = [result.predictions == local.predictions for result in (whole, killed)]
    print(f"the bytes of the local engine: Ray {same[0]}, with a node killed {same[1]}")


def measured(options: argparse.Namespace, engine: Engine, folder: Path) -> Measured:
    inputs = Inputs(papers=options.papers, labels=options.labels, limit=options.limit)
    recipe = Recipe.load(options.recipe).but(plm=options.plm)
    start = time.perf_counter()
    with watched_memory() as most:
        run(inputs, folder / "out", recipe, folder / "cache", engine=engine)
    seconds = time.perf_counter() - start
    predictions = (folder / "out/predictions.jsonl").read_bytes()
    return Measured(predictions, seconds, max(most), size_of(folder / "out"), size_of(folder / "cache"))


def row(name: str, result: Measured, papers: int, cores: int) -> list[str]:
    rate = papers / result.seconds * 3600 / cores
    sizes = [f"{size / 2**20:,.0f} MB" for size in (result.folder, result.cache)]
    return [name, f"{result.seconds:.0f} s", f"{rate:,.0f}", f"{1000 * result.memory:,.0f} MB", *sizes]


@contextlib.contextmanager
def cluster(cpus: int):
    """A head without cores and two nodes, as processes of this machine; gives a function that kills one of them."""
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    nodes = [made.add_node(num_cpus=cpus) for _ in range(NODES)]
    try:
        yield made.address, lambda: made.remove_node(nodes[0], allow_graceful=False)
    finally:
        made.shutdown()


def kill_at(shelf: Path, kill) -> None:
    while not any(shelf.glob("*.json")):
        time.sleep(0.1)
    kill()


@contextlib.contextmanager
def watched_memory():
    """Every second, the memory of this process and all processes below it; shared pages are shared out."""
    most = [0.0]
    done = threading.Event()

    def watch() -> None:
        while not done.wait(1.0):
            most.append(sum(sum(memory_of(process)) for process in family(os.getpid())))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield most
    finally:
        done.set()
        watcher.join()


def family(process: int) -> list[int]:
    """The process and all below it, Ray's own ones too, which are in groups of their own."""
    below = [process]
    for one in below:
        with contextlib.suppress(OSError):
            for children in Path(f"/proc/{one}/task").glob("*/children"):
                below += map(int, children.read_text().split())
    return below


if __name__ == "__main__":
    main()

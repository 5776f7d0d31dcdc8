"""How cost grows with the corpus: time of every stage and peak memory at 250, 500, 1,000 and 2,000 papers.

    python benchmarks/growth.py PAPERS --labels LABELS [--plm static] [--sizes 250 500 1000 2000] [--plot growth.png]

Each size is a process of its own with an empty cache. The exponent b of time = a·sizeᵇ is fitted over the sizes; 1 is
linear. The PLM's own cost is the number of tokens, so the light one shows best what grows beside it.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from measuring import table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("papers")
    parser.add_argument("--labels", required=True)
    parser.add_argument("--plm", default="static")
    parser.add_argument("--sizes", type=int, nargs="+", default=[250, 500, 1000, 2000])
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--measure", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(options, options.measure)))
    else:
        show(options, {size: best_round(options, size) for size in options.sizes})


def best_round(options, size: int) -> dict[str, float]:
    command = [sys.executable, *sys.argv, "--measure", str(size)]
    rounds = [
        json.loads(subprocess.run(command, check=True, capture_output=True).stdout) for _ in range(options.rounds)
    ]
    print(f"  {size} papers: {rounds[0]}", file=sys.stderr, flush=True)
    return {name: min(one[name] for one in rounds) for name in rounds[0]}


def measure(options, size: int) -> dict[str, float]:
    """One corpus through the stages, one after the other."""
    from futex.candidates import Matcher, retrieve
    from futex.config import RECIPES
    from futex.corpus.store import spool_papers
    from futex.evidence import predictions
    from futex.hierarchy.bi_encoder import BiEncoder
    from futex.labels.store import read_labels
    from futex.pipeline import FuTex
    from futex.plm.checkpoints import load_plm
    from futex.self_training.tfidf import count_words

    seconds: dict[str, float] = {}

    @contextmanager
    def stage(name: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        seconds[name] = time.perf_counter() - start

    with tempfile.TemporaryDirectory() as cache:
        labels = read_labels(options.labels)
        model = FuTex(RECIPES["paper"], plm=load_plm(options.plm), cache=Path(cache))
        model.use_labels(labels)
        with stage("reading"):
            papers = spool_papers(options.papers, limit=size)
        with stage("matching"):
            candidates = retrieve(papers, Matcher(labels))
        with stage("encoding abstracts"):
            abstracts = BiEncoder(model.plm, labels, "abstract").rank(papers, candidates)
        with stage("encoding full texts"):
            BiEncoder(model.plm, labels, "full").rank(papers, candidates)
        with stage("self-training"):
            initial = [abstracts[paper.id] for paper in papers]
            model.self_training.learn(count_words(paper.full_text() for paper in papers), initial)
            final = model.self_training.relabel(papers, initial)
        with stage("evidence"):
            for _ in predictions(model, papers, final, 20):
                pass
    own, children = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return {**seconds, "memory": max(own, children) / 1e6}


def show(options, found: dict[int, dict[str, float]]) -> None:
    sizes = list(found)
    rows = []
    for name in found[sizes[0]]:
        values = [found[size][name] for size in sizes]
        exponent = np.polyfit(np.log(sizes), np.log(values), 1)[0]
        unit = "GB" if name == "memory" else "s"
        rows.append([name, *(f"{value:.2f} {unit}" for value in values), f"{exponent:.2f}"])
    table("stage | " + " | ".join(f"{size:,}" for size in sizes) + " | exponent", rows)
    if options.plot:
        plot(found, options.plot)


def plot(found: dict[int, dict[str, float]], path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    sizes = list(found)
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4))
    for name in found[sizes[0]]:
        if name != "memory":
            left.loglog(sizes, [found[size][name] for size in sizes], "o-", label=name)
    left.set(title="Time of each stage", xlabel="papers", ylabel="seconds")
    left.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    right.plot(sizes, [found[size]["memory"] for size in sizes], "o-")
    right.set(title="Peak memory, largest process", xlabel="papers", ylabel="GB", ylim=(0, None))
    for axes in (left, right):
        axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
        axes.set_xticks([], minor=True)
    figure.tight_layout()
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main()

"""What whole runs on 10,000 to 100,000 papers cost: time a paper and peak memory, and how both grow.

    python benchmarks/synthetic.py build/large.jsonl.zst --from papers.jsonl.xz --papers 100000
    python benchmarks/large.py build/large.jsonl.zst --labels labels.jsonl [--sizes 10000 20000 50000 100000]
        [--ways "best, static"]

Each run is `futex run` with an empty cache, in processes of its own. A static PLM reads no pairs, so no run of it
fine-tunes; what fine-tuning asks of the whole corpus, P→P←P triples, is drawn apart, as many as the paper draws.

The exponent b of time = a·sizeᵇ holds between a size and the one before it; 1 is linear.
"""

import argparse
import math
import sys
import tempfile
from pathlib import Path

from measuring import FUTEX, table
from memory import Cost, cost_of

from futex.corpus.citations import CitationGraph, MetaPath
from futex.corpus.store import spool_papers
from futex.network.finetune import PAPER_TRIPLES
from futex.network.triples import sample_triples
from futex.plm.checkpoints import load_plm

SAMPLING = "P→P←P triples"
WAYS = {
    "best, no PLM": ["--recipe", "best", "--plm", "none"],
    "best, static": ["--recipe", "best", "--plm", "static"],
    "paper, static": ["--recipe", "paper", "--plm", "static"],
    SAMPLING: [],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("papers")
    parser.add_argument("--labels", required=True)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 20_000, 50_000, 100_000])
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS), metavar="WAY")
    parser.add_argument("--triples", type=int, default=PAPER_TRIPLES)
    parser.add_argument("--sample", type=int, metavar="SIZE", help="draw the triples of so many papers, nothing else")
    options = parser.parse_args()
    if options.sample:
        sample(options)
        return
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        load_plm("static").save(Path(folder, "static"))  # distilling it is no part of a run
        for way in options.ways:
            costs = [cost(way, size, options, Path(folder)) for size in options.sizes]
            rows += [as_row(way, options.sizes, costs, i) for i in range(len(costs))]
    table("what | papers | time | ms/paper | exponent | memory | mapped files", rows)


def cost(way: str, size: int, options: argparse.Namespace, folder: Path) -> Cost:
    """Of one run, whose output is thrown away."""
    corpus = [options.papers, "--labels", options.labels]
    if way == SAMPLING:
        return cost_of([sys.executable, __file__, *corpus, "--sample", str(size), "--triples", str(options.triples)])
    chosen = [str(folder / "static") if word == "static" else word for word in WAYS[way]]
    with tempfile.TemporaryDirectory(dir=folder) as empty:
        where = ["--out", f"{empty}/run", "--cache", f"{empty}/cache", "--limit", str(size)]
        found = cost_of([*FUTEX, "run", *corpus, *chosen, *where])
    print(f"{way}, {size:,} papers: {found}", file=sys.stderr, flush=True)
    return found


def sample(options: argparse.Namespace) -> None:
    papers = spool_papers(options.papers, limit=options.sample)
    drawn = sample_triples(CitationGraph(papers), MetaPath.parse("P->P<-P"), options.triples, seed=0)
    print(f"{len(drawn.triples):,} triples of {len(papers):,} papers", file=sys.stderr, flush=True)


def as_row(way: str, sizes: list[int], costs: list[Cost], i: int) -> list[str]:
    size, found = sizes[i], costs[i]
    exponent = math.log(found.seconds / costs[i - 1].seconds) / math.log(size / sizes[i - 1]) if i else None
    return [
        way,
        f"{size:,}",
        f"{found.seconds:.0f} s",
        f"{1000 * found.seconds / size:.2f}",
        "" if exponent is None else f"{exponent:.2f}",
        f"{found.own:.2f} GB",
        f"{found.mapped:.2f} GB",
    ]


if __name__ == "__main__":
    main()

"""What a paper costs with each PLM: constants measured on one corpus, and how well they foretell another.

    python benchmarks/cost_model.py FOLDER OTHER_FOLDER      (each with papers.jsonl.xz and labels.jsonl)

The model of docs/scaling.md: CPU time = start + words · rate. Both constants come from two runs of the first corpus, a
short and a longer one, each with an empty cache; then two such runs of the other corpus are foretold from their words.
"""

import argparse
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from measuring import FUTEX, size_of, table
from memory import Cost, cost_of

from futex.corpus.store import spool_papers

SIZES = {"none": (200, 2000), "static": (200, 2000), "embedded": (20, 60)}


@dataclass
class Run:
    papers: int
    words: int
    cost: Cost
    folder: int
    cache: int
    traffic: int
    """Bytes between a worker and the shared folder, if each shard is worked on somewhere else."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("measured", type=Path)
    parser.add_argument("foretold", type=Path)
    parser.add_argument("--plm", nargs="+", choices=SIZES, default=list(SIZES))
    options = parser.parse_args()
    constants, errors = [], []
    for plm in options.plm:
        short, long = (run(options.measured, plm, size) for size in SIZES[plm])
        rate = (long.cost.cpu - short.cost.cpu) / (long.words - short.words)
        start = short.cost.cpu - rate * short.words
        constants.append(as_constants(plm, start, rate, long))
        for seen in (run(options.foretold, plm, size) for size in SIZES[plm]):
            errors.append(as_error(plm, options.foretold.name, seen, start + rate * seen.words))
    table(
        "--plm | start, CPU-s | CPU-s a million words | words a paper | papers an hour a core | cores busy"
        " | memory | run folder, a paper | cache, a paper | network, a paper",
        constants,
    )
    table("--plm | corpus | papers | words a paper | CPU-s | foretold | error", errors)


def run(corpus: Path, plm: str, size: int) -> Run:
    papers = corpus / "papers.jsonl.xz"
    words = sum(len(text.split()) for paper in spool_papers(str(papers), limit=size) for text in texts_of(paper))
    with tempfile.TemporaryDirectory() as empty:
        out, cache = Path(empty, "run"), Path(empty, "cache")
        where = ["--labels", str(corpus / "labels.jsonl"), "--out", str(out), "--cache", str(cache)]
        cost = cost_of([*FUTEX, "run", str(papers), *where, "--plm", plm, "--limit", str(size)])
        read, found, predicted = (size_of(out / "shards" / name) for name in ("papers", "findings", "predictions"))
        # papers and findings are written once and read by two stages, predictions once by the driver
        traffic = 3 * read + 3 * found + 2 * predicted + size_of(cache)
        return Run(size, words, cost, size_of(out), size_of(cache), traffic)


def texts_of(paper) -> list[str]:
    return [paper.title_and_abstract, *(place.text for place in paper.paragraphs())]


def as_constants(plm: str, start: float, rate: float, long: Run) -> list[str]:
    words = long.words / long.papers
    return [
        plm,
        f"{start:.0f}",
        f"{rate * 1e6:.2f}",
        f"{words:,.0f}",
        f"{3600 / (rate * words):,.0f}",
        f"{long.cost.cpu / long.cost.seconds:.2f} of {len(os.sched_getaffinity(0))}",
        f"{long.cost.own:.2f} GB",
        f"{long.folder / long.papers / 1000:.0f} kB",
        f"{long.cache / long.papers / 1000:.0f} kB",
        f"{long.traffic / long.papers / 1000:.0f} kB",
    ]


def as_error(plm: str, corpus: str, seen: Run, foretold: float) -> list[str]:
    error = foretold / seen.cost.cpu - 1
    words = seen.words / seen.papers
    return [
        plm,
        corpus,
        f"{seen.papers:,}",
        f"{words:,.0f}",
        f"{seen.cost.cpu:.0f}",
        f"{foretold:.0f}",
        f"{error:+.0%}",
    ]


if __name__ == "__main__":
    main()

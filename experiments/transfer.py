"""The weights of `--recipe transfer` (src/futex/naming/transfer.py), learnt from the gold of some collections.

    python experiments/transfer.py --corpus data/elife 2000 3500 --corpus data/plos 1000 2177

Each is a folder with papers.jsonl.xz, labels.jsonl and gold.jsonl, and which of its papers teach: from the first
number, counted from 0, up to the other. Every paper counts twice, whole and without its body: many collections hold
abstracts only. With `--test FOLDER FIRST END` the weights are tried on other papers beside `best`, and not printed.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np

from futex import Gold, LabelSpace, Paper, Unit, evaluate, read_labels, read_papers
from futex.config import cache_folder
from futex.evaluation.bootstrap import paired_difference
from futex.naming.features import FEATURES
from futex.naming.ranker import NameRanker
from futex.naming.regression import Regression
from futex.plm.cache import CachedPLM
from futex.plm.checkpoints import load_plm

LEFT_OUT = (
    *("similar to abstract", "similar to nearest paragraphs", "similar to all paragraphs"),
    *("log rank by abstract", "log rank by nearest paragraphs"),
    *("depth in the taxonomy", "log narrower labels", "log names around its own", "given before", "log times given"),
)
"""What means something else with another PLM, in another taxonomy, or nothing before labels were given. What a PLM
thinks is part of the score all the same, made to mean the same with any."""


def main() -> None:
    options = arguments()
    plm = CachedPLM(load_plm(options.plm, options.cache), options.cache)
    examples = [
        examples_of(NameRanker(labels, plm), some, gold)
        for papers, labels, gold in map(collection, options.corpus)
        for some in (papers, [replace(paper, body=Unit()) for paper in papers])
    ]
    rows, applies = (np.concatenate(parts) for parts in zip(*examples, strict=True))
    learnt = Regression.fit(rows, applies)
    kept = {name: round(value, 3) for name, value in learnt.as_dict().items() if name not in LEFT_OUT}
    if not options.test:
        print(json.dumps(kept, indent=4))
    for test in options.test:
        compare(test, Regression.from_dict(dict.fromkeys(FEATURES, 0.0) | kept), plm)


def collection(where: Sequence[str]) -> tuple[list[Paper], LabelSpace, Gold]:
    folder, first, end = Path(where[0]), int(where[1]), int(where[2])
    papers = list(islice(read_papers(folder / "papers.jsonl.xz", limit=end), first, None))
    return papers, read_labels(folder / "labels.jsonl"), Gold.read(folder / "gold.jsonl")


def examples_of(ranker: NameRanker, papers: Sequence[Paper], gold: Gold) -> tuple[np.ndarray, np.ndarray]:
    counts = ranker.look(papers)
    ranker.learn(counts)
    rows, applies = ranker.examples(papers, counts, gold)
    rows[:, [FEATURES.index(name) for name in LEFT_OUT]] = 0
    return rows, applies


def compare(where: Sequence[str], learnt: Regression, plm: CachedPLM) -> None:
    papers, labels, gold = collection(where)
    found = {}
    for name, weights in (("transfer", learnt), ("best", None)):
        ranker = NameRanker(labels, plm, transferred=weights)
        counts = ranker.look(papers)
        ranker.learn(counts)
        found[name] = evaluate(ranker.conclude(papers, counts), gold)
    print(f"{' '.join(where)}:")
    for metric in ("P@1", "P@5", "NDCG@5"):
        both = " against ".join(f"{found[name].mean(metric):.3f}" for name in found)
        difference = paired_difference(found["transfer"], found["best"], metric)
        print(f"  {metric} {both} ({difference.low:+.3f} to {difference.high:+.3f})")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    where = {"nargs": 3, "action": "append", "metavar": ("FOLDER", "FIRST", "END")}
    parser.add_argument("--corpus", required=True, **where)
    parser.add_argument("--test", default=[], **where)
    parser.add_argument("--plm", default="static")
    parser.add_argument("--cache", type=Path, default=cache_folder())
    return parser.parse_args()


if __name__ == "__main__":
    main()

"""Where the time of self-training goes, and how it grows with the corpus.

    python benchmarks/self_training.py PAPERS --labels LABELS [--sizes 500 1000 2000]

Labels are the first five candidates of each paper, whatever their rank: it is the time that is looked at.
"""

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager

from measuring import table

from futex.candidates import Matcher, retrieve
from futex.config import RECIPES
from futex.corpus.store import spool_papers
from futex.labels.store import read_labels
from futex.self_training.parabel import Parabel
from futex.self_training.relabelling import PREDICTED
from futex.self_training.tfidf import TfIdf, count_words

RECIPE = RECIPES["paper"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("papers")
    parser.add_argument("--labels", required=True)
    parser.add_argument("--sizes", type=int, nargs="+", default=[500, 1000, 2000])
    options = parser.parse_args()
    found = [measure(options.papers, options.labels, size) for size in options.sizes]
    heads = " | ".join(f"{size:,} papers" for size in options.sizes)
    table(f"| {heads}", [[name, *(one[name] for one in found)] for name in found[0]])


def measure(where: str, vocabulary: str, size: int) -> dict[str, str]:
    shown: dict[str, str] = {}

    @contextmanager
    def part(name: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        shown[name] = f"{time.perf_counter() - start:.1f} s"

    labels, papers = read_labels(vocabulary), spool_papers(where, limit=size)
    candidates = retrieve(papers, Matcher(labels))
    pseudo = [sorted(labels.position[own] for own in list(candidates[paper.id])[:5]) for paper in papers]
    shown["different labels"] = f"{len({label for own in pseudo for label in own}):,}"
    with part("counting words"):
        words = list(count_words(paper.full_text() for paper in papers))
    with part("tf-idf"):
        x = TfIdf(RECIPE.min_papers_per_word).fit_transform(words)
    parabel = Parabel(RECIPE.trees, RECIPE.leaf_labels, RECIPE.beam, RECIPE.seed)
    with part("training classifiers"):
        parabel.fit(x, pseudo)
    with part("predicting"):
        parabel.predict(x, PREDICTED)
    return shown


if __name__ == "__main__":
    main()

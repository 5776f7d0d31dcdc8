"""Table 3 of the paper and two floors on any corpus: FuTex, its three ablations, abstract cosine, random candidates.

    python experiments/ablations.py PAPERS --labels LABELS --gold GOLD [--limit 300] [--cache DIR]

Prints a Markdown table of P@1, P@3, P@5, NDCG@5 with 95 % bootstrap intervals. Embeddings and the fine-tuned model are
shared between the rows through the cache.
"""

import argparse
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from futex import FuTex, Gold, LabelSpace, Paper, Ranking, Recipe, evaluate, read_labels, read_papers
from futex.candidates import Matcher, retrieve
from futex.config import cache_folder
from futex.evaluation.bootstrap import confidence
from futex.hierarchy.bi_encoder import BiEncoder

METRICS = ("P@1", "P@3", "P@5", "NDCG@5", "PSP@5")
Rankings = Mapping[str, Ranking]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("papers")
    parser.add_argument("--labels", required=True)
    parser.add_argument("--gold", required=True, type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--plm", default="embedded")
    parser.add_argument("--triples", type=int)
    parser.add_argument("--one-plm", action="store_true", help="also with the fine-tuned PLM as Bi-Encoder (slow)")
    parser.add_argument("--cache", type=Path, default=cache_folder())
    options = parser.parse_args()
    papers = read_papers(options.papers, limit=options.limit)
    labels, gold = read_labels(options.labels), Gold.read(options.gold)
    recipe = Recipe(plm=options.plm).but(triples=options.triples)

    def futex(**changes: object) -> Rankings:
        return FuTex(recipe.but(**changes), cache=options.cache).fit_rank(papers, labels)

    methods: dict[str, Callable[[], Rankings]] = {
        "candidates in random order": lambda: shuffled(papers, labels),
        "cosine on title+abstract": lambda: abstract_cosine(papers, labels, FuTex(recipe, cache=options.cache)),
        "FuTex-NoNetwork": lambda: futex(network=False),
        "FuTex-NoHierarchy": lambda: futex(hierarchy=False),
        "FuTex-NoSelfTrain": lambda: futex(self_training=False),
        "FuTex": futex,
    }
    if options.one_plm:
        methods["FuTex, one PLM for both encoders"] = lambda: futex(bi_encoder="fine-tuned")
    print(f"{len(papers)} papers of {options.papers}, {len(labels)} labels, PLM {recipe.plm}\n")
    print("| method | " + " | ".join(METRICS) + " |")
    print("|---|" + "---|" * len(METRICS))
    for name, rank in methods.items():
        print(row(name, rank(), gold), flush=True)


def row(name: str, rankings: Rankings, gold: Gold) -> str:
    evaluation = evaluate(rankings, gold)
    intervals = confidence(evaluation)
    cells = [f"{evaluation.mean(m):.3f} ({intervals[m][0]:.3f}–{intervals[m][1]:.3f})" for m in METRICS]
    return f"| {name} | " + " | ".join(cells) + " |"


def abstract_cosine(papers: Sequence[Paper], labels: LabelSpace, model: FuTex) -> Rankings:
    return BiEncoder(model.plm, labels, "abstract").rank(papers, retrieve(papers, Matcher(labels)))


def shuffled(papers: Sequence[Paper], labels: LabelSpace, seed: int = 0) -> Rankings:
    rng = random.Random(seed)
    found = retrieve(papers, Matcher(labels))
    orders = {paper: rng.sample(list(candidates), len(candidates)) for paper, candidates in found.items()}
    return {paper: Ranking(tuple(order), tuple(range(len(order), 0, -1))) for paper, order in orders.items()}


if __name__ == "__main__":
    main()

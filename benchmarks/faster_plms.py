"""PLMs that are not exact: how much faster they encode, and what they cost in accuracy.

    python benchmarks/faster_plms.py [FOLDER …] [--limit 300]

A folder has papers.jsonl.xz or papers.parquet, labels.jsonl and gold.jsonl; without one it is build/demo.
All rank the same candidates by the full text's section tree (score_B), so the difference in P@5 is the PLM's alone.
"""

import argparse
from pathlib import Path

from measuring import best_of, embedded, paragraphs, table

from futex import read_labels, read_papers
from futex.candidates import Matcher, retrieve
from futex.config import cache_folder
from futex.evaluation.bootstrap import confidence
from futex.evaluation.gold import Gold
from futex.evaluation.metrics import evaluate
from futex.hierarchy.bi_encoder import BiEncoder
from futex.plm.cache import CachedPLM
from futex.plm.checkpoints import load_plm
from futex.plm.protocol import TrainablePLM


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpora", type=Path, nargs="*", default=[Path("build/demo")], metavar="FOLDER")
    parser.add_argument("--limit", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    plms = {"embedded": embedded(), **{name: load_plm(name) for name in ("bf16:embedded", "static")}}
    for corpus in options.corpora:
        compare(plms, corpus, options.limit, options.rounds)


def compare(plms: dict[str, TrainablePLM], corpus: Path, limit: int, rounds: int) -> None:
    papers = read_papers(next(corpus.glob("papers.*")), limit=limit)
    labels, gold = read_labels(corpus / "labels.jsonl"), Gold.read(corpus / "gold.jsonl")
    texts = paragraphs(papers, plms["embedded"], 128)
    seconds = best_of({name: lambda plm=plm: plm.embed(texts) for name, plm in plms.items()}, rounds)
    print(f"{corpus.name}: {len(texts)} paragraphs; accuracy on {len(papers)} papers")
    candidates = retrieve(papers, Matcher(labels))
    truth = Gold({paper.id: gold[paper.id] for paper in papers if paper.id in gold})
    rows = []
    for name, plm in plms.items():
        rankings = BiEncoder(CachedPLM(plm, cache_folder()), labels, "full").rank(papers, candidates)
        evaluation = evaluate({paper: rankings[paper] for paper in truth}, truth)
        intervals = confidence(evaluation)
        found = evaluation.as_dict()
        figures = [f"{found[m]:.3f} ({intervals[m][0]:.3f}–{intervals[m][1]:.3f})" for m in ("P@1", "P@5", "NDCG@5")]
        speed, ratio = len(texts) / seconds[name], seconds["embedded"] / seconds[name]
        rows.append([name, f"{speed:.0f}", f"{ratio:.3g}×", *figures])
    table("PLM | paragraphs/s | of embedded | P@1 | P@5 | NDCG@5", rows)


if __name__ == "__main__":
    main()

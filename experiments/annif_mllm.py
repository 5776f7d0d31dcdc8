"""`futex adapt` beside Annif's `mllm`, both taught by the same papers and tested on the same others.

    python -m venv annif && annif/bin/pip install 'annif==1.4.*'
    NLTK_DATA=… python experiments/annif_mllm.py --annif annif/bin/annif \
        --papers papers.jsonl.xz --labels labels.jsonl --gold gold.jsonl --train 50 200 --test 300

Annif wants NLTK's `punkt_tab`: where it cannot download it, set NLTK_DATA to a folder that has it.
Papers that are tested, and others that teach, are drawn at random. Annif reads the same full texts.
"""

import argparse
import random
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from rdflib import RDF, SKOS, Graph, Literal, URIRef
from rich.console import Console
from rich.table import Table

from futex import FuTex, Gold, LabelSpace, Paper, evaluate, read_labels, read_papers
from futex.config import RECIPES, cache_folder
from futex.evaluation.bootstrap import confidence, paired_difference
from futex.evaluation.metrics import Evaluation
from futex.ranking import Ranking

METRICS = ("P@1", "P@3", "P@5", "NDCG@5", "PSP@5")
LABEL = "http://example.org/label/"
LIMIT = 20

PROJECT = """
[{name}]
name={name}
language=en
backend=mllm
vocab=labels
analyzer=snowball(english)
limit={limit}
"""


def main() -> None:
    options = arguments()
    papers, labels, gold = read_papers(options.papers), read_labels(options.labels), Gold.read(options.gold)
    random.Random(options.seed).shuffle(papers)  # files are often in the order of journals or years
    test, others = papers[: options.test], [paper for paper in papers[options.test :] if gold.get(paper.id)]
    if max(options.train) > len(others):
        sys.exit(f"only {len(others)} papers with gold are left beside those tested: give a smaller --train or --test")
    truth = Gold({paper.id: gold[paper.id] for paper in test if gold.get(paper.id)})
    best = FuTex(RECIPES["best"].but(plm=options.plm), cache=options.cache)
    rankings = {"best, no gold": best.fit_rank(test, labels)}
    with tempfile.TemporaryDirectory() as folder:
        annif = Annif(options.annif, Path(folder), labels, test)
        for count in options.train:
            best.adapt(others[:count], gold)
            rankings[f"futex adapt, {count} papers"] = best.rank(test)
            rankings[f"Annif mllm, {count} papers"] = annif.taught_by(others[:count], gold)
    show({name: evaluate(found, truth) for name, found in rankings.items()})


class Annif:
    """A folder of Annif's, and the papers that it is asked about."""

    def __init__(self, command: str, folder: Path, labels: LabelSpace, test: Sequence[Paper]) -> None:
        self._command = str(Path(command).resolve())
        self._folder = folder
        self._labels = labels
        self._test = test
        self._skos().serialize(folder / "labels.ttl", format="turtle")
        (folder / "projects.cfg").write_text("")
        (folder / "test").mkdir()
        for number, paper in enumerate(test):
            (folder / "test" / f"{number}.txt").write_text(paper.full_text(), encoding="utf-8")

    def taught_by(self, papers: Sequence[Paper], gold: Gold) -> dict[str, Ranking]:
        name = f"mllm{len(papers)}"
        with (self._folder / "projects.cfg").open("a") as projects:
            projects.write(PROJECT.format(name=name, limit=LIMIT))
        corpus = self._folder / name
        corpus.mkdir()
        for number, paper in enumerate(papers):
            (corpus / f"{number}.txt").write_text(paper.full_text(), encoding="utf-8")
            known = [self._labels.position[label] for label in gold[paper.id] if label in self._labels]
            (corpus / f"{number}.tsv").write_text("".join(f"<{LABEL}{one}>\t{one}\n" for one in known))
        self._run("load-vocab", "labels", "labels.ttl", "--force")  # Annif knows it by its projects
        self._run("train", name, name)
        self._run("index", name, "test", "--suffix", f".{name}", "--force")
        return {paper.id: self._ranking(f"{number}.{name}") for number, paper in enumerate(self._test)}

    def _ranking(self, file: str) -> Ranking:
        rows = [line.split("\t") for line in (self._folder / "test" / file).read_text(encoding="utf-8").splitlines()]
        scores = {int(uri.strip("<>").removeprefix(LABEL)): float(score) for uri, _, score in rows}
        return Ranking.of({self._labels.ids[number]: score for number, score in scores.items()})

    def _run(self, *words: str) -> None:
        subprocess.run([self._command, *words], cwd=self._folder, check=True)

    def _skos(self) -> Graph:
        graph, position = Graph(), self._labels.position
        for label in self._labels.values():
            concept = URIRef(f"{LABEL}{position[label.id]}")
            graph.add((concept, RDF.type, SKOS.Concept))
            graph.add((concept, SKOS.prefLabel, Literal(label.name, lang="en")))
            for synonym in label.synonyms:
                graph.add((concept, SKOS.altLabel, Literal(synonym, lang="en")))
            for broader in label.broader:
                if broader in position:
                    graph.add((concept, SKOS.broader, URIRef(f"{LABEL}{position[broader]}")))
        return graph


def show(evaluations: Mapping[str, Evaluation]) -> None:
    table = Table(title=f"{next(iter(evaluations.values())).papers} papers", title_justify="left")
    for head in ("", *METRICS):
        table.add_column(head)
    for name, evaluation in evaluations.items():
        bounds = confidence(evaluation)
        cells = (f"{evaluation.mean(m):.3f} ({bounds[m][0]:.3f}–{bounds[m][1]:.3f})" for m in METRICS)
        table.add_row(name, *cells)
    console = Console(width=150)
    console.print(table)
    for name, ours in evaluations.items():
        theirs = name.replace("futex adapt", "Annif mllm")
        if theirs != name:
            for metric in ("P@5", "NDCG@5"):
                found = paired_difference(ours, evaluations[theirs], metric)
                bounds = f"{found.low:+.3f} to {found.high:+.3f}"
                console.print(f"{name} against {theirs}: {metric} {found.mean:+.3f} ({bounds}, paired bootstrap)")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--annif", required=True, help="Annif's command, best from an environment of its own")
    parser.add_argument("--papers", required=True)
    parser.add_argument("--labels", required=True)
    parser.add_argument("--gold", required=True, type=Path)
    parser.add_argument("--train", nargs="+", type=int, default=[50, 200])
    parser.add_argument("--test", type=int, default=300)
    parser.add_argument("--plm", default="embedded", help="for futex adapt; none is fast")
    parser.add_argument("--cache", type=Path, default=cache_folder())
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


if __name__ == "__main__":
    main()

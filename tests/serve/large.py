"""A run with as many labels as large thesauri have, in three levels. It needs no PLM, so it is made in seconds."""

from itertools import product
from pathlib import Path

from futex.config import RECIPES
from futex.corpus.paper import Paper
from futex.corpus.store import write_papers
from futex.labels.label import Label, LabelSpace
from futex.labels.store import write_labels
from futex.runs.inputs import Inputs
from futex.runs.run import run

FIELDS, TOPICS, SUBJECTS = 20, 50, 49
"""Each field has so many topics, each topic so many subjects: 50,020 labels."""

FIRST = ("al", "be", "cor", "du", "em", "fi", "gra", "hol", "in", "ju", "kel", "lo", "mi", "nu", "or", "pra")
LAST = ("bane", "cine", "dor", "fen", "gol", "hane", "lith", "mere", "nod", "pine", "rade", "some", "tine", "vane")
WORDS = ["".join(parts) for parts in product(FIRST, FIRST, LAST)]


def large_taxonomy() -> LabelSpace:
    """Every label has two words of its own."""
    names = (
        f"{WORDS[i % len(WORDS)]} {WORDS[(7 * i + i // len(WORDS)) % len(WORDS)]}".capitalize() for i in range(10**6)
    )
    labels: list[Label] = []
    for field in range(FIELDS):
        labels.append(Label(f"F{field}", next(names)))
        for topic in range(TOPICS):
            labels.append(Label(f"F{field}-{topic}", next(names), broader=(f"F{field}",)))
            labels += [
                Label(f"F{field}-{topic}-{subject}", next(names), broader=(f"F{field}-{topic}",))
                for subject in range(SUBJECTS)
            ]
    return LabelSpace(labels)


def make_large_run(folder: Path) -> Path:
    labels = large_taxonomy()
    papers = [
        a_paper_on(i, [labels.ids[(i * 997 + j * 89) % len(labels)] for j in range(6)], labels) for i in range(12)
    ]
    write_papers(papers, folder / "papers.jsonl")
    write_labels(labels, folder / "labels.jsonl")
    inputs = Inputs(papers=str(folder / "papers.jsonl"), labels=str(folder / "labels.jsonl"))
    run(inputs, folder / "large", RECIPES["best"].but(plm="none"), folder / "cache")
    return folder / "large"


def a_paper_on(i: int, topics: list[str], labels: LabelSpace) -> Paper:
    named = " and ".join(labels[topic].name for topic in topics)
    return Paper(
        id=f"d{i}", title=f"Study {i} of {labels[topics[0]].name}", abstract=f"We measured {named} for a year."
    )

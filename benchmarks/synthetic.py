"""A corpus of any size out of the paragraphs of real ones, for measuring what a hundred thousand papers cost.

    python benchmarks/synthetic.py OUT --from papers.jsonl.xz [more.parquet] --papers 100000 [--sections 3]
        [--paragraphs 2] [--words 80] [--references 12] [--seed 0]

OUT is .parquet or .jsonl (plain, or with .gz, .xz, .zst). Title and abstract are those of one real paper, with a number
behind the title. A paragraph is the beginning of one real paragraph and the end of another: no text comes twice, so a
cache saves no work. The first n papers are the same however many are made, so `futex run --limit n` grows smoothly.

Works are cited as in reality: most seldom, and a few hubs by a fixed share of all papers.
"""

import argparse
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from futex.corpus.paper import MIN_WORDS, Paper, Unit, section
from futex.corpus.store import usable_documents, write_papers

HUBS = (0.5, 0.2, 0.1, 0.1)
"""The share of all papers that cite each hub: of 100,000 papers 50,000 cite the first."""

WORKS_A_PAPER = 5
"""So many works are there to be cited for every paper made so far."""

POOL = 50_000
"""Real paragraphs that are held in memory."""


@dataclass(frozen=True)
class Shape:
    """How long a paper is."""

    sections: int
    paragraphs: int
    words: int
    references: int


@dataclass(frozen=True)
class Pool:
    """What papers are made of: titles with their abstracts, and paragraphs as words."""

    abstracts: list[tuple[str, str]]
    paragraphs: list[list[str]]

    @classmethod
    def of(cls, corpora: list[str]) -> "Pool":
        pool = cls([], [])
        for where in corpora:
            for document in usable_documents(where):
                pool._add(document.paper)
        return pool

    def _add(self, paper: Paper) -> None:
        if paper.abstract:
            self.abstracts.append((paper.title, paper.abstract))
        if len(self.paragraphs) < POOL:
            texts = [leaf.text.split() for leaf in paper.body.leaves()]
            self.paragraphs.extend(words for words in texts if len(words) >= 2 * MIN_WORDS)


def synthetic_papers(pool: Pool, papers: int, shape: Shape, seed: int) -> Iterator[Paper]:
    rng = random.Random(seed)
    for number in range(papers):
        title, abstract = rng.choice(pool.abstracts)
        yield Paper(
            id=f"s{number}",
            title=f"{title} ({number})",
            abstract=abstract,
            body=_body(pool, shape, rng),
            references=tuple(_references(number, shape.references, rng)),
        )


def _body(pool: Pool, shape: Shape, rng: random.Random) -> Unit:
    sections = [
        section(f"Section {i + 1}", [_paragraph(pool, shape.words, rng) for _ in range(shape.paragraphs)])
        for i in range(shape.sections)
    ]
    return section("", sections=sections)


def _paragraph(pool: Pool, words: int, rng: random.Random) -> str:
    first, second = rng.choice(pool.paragraphs), rng.choice(pool.paragraphs)
    half = rng.randint(MIN_WORDS, max(MIN_WORDS, words - MIN_WORDS))
    rest = words - half
    return " ".join([*first[:half], *(second[-rest:] if rest > 0 else ())])


def _references(number: int, most: int, rng: random.Random) -> Iterator[str]:
    """Hubs, papers made before this one, and works of which no more is known."""
    yield from (f"10.5/hub-{i}" for i, share in enumerate(HUBS) if rng.random() < share)
    for _ in range(rng.randint(1, most)):
        if number and rng.random() < 0.2:
            yield f"s{rng.randrange(number)}"
        else:
            yield f"10.5/work-{rng.randrange(WORKS_A_PAPER * (number + 1))}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--from", dest="corpora", nargs="+", required=True)
    parser.add_argument("--papers", type=int, default=100_000)
    parser.add_argument("--sections", type=int, default=3)
    parser.add_argument("--paragraphs", type=int, default=2, help="in each section")
    parser.add_argument("--words", type=int, default=80, help="in each paragraph")
    parser.add_argument("--references", type=int, default=12, help="of each paper, at most, beside the hubs")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    shape = Shape(options.sections, options.paragraphs, options.words, options.references)
    write_papers(synthetic_papers(Pool.of(options.corpora), options.papers, shape, options.seed), options.out)


if __name__ == "__main__":
    main()

"""Names matched: one pass of the automaton over a text against a loop that asks `name in text` for 60,000 names.

    python benchmarks/matching.py [--papers build/demo/papers.parquet] [--names 60000]

The names are pairs of words that follow each other in the corpus itself, taken evenly from the rare to the frequent, so
that a few dozen match in an abstract, as with a real taxonomy of that size.
The loop finds strings anywhere, also inside words, and tells only whether they are there. So does `named`, which is
what candidates need, but for whole words in all their forms; `find` also tells where, for evidence. Each way goes
through all abstracts in turn, as a run does: of a few, most of the time would go into caches that the loop has filled.
"""

import argparse
from collections import Counter
from itertools import pairwise

from measuring import best_of, table

from futex import read_papers
from futex.candidates import Matcher
from futex.labels.label import Label, LabelSpace


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--papers", default="build/demo/papers.parquet")
    parser.add_argument("--names", type=int, default=60_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    papers = read_papers(options.papers)
    counts = Counter(
        " ".join(pair)
        for paper in papers
        for pair in pairwise(paper.full_text().lower().split())
        if all(map(str.isalpha, pair))
    )
    by_frequency = [name for name, _ in counts.most_common()]
    names = by_frequency[:: max(1, len(by_frequency) // options.names)][: options.names]
    matcher = Matcher(LabelSpace([Label(name, name) for name in names]))
    abstracts = [paper.title_and_abstract for paper in papers]

    def loop() -> list[int]:
        return [sum(name in text for name in names) for text in map(str.lower, abstracts)]

    def named() -> list[int]:
        return [len(list(matcher.named(text))) for text in abstracts]

    def find() -> list[int]:
        return [len(matcher.find(text)) for text in abstracts]

    ways = {"names (named)": named, "names and their places (find)": find, "name in text": loop}
    seconds = best_of(ways, options.rounds)
    print(f"{len(names):,} names in {len(abstracts)} abstracts, {sum(named()) / len(abstracts):.0f} found in each")
    rows = [
        [way, f"{len(abstracts) / best:.1f}", f"{seconds['name in text'] / best:.0f}×"] for way, best in seconds.items()
    ]
    table("way | abstracts/s | faster than the loop", rows)


if __name__ == "__main__":
    main()

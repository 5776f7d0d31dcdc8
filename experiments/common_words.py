"""The words of `src/futex/naming/common_words.txt`: those that stand in a tenth of some papers, and in how many.

    make demo
    python experiments/common_words.py build/demo/papers.parquet > src/futex/naming/common_words.txt

The demo's papers are 122 articles of PLOS on all of biology and medicine, and a few other fields.
"""

import argparse
import sys
from collections import Counter

from futex import read_papers
from futex.labels.names import normal_form
from futex.naming.plurals import singulars

SHARE = 0.1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("papers")
    papers = read_papers(parser.parse_args().papers)
    papers_with = Counter(word for paper in papers for word in set(singulars(normal_form(paper.full_text())).split()))
    print(f"# {len(papers)} papers")
    for word, times in sorted(papers_with.items(), key=lambda item: (-item[1], item[0])):
        if times >= SHARE * len(papers) and len(word) > 1 and not word.isdigit():
            print(word, times)
    print(f"{len(papers)} papers read", file=sys.stderr)


if __name__ == "__main__":
    main()

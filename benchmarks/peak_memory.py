"""The most memory that a whole run holds, all of its processes together.

    python benchmarks/peak_memory.py PAPERS --labels LABELS [--embedded 100]

All papers with the static PLM, and the first of them with the embedded one, which would take hours for thousands: what
it adds is its weights and what it computes at a time, whatever the number of papers.
"""

import argparse
import tempfile

from measuring import FUTEX, table
from memory import cost_of

RUN = [*FUTEX, "run", "--recipe", "paper", "--quiet"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("papers")
    parser.add_argument("--labels", required=True)
    parser.add_argument("--embedded", type=int, default=100, metavar="N", help="papers for the embedded PLM")
    options = parser.parse_args()
    ways = {
        "static PLM, all papers": ["--plm", "static"],
        f"embedded PLM, {options.embedded} papers": ["--plm", "embedded", "--limit", str(options.embedded)],
    }
    rows = []
    for name, chosen in ways.items():
        with tempfile.TemporaryDirectory() as empty:
            where = ["--labels", options.labels, "--out", f"{empty}/run", "--cache", f"{empty}/cache"]
            cost = cost_of([*RUN, options.papers, *where, *chosen])
        rows.append([name, f"{cost.seconds:.0f} s", f"{cost.own:.2f} GB", f"{cost.mapped:.2f} GB"])
    table("`futex run --recipe paper` | time | memory | mapped files", rows)


if __name__ == "__main__":
    main()

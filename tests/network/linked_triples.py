"""Triples to fine-tune a tiny checkpoint on, in twenty steps."""

from futex.plm.protocol import Triple

BIOLOGY = ["the cell and the gene", "mouse cancer of the lung", "mice and brain cells", "the brain of the mouse"]
COMPUTING = ["deep learning", "graph of the deep", "learning the graph"]
TRIPLES = [
    Triple(same[i % len(same)], same[(i + 1) % len(same)], other[i % len(other)])
    for i in range(80)
    for same, other in ((BIOLOGY, COMPUTING), (COMPUTING, BIOLOGY))
]
DEV = TRIPLES[:5]

"""How to weigh what is known of a label, as the annotators of other collections teach it: `--recipe transfer`.

No gold of the collection at hand is needed, but gold it is: of eLife and PLOS (docs/fidelity.md). So it is a recipe of
its own, for users who do not mind.
"""

from futex.naming.features import FEATURES
from futex.naming.regression import Regression

WEIGHTS = {
    "bias": 0.37,
    "log score": 1.419,
    "log rank": -0.111,
    "log rank by mentions": -0.323,
    "log rank by mentions and idf": -0.335,
    "log rank by paragraphs": -0.353,
    "log mentions": -1.026,
    "in title": 0.039,
    "in abstract": 0.031,
    "log mentions in abstract": 0.179,
    "log mentions in headings": 0.081,
    "log paragraphs": 0.054,
    "log sections": 1.063,
    "log mentions in one paragraph": 0.132,
    "share of its own name": 0.203,
    "share of capitals": 0.243,
    "idf": -0.047,
    "further words": -0.297,
    "log letters": 0.253,
    "log mean mentions": 0.014,
    "given by routine": 1.56,
}
"""Printed by `experiments/transfer.py`."""

TRANSFERRED = Regression.from_dict(dict.fromkeys(FEATURES, 0.0) | WEIGHTS)

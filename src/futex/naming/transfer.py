"""How to weigh what is known of a label, as the annotators of other collections teach it: `--recipe transfer`.

No gold of the collection at hand is needed, but gold it is: of eLife and PLOS (docs/fidelity.md). So it is a recipe of
its own, for users who do not mind.
"""

from futex.naming.features import FEATURES
from futex.naming.regression import Regression

WEIGHTS = {
    "bias": 0.452,
    "log score": 1.443,
    "log rank": -0.109,
    "log rank by mentions": -0.311,
    "log rank by mentions and idf": -0.341,
    "log rank by paragraphs": -0.362,
    "log mentions": -1.051,
    "in title": 0.038,
    "in abstract": 0.023,
    "log mentions in abstract": 0.18,
    "log mentions in headings": 0.081,
    "log paragraphs": 0.061,
    "log sections": 1.055,
    "log mentions in one paragraph": 0.149,
    "share of its own name": 0.209,
    "share of capitals": 0.263,
    "idf": -0.072,
    "further words": -0.29,
    "log letters": 0.261,
    "log mean mentions": 0.015,
    "given by routine": 1.503,
}
"""Printed by `experiments/transfer.py`."""

TRANSFERRED = Regression.from_dict(dict.fromkeys(FEATURES, 0.0) | WEIGHTS)

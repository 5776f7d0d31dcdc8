"""How to weigh what is known of a label, as the annotators of other collections teach it: `--recipe transfer`.

No gold of the collection at hand is needed, but gold it is: of eLife and PLOS (docs/fidelity.md). So it is a recipe of
its own, for users who do not mind.
"""

from futex.naming.features import FEATURES
from futex.naming.regression import Regression

WEIGHTS = {
    "bias": 0.139,
    "log score": 1.506,
    "log rank": -0.055,
    "log rank by mentions": -0.311,
    "log rank by mentions and idf": -0.368,
    "log rank by paragraphs": -0.353,
    "log mentions": -1.085,
    "in title": 0.043,
    "in abstract": 0.04,
    "log mentions in abstract": 0.155,
    "log mentions in headings": 0.08,
    "log paragraphs": 0.09,
    "log sections": 1.049,
    "log mentions in one paragraph": 0.157,
    "share of its own name": 0.145,
    "share of capitals": 0.269,
    "idf": -0.028,
    "further words": -0.281,
    "log letters": 0.282,
    "log mean mentions": 0.014,
    "given by routine": 1.794,
}
"""Printed by `experiments/transfer.py`."""

TRANSFERRED = Regression.from_dict(dict.fromkeys(FEATURES, 0.0) | WEIGHTS)

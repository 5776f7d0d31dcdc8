"""Every system of the paper's Table 2, one file a method, all of them `Ranker`s; see `methods.py`."""

"""Hierarchy-aware aggregation (§3.2, Eq. 6)."""

from collections.abc import Iterator

import numpy as np

from futex.corpus.paper import Unit
from futex.plm.protocol import Array


def aggregate(unit: Unit, paragraphs: Iterator[Array]) -> Array:
    """h_x = (1 / |Child(x)|) Σ_{y ∈ Child(x)} h_y, bottom-up; `paragraphs` gives h_p of the leaves in reading order."""
    if unit.text:
        return next(paragraphs)
    h_x: Array = np.mean([aggregate(child, paragraphs) for child in unit.children], axis=0)
    return h_x


def leaf_weights(unit: Unit) -> list[float]:
    """What each leaf weighs in `aggregate`: h_x = Σ_p w_p h_p, w_p = Π 1 / |Child(y)| over the units y above p.

    >>> leaf_weights(Unit(children=(Unit(text="p1"), Unit(children=(Unit(text="p2"), Unit(text="p3"))))))
    [0.5, 0.25, 0.25]
    """
    if unit.text:
        return [1.0]
    return [weight / len(unit.children) for child in unit.children for weight in leaf_weights(child)]


def cosine(vector: Array, rows: Array) -> Array:
    """cos(h_d, h_l) of Eq. (7) for every row h_l."""
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(vector)
    products: Array = rows @ vector / np.maximum(lengths, np.finfo(np.float32).tiny)
    return products

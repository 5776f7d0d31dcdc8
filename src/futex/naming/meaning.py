"""What a PLM thinks of the labels that a paper names."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from futex.corpus.paper import Paper
from futex.labels.label import LabelSpace
from futex.plm.protocol import PLM, Array

BEST_PARAGRAPHS = 3

ABSTRACT, NEAREST, ALL = range(3)
"""Columns: cos(h_a, h_l) of the abstract, the mean of the 3 highest cos(h_p, h_l) of paragraphs, and that of all."""


def similarities(
    plm: PLM, labels: LabelSpace, papers: Sequence[Paper], wanted: Sequence[NDArray[np.int32]]
) -> Iterator[Array]:
    """For each paper, a row for each of its wanted labels (by position), with the columns above."""
    positions = sorted({int(position) for own in wanted for position in own})
    row = {position: i for i, position in enumerate(positions)}
    h_l = _unit(plm.embed([labels[labels.ids[position]].text for position in positions]))
    texts = [[paper.title_and_abstract, *(place.text for place in paper.paragraphs())] for paper in papers]
    vectors = iter(_unit(plm.embed([text for own in texts for text in own])))
    for own, named in zip(texts, wanted, strict=True):
        h = np.array([next(vectors) for _ in own])
        cosines = h_l[[row[int(position)] for position in named]] @ h.T
        of_paragraphs = cosines[:, 1:] if len(own) > 1 else cosines
        nearest = np.sort(of_paragraphs, axis=1)[:, -BEST_PARAGRAPHS:]
        yield np.column_stack([cosines[:, 0], nearest.mean(axis=1), of_paragraphs.mean(axis=1)])


def _unit(vectors: Array) -> Array:
    unit: Array = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    return unit

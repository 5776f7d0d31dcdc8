"""A map of the papers: the first two principal components of their vectors h_d (Eq. 6), computed once and kept."""

import asyncio
import hashlib
import logging
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from futex.errors import FutexError
from futex.files import replacing
from futex.hierarchy.bi_encoder import BiEncoder
from futex.plm.protocol import Array
from futex.serve.corpus import Corpus

log = logging.getLogger(__name__)


class PaperMap:
    """Finds the map that was made before, or makes it, a paper at a time, so that requests come in between.

    `forget` is called after each paper, so that the vectors of all paragraphs of a corpus do not pile up.
    """

    def __init__(
        self, corpus: Corpus, encoder: BiEncoder, forget: Callable[[], object], path: Path, models: Executor
    ) -> None:
        self._corpus = corpus
        self._encoder = encoder
        self._forget = forget
        self._path = path
        self._models = models
        self.papers = [i for i, paper in enumerate(corpus.ids) if corpus.has_text(paper)]
        self.done = 0
        self.points = read_map(path, len(self.papers))
        self._making = asyncio.create_task(self._make()) if self.points is None else None

    @property
    def failure(self) -> BaseException | None:
        making = self._making
        return making.exception() if making and making.done() and not making.cancelled() else None

    async def stop(self) -> None:
        if self._making is not None:
            self._making.cancel()
            await asyncio.gather(self._making, return_exceptions=True)

    async def _make(self) -> None:
        loop = asyncio.get_running_loop()
        vectors: list[Array] = []
        for paper in self.papers:
            vectors += await loop.run_in_executor(self._models, self._vector, paper)
            self.done = len(vectors)
        self.points = await loop.run_in_executor(self._models, principal_components, np.array(vectors))
        try:
            write_map(self._path, self.points)
        except (FutexError, OSError) as error:
            log.warning("the map of the papers must be made again next time: %s", error)

    def _vector(self, paper: int) -> list[Array]:
        found = self._corpus.paper(self._corpus.ids[paper])
        vectors = self._encoder.embed([found] if found else [])
        self._forget()
        return vectors


def principal_components(vectors: Array) -> NDArray[np.float64]:
    """Two coordinates a paper, scaled to -1…1; signs are chosen so that the same papers give the same map."""
    centred = vectors.astype(np.float64) - vectors.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    points: NDArray[np.float64] = centred @ axes[:, :-3:-1]
    if points.size:
        points *= np.sign(points[np.abs(points).argmax(axis=0), np.arange(points.shape[1])])
    return points / max(1e-12, float(np.abs(points).max(initial=0.0)))


def map_file(cache: Path, fingerprint: str, texts: str, papers: Iterable[str]) -> Path:
    """Where the map of these papers with these texts by this PLM is kept."""
    digest = hashlib.blake2b("\0".join([fingerprint, texts, *papers]).encode("utf-8", "replace"), digest_size=16)
    return cache / "maps" / f"{digest.hexdigest()}.npy"


def read_map(path: Path, size: int) -> NDArray[np.float64] | None:
    try:
        points: NDArray[np.float64] = np.load(path, allow_pickle=False)
    except (EOFError, OSError, ValueError):
        return None
    return points if points.shape == (size, 2) else None


def write_map(path: Path, points: NDArray[np.float64]) -> None:
    with replacing(path) as temporary, temporary.open("wb") as file:
        np.save(file, points, allow_pickle=False)

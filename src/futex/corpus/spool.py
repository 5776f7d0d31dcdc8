"""A corpus of any size as a sequence: the papers lie compressed in a temporary file, one at a time is in memory.

Stages go through a corpus several times and sample from it; none of them needs all papers at once.
"""

import json
import os
import tempfile
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import overload

import zstandard

from futex.corpus.formats.jsonl import as_record, paper_of
from futex.corpus.paper import Paper
from futex.files import writing_temporarily


class PaperSpool(Sequence[Paper]):
    """Papers by position, as in a list. The file has no name and is gone with the process."""

    def __init__(self, papers: Iterable[Paper]) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  (open as long as the spool lives)
        self._ends = array("q", [0])
        pack = zstandard.ZstdCompressor(level=3).compress
        for paper in papers:
            packed = pack(json.dumps(as_record(paper), ensure_ascii=False).encode())
            with writing_temporarily():
                self._file.write(packed)
            self._ends.append(self._ends[-1] + len(packed))
        with writing_temporarily():
            self._file.flush()

    def __len__(self) -> int:
        return len(self._ends) - 1

    @overload
    def __getitem__(self, which: int) -> Paper: ...
    @overload
    def __getitem__(self, which: slice) -> list[Paper]: ...
    def __getitem__(self, which: int | slice) -> Paper | list[Paper]:
        if isinstance(which, slice):
            return [self._paper(position) for position in range(*which.indices(len(self)))]
        return self._paper(range(len(self))[which])

    def __iter__(self) -> Iterator[Paper]:
        return map(self._paper, range(len(self)))

    def _paper(self, position: int) -> Paper:
        start, end = self._ends[position], self._ends[position + 1]
        packed = os.pread(self._file.fileno(), end - start, start)
        return paper_of(json.loads(zstandard.ZstdDecompressor().decompress(packed)), f"paper {position}")

"""The corpus of a run as Parquet shards, which stay as they are when papers are added behind them."""

import hashlib
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import BytesIO
from itertools import islice
from typing import Any, NamedTuple

from futex.corpus.formats import parquet
from futex.corpus.formats.jsonl import as_record
from futex.corpus.paper import Paper
from futex.corpus.reading import OnSkip
from futex.corpus.sources import Source
from futex.sharded.folder import RunFolder
from futex.sharded.shelf import Receipt, Shelf, State, key_of

log = logging.getLogger(__name__)

PAPERS_A_SHARD = 32
"""A minute of work for one core: few enough that small corpora keep several cores busy, and that progress is seen."""

VERSION = "1"


class Corpus(NamedTuple):
    sizes: tuple[int, ...]
    """Papers in each shard."""
    note: dict[str, Any]
    """For the manifest: by this the next run tells that nothing has to be read again."""


def corpus_of(
    run: RunFolder, origin: Mapping[str, Any], read: Callable[[OnSkip], Iterable[Paper]], on_skip: OnSkip
) -> Corpus:
    """The corpus as shards.

    `origin` stands for all that papers are read from, unless it has no SHA-256; if the shards were read from the same
    files, and are whole, nothing is read again.
    """
    manifest = run.read_manifest()
    if origin["sha256"] and manifest.get("origin") == origin:
        known = _corpus(_known(run.papers), origin, list(map(str, manifest.get("skipped", ()))))
        if known.note["corpus"] == manifest.get("corpus"):
            for message in known.note["skipped"]:
                on_skip(message)
            return known
    skipped: list[str] = []

    def skip(message: str) -> None:
        skipped.append(message)
        on_skip(message)

    return _corpus(shelve_papers(read(skip), run.papers), origin, skipped)


def _corpus(receipts: list[Receipt], origin: Mapping[str, Any], skipped: list[str]) -> Corpus:
    key = key_of(*(receipt.sha256 for receipt in receipts))
    return Corpus(tuple(receipt.papers for receipt in receipts), {"origin": origin, "corpus": key, "skipped": skipped})


def _known(shelf: Shelf) -> list[Receipt]:
    """Of the first shards that are whole."""
    receipts: list[Receipt] = []
    while (receipt := shelf.receipt(len(receipts))) is not None:
        if shelf.state(len(receipts), receipt.key) is not State.DONE:
            break
        receipts.append(receipt)
    return receipts


def shelve_papers(papers: Iterable[Paper], shelf: Shelf) -> list[Receipt]:
    """Cut a corpus into shards. A shard that was there before takes as many papers as it had; if they are the same, it
    is not touched, so a corpus that has grown gets new shards behind the old ones, the last and shorter one included.
    """
    remaining = iter(papers)
    receipts: list[Receipt] = []
    while some := list(islice(remaining, _size(shelf.receipt(len(receipts))))):
        receipts.append(_shelved(some, shelf, len(receipts)))
    return receipts


def _size(known: Receipt | None) -> int:
    return known.papers if known else PAPERS_A_SHARD


def _shelved(papers: list[Paper], shelf: Shelf, number: int) -> Receipt:
    content = hashlib.sha256()
    for paper in papers:
        content.update(json.dumps(as_record(paper)).encode())
    key = key_of("papers", VERSION, content.hexdigest())
    known, state = shelf.receipt(number), shelf.state(number, key)
    if known is not None and state is State.DONE:
        return known
    if state in (State.DAMAGED, State.MISSING):
        log.warning("%s is %s: writing it again", shelf.path(number), state.value)
    return shelf.put(number, key, len(papers), lambda path: parquet.write(papers, path))


def read_shard(shelf: Shelf, number: int) -> list[Paper]:
    source = Source(str(shelf.path(number)), BytesIO(shelf.read(number)))
    return [document.paper for document in parquet.read(source)]


def all_papers(shelf: Shelf, shards: int) -> Iterator[Paper]:
    for number in range(shards):
        yield from read_shard(shelf, number)

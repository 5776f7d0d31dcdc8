"""Arguments and options that several commands share, and what they share in reporting."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from futex.errors import printable

PapersArg = Annotated[
    str,
    typer.Argument(
        metavar="PAPERS",
        help='A file, folder, pattern ("papers/*.xml") or archive, in any format of --format; `-` is stdin.',
    ),
]
PAPER_FORMATS = "parquet, pdf, jats, tei, pubmed, latex, unarxive, s2orc, research, annif, jsonl, markdown or text"
LABEL_FORMATS = "mesh, skos, obo, research, annif, invenio or jsonl"
RESULT_FORMATS = "trec, csv, parquet, rdf, annif or annif-key"
ONLY_APPLYING = " In rdf, annif and annif-key stand only the labels that apply, where the run knows them."
FormatOption = Annotated[str | None, typer.Option("--format", help=f"{PAPER_FORMATS}. Default: recognised by content.")]
GrobidOption = Annotated[
    str | None,
    typer.Option(
        "--grobid",
        metavar="URL",
        help="Read PDFs with the GROBID server at this address, which does it better than we do.",
    ),
]
LabelsFormatOption = Annotated[
    str | None, typer.Option("--labels-format", help=f"{LABEL_FORMATS}. Default: recognised by content.")
]
StrictOption = Annotated[
    bool, typer.Option("--strict", help="A damaged file among many is an error. Default: it is named and skipped.")
]
LanguageOption = Annotated[
    str, typer.Option("--language", help="Take names in this language, where a vocabulary has several.")
]
LimitOption = Annotated[int | None, typer.Option("--limit", min=1, help="Use only the first N papers.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Only warnings and errors.")]
CacheOption = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        help="Where vectors and fine-tuned models are kept between runs. Default: $FUTEX_CACHE or ~/.cache/futex.",
    ),
]


class Skipped:
    """Names what is passed over, and says at the end how much it was."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, message: str) -> None:
        self.count += 1
        print(f"skipped: {printable(message)}", file=sys.stderr)

    def summary(self) -> None:
        if self.count:
            print(f"{self.count} skipped in all", file=sys.stderr)

"""futex convert, futex inspect and futex labels"""

import json
import sys
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Annotated

import typer

from futex.candidates import mentions, retrieve
from futex.cli.app import app
from futex.cli.options import (
    LABEL_FORMATS,
    FormatOption,
    GrobidOption,
    LanguageOption,
    LimitOption,
    PapersArg,
    QuietOption,
    Skipped,
    StrictOption,
)
from futex.config import DEFAULT
from futex.corpus.store import read_papers
from futex.errors import InputError
from futex.evaluation.gold import Gold
from futex.labels.label import Label
from futex.labels.names import normal_form, variants
from futex.labels.store import read_labels
from futex.naming.matcher import LongestMatcher
from futex.naming.plurals import singulars


@app.command()
def convert(
    source: Annotated[
        str, typer.Argument(metavar="IN", help="A file, folder, pattern or archive in any known format; `-` is stdin.")
    ],
    papers: Annotated[
        Path,
        typer.Option("--papers", help="Where to write the papers: .parquet, .jsonl, .jsonl.gz, .bz2, .xz or .zst."),
    ],
    labels: Annotated[
        Path | None, typer.Option("--labels", help="Write a label space made of the articles' own subject terms.")
    ] = None,
    gold: Annotated[
        Path | None, typer.Option("--gold", help="Write the articles' own subject terms as gold for `futex eval`.")
    ] = None,
    terms: Annotated[
        str,
        typer.Option(
            "--terms", help="What counts as a subject term: subjects (article-categories), keywords, or both."
        ),
    ] = "subjects",
    format: FormatOption = None,
    grobid: GrobidOption = None,
    limit: LimitOption = None,
    strict: StrictOption = False,
    quiet: QuietOption = False,
) -> None:
    """Turn papers of any known format into our store, and their subject terms into a label space and gold."""
    from futex import terminal
    from futex.conversion import convert as convert_all
    from futex.progress import counted

    terminal.set_up(quiet)
    skipped = Skipped()
    count = convert_all(
        source,
        papers=papers,
        labels=labels,
        gold=gold,
        terms=terms,
        limit=limit,
        format=format,
        grobid=grobid,
        strict=strict,
        on_skip=skipped,
    )
    skipped.summary()
    if not quiet:
        print(f"{counted(count, 'paper')} converted", file=sys.stderr)


@app.command()
def inspect(
    papers: PapersArg,
    labels: Annotated[
        Path | None, typer.Option("--labels", help="Also count labels and candidates of this label space.")
    ] = None,
    gold: Annotated[Path | None, typer.Option("--gold", help="Also count gold labels.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    format: FormatOption = None,
    grobid: GrobidOption = None,
    limit: LimitOption = None,
    strict: StrictOption = False,
) -> None:
    """Print Table 1 of the paper for a corpus: sizes, links between papers, share of papers with candidates."""
    from futex import terminal
    from futex.corpus.statistics import statistics

    skipped = Skipped()
    space = read_labels(labels) if labels else None
    truth = Gold.read(gold) if gold else None
    corpus = read_papers(papers, limit=limit, format=format, grobid=grobid, strict=strict, on_skip=skipped)
    if truth is not None:
        truth.check(papers=None if limit else [paper.id for paper in corpus], labels=space.keys() if space else None)
    found = retrieve(corpus, LongestMatcher(space), DEFAULT.match_within) if space else None
    stats = statistics(corpus, label_count=len(space) if space else None, gold=truth, candidates=found)
    skipped.summary()
    if as_json:
        print(json.dumps({name: value for name, value in asdict(stats).items() if value is not None}))
    else:
        terminal.show_statistics(stats)


@app.command("labels")
def labels_command(
    file: Annotated[
        str, typer.Argument(metavar="LABELS", help="A vocabulary in any known format, also in a .zip, .whl or .gz.")
    ],
    papers: Annotated[str | None, typer.Option("--papers", help="Also look for the names in these papers.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object, with every list in full.")] = False,
    format: Annotated[
        str | None, typer.Option("--format", help=f"{LABEL_FORMATS}. Default: recognised by content.")
    ] = None,
    language: LanguageOption = "en",
    limit: LimitOption = None,
) -> None:
    """Show what a label space is like, and which of its names will make trouble.

    Names that several labels share, that are everyday words or stand in a fifth of the papers bring wrong candidates;
    labels without a name that a text can have bring none.
    """
    from futex import terminal
    from futex.labels.report import report

    if limit is not None and papers is None:
        raise InputError("--limit is for the papers of --papers: leave it out, or add them")
    skipped = Skipped()
    space = read_labels(file, format, language)
    found = None
    if papers is not None:
        matcher = LongestMatcher(space)
        corpus = read_papers(papers, limit=limit, on_skip=skipped)
        found = [
            {
                label: {form for name in {place.name for place in places} for form in _meant(space[label], name)}
                for label, places in mentions(paper, matcher, DEFAULT.match_within).items()
            }
            for paper in corpus
        ]
    made = report(space, found)
    skipped.summary()
    if as_json:
        print(json.dumps(asdict(made), ensure_ascii=False))
    else:
        terminal.show_label_report(made)


@cache
def _meant(label: Label, written: str) -> list[str]:
    """The label's own names for what may stand in a paper in another number."""
    plain = singulars(normal_form(written))
    return [form for name in label.names for form in variants(name) if singulars(form) == plain]

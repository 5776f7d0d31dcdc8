"""futex run and futex suggest"""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from futex.cli.app import app
from futex.cli.options import (
    RESULT_FORMATS,
    CacheOption,
    FormatOption,
    GrobidOption,
    LabelsFormatOption,
    LanguageOption,
    LimitOption,
    PapersArg,
    QuietOption,
    Skipped,
    StrictOption,
)
from futex.config import RECIPES, Recipe, cache_folder


@app.command()
def run(
    papers: PapersArg,
    labels: Annotated[
        str,
        typer.Option(
            "--labels",
            help="The label space: SKOS, MeSH XML, OBO, an Annif or Invenio vocabulary, or JSONL "
            "with id, name, synonyms, description, broader.",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", help="Folder for predictions.jsonl, config.json and model/.")],
    recipe: Annotated[
        str, typer.Option("--recipe", help=f"{', '.join(RECIPES)}, or a TOML/JSON file with settings.")
    ] = "paper",
    plm: Annotated[
        str | None,
        typer.Option(
            "--plm",
            help="embedded (all-MiniLM-L6-v2, needs no hub), mpnet, a folder, or a hub id like allenai/specter; "
            "static, or static:NAME, is a light model distilled from one: a hundred times faster, less exact.",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Same seed, data and machine: same bytes. Default: 0.")
    ] = None,
    limit: LimitOption = None,
    strict: StrictOption = False,
    top: Annotated[int, typer.Option("--top", min=1, help="Labels written for each paper.")] = 20,
    also: Annotated[
        list[str] | None, typer.Option("--also", help=f"Write predictions in another format too: {RESULT_FORMATS}.")
    ] = None,
    triples: Annotated[
        int | None,
        typer.Option(
            "--triples",
            min=1,
            help="Paragraph triples to fine-tune on. Default: 45,000 on a GPU, what ten CPU-minutes allow otherwise.",
        ),
    ] = None,
    no_network: Annotated[bool, typer.Option("--no-network", help="Leave out fine-tuning on linked papers.")] = False,
    no_hierarchy: Annotated[
        bool, typer.Option("--no-hierarchy", help="Leave out the full text's section tree.")
    ] = False,
    no_self_training: Annotated[bool, typer.Option("--no-self-training", help="Leave out self-training.")] = False,
    format: FormatOption = None,
    grobid: GrobidOption = None,
    labels_format: LabelsFormatOption = None,
    language: LanguageOption = "en",
    cache: CacheOption = None,
    quiet: QuietOption = False,
) -> None:
    """Rank the labels of a taxonomy for every paper of a corpus.

    A run that was killed can be started again with the same words: what was computed is not computed twice.
    """
    from futex import terminal
    from futex.run import PREDICTIONS, Inputs
    from futex.run import run as run_all

    terminal.set_up(quiet)
    chosen = Recipe.load(recipe).but(
        plm=plm,
        seed=seed,
        triples=triples,
        network=False if no_network else None,
        hierarchy=False if no_hierarchy else None,
        self_training=False if no_self_training else None,
    )
    skipped = Skipped()
    inputs = Inputs(
        papers=papers,
        labels=labels,
        format=format,
        grobid=grobid,
        labels_format=labels_format,
        language=language,
        limit=limit,
        strict=strict,
        top=top,
        also=tuple(also or ()),
    )
    run_all(inputs, out, chosen, cache or cache_folder(), skipped)
    skipped.summary()
    if not quiet:
        print(f"wrote {out / PREDICTIONS}", file=sys.stderr)


@app.command()
def suggest(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="The model/ folder of a run.")],
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Papers in any known format; `-` is stdin.")],
    top: Annotated[int, typer.Option("--top", min=1, help="Labels for each paper.")] = 10,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a paper, as in predictions.jsonl.")] = False,
    format: FormatOption = None,
    grobid: GrobidOption = None,
    cache: CacheOption = None,
    quiet: QuietOption = False,
) -> None:
    """Suggest labels, with reasons, for papers the model has never seen."""
    from futex import terminal
    from futex.corpus.store import read_papers
    from futex.evidence import Explainer
    from futex.pipeline import FuTex

    terminal.set_up(quiet=quiet or terminal.err.is_terminal is False)
    skipped = Skipped()
    papers = [paper for file in files for paper in read_papers(file, format=format, grobid=grobid, on_skip=skipped)]
    loaded = FuTex.from_pretrained(model, cache=cache or cache_folder())
    explainer = Explainer(loaded)
    for paper in papers:
        suggestions = explainer.suggestions(paper, loaded.rank([paper])[paper.id], top)
        if as_json:
            record = {"paper": paper.id, "labels": [suggestion.as_dict() for suggestion in suggestions]}
            print(json.dumps(record, ensure_ascii=False))
        else:
            terminal.show_suggestions(paper, suggestions)
    skipped.summary()

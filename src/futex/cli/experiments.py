"""futex experiment"""

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from futex.cli.app import app
from futex.cli.options import CacheOption, QuietOption
from futex.config import cache_folder


@app.command()
def experiment(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="table1 … figure7, `all` of these, beyond, larger, learning_curve, transfer, or your own .toml file.",
        ),
    ] = None,
    papers: Annotated[str | None, typer.Option("--papers", help="A file or folder in any known format.")] = None,
    labels: Annotated[str | None, typer.Option("--labels", help="The label space, in any known format.")] = None,
    gold: Annotated[
        Path | None, typer.Option("--gold", help='JSONL with lines {"id": paper, "labels": [label ids]}.')
    ] = None,
    out: Annotated[Path, typer.Option("--out", help="Folder of the report; several corpora may share it.")] = Path(
        "report"
    ),
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", min=1, help="Rank only the first N papers; those behind them can at most teach a method."
        ),
    ] = None,
    plm: Annotated[
        str | None,
        typer.Option("--plm", help="One PLM for all methods, like embedded. Default: the published one of each."),
    ] = None,
    profile: Annotated[
        str,
        typer.Option(
            "--profile",
            help="How much work: paper (5 seeds), once, larger (1 seed), quick (with --limit 300 under an hour on "
            "2 cores), or a .toml file.",
        ),
    ] = "paper",
    corpus: Annotated[
        str | None, typer.Option("--name", help="What to call the corpus. Default: the folder of the papers.")
    ] = None,
    without: Annotated[
        Path | None,
        typer.Option("--without", help="A file with ids of labels, one a line, to leave out of labels and gold."),
    ] = None,
    shuffled: Annotated[
        bool,
        typer.Option(
            "--shuffle",
            help="Take papers in random order, the same each time: files are often in the order of journals or years, "
            "and those who learn from the papers behind the limit should learn from the like.",
        ),
    ] = False,
    markdown: Annotated[
        Path | None, typer.Option("--markdown", help="Also write the whole report as Markdown to this file.")
    ] = None,
    cache: CacheOption = None,
    quiet: QuietOption = False,
) -> None:
    """Print a table or a figure of the paper for any corpus; without NAME, list them.

    Everything goes to the report folder, as Markdown, CSV, LaTeX and plots, and to its index.html. An experiment that
    was killed can be started again with the same words: methods that were finished are not run twice.
    """
    from futex import terminal
    from futex.experiments.plans import all_plans, plans_named, profile_named
    from futex.experiments.running import Order, run_experiments
    from futex.experiments.writing.files import check_document, write_document
    from futex.experiments.writing.plots import check_matplotlib

    if name is None:
        for plan in all_plans().values():
            print(f"{plan.name:14} {plan.title}")
        return
    if papers is None or labels is None or gold is None:
        raise typer.BadParameter("give --papers, --labels and --gold", param_hint="futex experiment NAME")
    terminal.set_up(quiet)
    check_matplotlib()
    if markdown is not None:
        check_document(markdown)
    order = Order(
        papers=papers,
        labels=labels,
        gold=gold,
        out=out,
        cache=cache or cache_folder(),
        profile=profile_named(profile),
        plm=plm,
        limit=limit,
        name=corpus,
        without=without,
        shuffled=shuffled,
        command=shlex.join(["futex", *sys.argv[1:]]),
    )
    run_experiments(plans_named(name), order)
    if markdown is not None:
        write_document(out, markdown)
    if not quiet:
        print(f"wrote {out / 'index.html'}", file=sys.stderr)

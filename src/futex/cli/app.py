"""The program; each command registers itself here."""

import typer

app = typer.Typer(
    name="futex",
    help=(
        "Ranked taxonomy labels with evidence for full-text scientific papers, without a labelled example.\n\n"
        "Start with `futex run PAPERS --labels LABELS --out DIR`, then read DIR/predictions.jsonl, "
        "or label new papers with `futex suggest DIR/model FILE`."
    ),
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)

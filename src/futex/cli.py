"""The command line. Results go to stdout, messages to stderr; exit codes: 0 done, 1 wrong input, 2 wrong usage."""

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from futex.config import RECIPES, Recipe, cache_folder
from futex.errors import FutexError

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

PapersArg = Annotated[
    str,
    typer.Argument(
        metavar="PAPERS",
        help='A file, folder, pattern ("papers/*.xml") or archive (JATS XML, FuTex JSONL or Parquet); `-` is stdin.',
    ),
]
FormatOption = Annotated[
    str | None, typer.Option("--format", help="jats, jsonl or parquet. Default: recognised by content.")
]
StrictOption = Annotated[
    bool, typer.Option("--strict", help="A damaged file among many is an error. Default: it is named and skipped.")
]
LABELS_FORMATS = "skos, mesh, obo, annif, invenio or jsonl. Default: recognised by content."
RESULT_FORMATS = "trec, csv, parquet, rdf, annif or annif-key"
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


def main() -> None:
    """Run the command line; a fault of the input is one clear line and exit code 1."""
    try:
        app()
    except FutexError as error:
        _fail(" ".join(str(error).split()))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        _fail(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}")
    except MemoryError:
        _fail("out of memory: use --limit, or a machine with more; what was computed is kept in the cache")


def _fail(message: str) -> None:
    print(f"futex: {message}", file=sys.stderr)
    sys.exit(1)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"futex {version('futex')}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None: ...


class _Skipped:
    """Names what is passed over, and says at the end how much it was."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, message: str) -> None:
        self.count += 1
        print(f"skipped: {message}", file=sys.stderr)

    def summary(self) -> None:
        if self.count:
            print(f"{self.count} skipped in all", file=sys.stderr)


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
            help="embedded (all-MiniLM-L6-v2, needs no hub), mpnet, a folder, or a hub id like allenai/specter.",
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
    labels_format: Annotated[str | None, typer.Option("--labels-format", help=LABELS_FORMATS)] = None,
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
    skipped = _Skipped()
    inputs = Inputs(
        papers=papers,
        labels=labels,
        format=format,
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
    cache: CacheOption = None,
    quiet: QuietOption = False,
) -> None:
    """Suggest labels, with reasons, for papers the model has never seen."""
    from futex import terminal
    from futex.corpus.store import read_papers
    from futex.evidence import Explainer
    from futex.pipeline import FuTex

    terminal.set_up(quiet=quiet or terminal.err.is_terminal is False)
    skipped = _Skipped()
    papers = [paper for file in files for paper in read_papers(file, format=format, on_skip=skipped)]
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


@app.command("eval")
def evaluate_command(
    predictions: Annotated[
        Path, typer.Argument(metavar="DIR_OR_PREDICTIONS", help="The folder of a run, or a predictions.jsonl.")
    ],
    gold: Annotated[Path, typer.Option("--gold", help='JSONL with lines {"id": paper, "labels": [label ids]}.')],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object with all metrics.")] = False,
    ignore_unknown: Annotated[
        bool,
        typer.Option(
            "--ignore-unknown",
            help="Gold may name papers that have no prediction and labels that are not in the label space.",
        ),
    ] = False,
) -> None:
    """Measure predictions against gold labels: P@k, NDCG@k, R@k, PSP@k, PSN@k with 95 % bootstrap intervals.

    Papers without any predicted label count 0. PSP and PSN are normalised by the best attainable value, as the paper's
    numbers are; rawPSP and rawPSN are its formulas as printed.
    """
    from futex import terminal
    from futex.evaluation.bootstrap import confidence
    from futex.evaluation.gold import Gold
    from futex.evaluation.metrics import evaluate
    from futex.evaluation.predictions import read_predictions
    from futex.evaluation.report import table
    from futex.labels.store import read_labels
    from futex.run import CONFIG, MODEL, PREDICTIONS

    folder = predictions if predictions.is_dir() else predictions.parent
    rankings = read_predictions(predictions / PREDICTIONS if predictions.is_dir() else predictions)
    truth = Gold.read(gold)
    if not ignore_unknown:
        config = json.loads((folder / CONFIG).read_text()) if (folder / CONFIG).exists() else {}
        space = folder / MODEL / "labels.jsonl"
        truth.check(
            papers=None if config.get("limit") else rankings.keys(),
            labels=read_labels(space, "jsonl").keys() if space.exists() else None,
        )
    evaluation = evaluate(rankings, truth)
    intervals = confidence(evaluation)
    if as_json:
        print(json.dumps({**evaluation.as_dict(), "intervals": intervals}))
    else:
        terminal.out.print(table(evaluation, intervals))


@app.command()
def export(
    source: Annotated[
        Path, typer.Argument(metavar="SOURCE", help="The folder of a run, or a predictions.jsonl; for qrels, gold.")
    ],
    out: Annotated[Path, typer.Option("--out", help="Where to write; for annif and annif-key a folder.")],
    format: Annotated[str, typer.Option("--as", help=f"{RESULT_FORMATS}, jsonl, or qrels (of gold).")],
) -> None:
    """Write the predictions of a run, or gold, in a format that other tools read."""
    from futex.evaluation.gold import Gold
    from futex.evaluation.predictions import predictions_in
    from futex.results.trec import write_qrels
    from futex.results.writing import write_predictions
    from futex.run import PREDICTIONS

    if format == "qrels":
        write_qrels(Gold.read(source), out)
    else:
        write_predictions(predictions_in(source / PREDICTIONS if source.is_dir() else source), {format: out})


@app.command()
def convert(
    source: Annotated[
        str, typer.Argument(metavar="IN", help="A file, folder, pattern or archive in any known format; `-` is stdin.")
    ],
    papers: Annotated[
        Path,
        typer.Option("--papers", help="Where to write the papers: .parquet, or .jsonl (also .jsonl.gz, .xz, .zst)."),
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
    limit: LimitOption = None,
    strict: StrictOption = False,
    quiet: QuietOption = False,
) -> None:
    """Turn papers of any known format into our store, and their subject terms into a label space and gold."""
    from futex import terminal
    from futex.conversion import convert as convert_all

    terminal.set_up(quiet)
    skipped = _Skipped()
    count = convert_all(
        source,
        papers=papers,
        labels=labels,
        gold=gold,
        terms=terms,
        format=format,
        limit=limit,
        strict=strict,
        on_skip=skipped,
    )
    skipped.summary()
    print(f"{count} papers converted", file=sys.stderr)


@app.command()
def inspect(
    papers: PapersArg,
    labels: Annotated[
        Path | None, typer.Option("--labels", help="Also count labels and candidates of this label space.")
    ] = None,
    gold: Annotated[Path | None, typer.Option("--gold", help="Also count gold labels.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    format: FormatOption = None,
    limit: LimitOption = None,
    strict: StrictOption = False,
) -> None:
    """Print Table 1 of the paper for a corpus: sizes, links between papers, share of papers with candidates."""
    from futex import terminal
    from futex.candidates import Matcher, retrieve
    from futex.corpus.statistics import statistics
    from futex.corpus.store import read_papers
    from futex.evaluation.gold import Gold
    from futex.labels.store import read_labels

    skipped = _Skipped()
    space = read_labels(labels) if labels else None
    truth = Gold.read(gold) if gold else None
    corpus = read_papers(papers, format=format, limit=limit, strict=strict, on_skip=skipped)
    if truth is not None:
        truth.check(papers=None if limit else [paper.id for paper in corpus], labels=space.keys() if space else None)
    found = retrieve(corpus, Matcher(space)) if space else None
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
    format: Annotated[str | None, typer.Option("--format", help=LABELS_FORMATS)] = None,
    language: LanguageOption = "en",
    limit: LimitOption = None,
) -> None:
    """Show what a label space is like, and which of its names will make trouble.

    Names that several labels share, that are everyday words or stand in a fifth of the papers bring wrong candidates;
    labels without a name that a text can have bring none.
    """
    from futex import terminal
    from futex.candidates import Matcher, retrieve
    from futex.corpus.store import read_papers
    from futex.labels.report import report
    from futex.labels.store import read_labels

    skipped = _Skipped()
    space = read_labels(file, format, language)
    found = None
    if papers is not None:
        retrieved = retrieve(read_papers(papers, limit=limit, on_skip=skipped), Matcher(space))
        found = [{label: {m.name for m in found} for label, found in labels.items()} for labels in retrieved.values()]
    made = report(space, found)
    skipped.summary()
    if as_json:
        print(json.dumps(asdict(made), ensure_ascii=False))
    else:
        terminal.show_label_report(made)

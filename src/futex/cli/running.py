"""futex run, futex methods, futex suggest and futex adapt"""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from futex.cli.app import app
from futex.cli.options import (
    ONLY_APPLYING,
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
from futex.cli.reranking import LlmBudgetOption, LlmModelOption, LlmOption, LlmPriceOption, reranker_of
from futex.config import ABLATIONS, DEFAULT, MAX_SEED, Recipe, cache_folder
from futex.corpus.store import read_papers
from futex.errors import InputError
from futex.evaluation.gold import Gold
from futex.evidence import Explainer, prediction
from futex.model_folder import check_target
from futex.pipeline import FuTex

if TYPE_CHECKING:
    from futex.baselines.methods import Method
    from futex.sharded.engine import Engine


FUTEX, BASELINES, PARABEL = "FuTex and its ablations", "the systems it is compared with", "--method parabel"

MEANT_FOR = {
    **dict.fromkeys(("recipe", "engine", "address", "llm", "llm_model", "llm_price", "llm_budget"), (FUTEX,)),
    **dict.fromkeys(("plm", "triples", "metapath"), (FUTEX, BASELINES)),
    **dict.fromkeys(("text", "length"), (BASELINES,)),
    **dict.fromkeys(("gold", "train"), (PARABEL,)),
}
"""Options of `futex run` that do not fit every method."""


@app.command()
def run(
    context: typer.Context,
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
        str | None,
        typer.Option(
            "--recipe",
            help="best (default): names in the full text, weighed by a PLM. transfer: weighed as the gold of eLife and "
            "PLOS teaches. paper: the paper's three modules. Or a TOML/JSON file with settings.",
        ),
    ] = None,
    plm: Annotated[
        str | None,
        typer.Option(
            "--plm",
            help="embedded (all-MiniLM-L6-v2, needs no hub), mpnet, a folder, or a hub id like allenai/specter; "
            "static, or static:NAME, is a light model distilled from one, which encodes a hundred times faster, less "
            "exactly; bf16:NAME computes in bfloat16, which newer processors do faster; none: names only, no PLM.",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", min=0, max=MAX_SEED, help="Same seed, data and machine: same bytes. Default: the recipe's, or 0."
        ),
    ] = None,
    limit: LimitOption = None,
    strict: StrictOption = False,
    top: Annotated[int, typer.Option("--top", min=1, help="Labels written for each paper.")] = 20,
    also: Annotated[
        list[str] | None,
        typer.Option("--also", help=f"Write predictions in another format too: {RESULT_FORMATS}.{ONLY_APPLYING}"),
    ] = None,
    triples: Annotated[
        int | None,
        typer.Option(
            "--triples",
            min=1,
            help="Triples to fine-tune on with --recipe paper, or links for a baseline that learns from them. "
            "Default: 45,000 on a GPU, what ten CPU-minutes allow otherwise.",
        ),
    ] = None,
    metapath: Annotated[
        str | None,
        typer.Option(
            "--metapath",
            help="How papers are linked, for methods that learn from links: P->P, P<-P, P->P<-P, P<-P->P, P->(PP)<-P, "
            "P<-(PP)->P, P-A-P, P-V-P, P(AA)P or P(AV)P. Default: P->P<-P, a shared reference.",
        ),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            "--method",
            help="A system of the paper instead: futex (as --recipe paper), an ablation of it, or one it is compared "
            "with; `futex methods` lists them.",
        ),
    ] = None,
    text: Annotated[
        str | None,
        typer.Option("--text", help="What a baseline reads, abstract or full. Default: as it was published."),
    ] = None,
    length: Annotated[
        int | None,
        typer.Option("--length", help="Tokens that --method longformer reads: 512 (default), 1024, 2048 or 4096."),
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option("--gold", help="True labels to train on; for --method parabel only, as it is supervised."),
    ] = None,
    train: Annotated[
        int,
        typer.Option("--train", min=1, help="How many papers --method parabel is trained on; the others are ranked."),
    ] = 1000,
    engine: Annotated[
        str,
        typer.Option(
            "--engine",
            help="local: processes of this machine. ray: a process on every core or GPU of a Ray cluster, with the "
            "same result; --out must be a folder that all its nodes see (docs/scaling.md).",
        ),
    ] = "local",
    address: Annotated[
        str | None,
        typer.Option(
            "--address",
            help="The cluster for --engine ray: auto for the one this machine belongs to, or HOST:PORT. "
            "Default: the one on this machine, or a new one on all its cores.",
        ),
    ] = None,
    format: FormatOption = None,
    grobid: GrobidOption = None,
    labels_format: LabelsFormatOption = None,
    language: LanguageOption = "en",
    cache: CacheOption = None,
    quiet: QuietOption = False,
    llm: LlmOption = None,
    llm_model: LlmModelOption = None,
    llm_price: LlmPriceOption = None,
    llm_budget: LlmBudgetOption = None,
) -> None:
    """Rank the labels of a taxonomy for every paper of a corpus.

    A run that was killed can be started again with the same words: what was computed is not computed twice. The same
    holds when papers were added, or labels or options changed: only what hangs on them is computed. `futex status`
    tells how far a run is.
    """
    from futex import terminal
    from futex.baselines.methods import method_named, setting_of
    from futex.runs.baselines import run_baseline, run_supervised
    from futex.runs.inputs import Inputs
    from futex.runs.output import PREDICTIONS
    from futex.runs.run import run as run_futex

    terminal.set_up(quiet)
    skipped, cache = Skipped(), cache or cache_folder()
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
    _check_options(context, method)
    if method is None or method in ABLATIONS:
        reranker = reranker_of(llm, llm_model, llm_price, llm_budget, cache)
        chosen = _with_links(_recipe(recipe, method).but(plm=plm, seed=seed), triples, metapath)
        workers = _engine_named(engine, address)
        run_futex(inputs, out, chosen, cache, skipped, engine=workers, reranker=reranker)
    elif method == "parabel":
        if gold is None:
            raise InputError("parabel is supervised: give it true labels to train on with --gold FILE")
        run_supervised(inputs, out, gold, train, seed or 0, skipped)
    else:
        links = {"metapath": metapath} if metapath else {}
        others = {"seed": seed or 0, "triples": triples, "cache": cache, **links}
        setting = setting_of(method_named(method), plm, text, length, **others)
        run_baseline(inputs, out, method, setting, skipped)
    skipped.summary()
    if not quiet:
        print(f"wrote {out / PREDICTIONS}", file=sys.stderr)


def _check_options(context: typer.Context, method: str | None) -> None:
    """Refuse what would be ignored."""
    from futex.baselines.methods import method_named

    kind = FUTEX if method is None or method in ABLATIONS else PARABEL if method == "parabel" else BASELINES
    for name, kinds in MEANT_FOR.items():
        if kind not in kinds and _is_given(context, name):
            raise InputError(f"--{name.replace('_', '-')} is for {' and '.join(kinds)}: leave it out")
    if method is not None and kind == BASELINES:
        _check_use(context, method_named(method))


def _check_use(context: typer.Context, method: "Method") -> None:
    """Refuse what this baseline would ignore."""
    idle = [*(() if method.checkpoint else ("plm",)), *(() if method.learns else ("triples", "metapath"))]
    for name in idle:
        if _is_given(context, name):
            raise InputError(f"{method.title} has no use for --{name}: leave it out")


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _recipe(name: str | None, method: str | None) -> Recipe:
    """The default is the best; whoever names a method of the paper wants it as in the paper."""
    if method is None:
        return Recipe.load(name) if name else DEFAULT
    chosen = Recipe.load(name or "paper")
    if chosen.scores_names:
        raise InputError(f"--method {method} is made of the paper's modules: leave --recipe {name} out")
    return chosen.but(**ABLATIONS[method])


def _with_links(recipe: Recipe, triples: int | None, metapath: str | None) -> Recipe:
    given = "--triples" if triples is not None else "--metapath" if metapath is not None else None
    if given and not recipe.network:
        instead = "take --recipe paper without --method, or leave it out"
        raise InputError(f"{given} is for fine-tuning on links, which is not done here: {instead}")
    return recipe.but(triples=triples, metapath=metapath)


def _engine_named(name: str, address: str | None) -> "Engine":
    from futex.sharded.local import LocalEngine
    from futex.sharded.on_ray import RayEngine

    if name not in ("local", "ray"):
        raise InputError(f"no engine {name!r}: choose local or ray")
    if name == "local" and address is not None:
        raise InputError("--address is for --engine ray: leave it out, or add that")
    return RayEngine(address) if name == "ray" else LocalEngine()


@app.command()
def methods() -> None:
    """List the systems that `futex run --method` knows."""
    from futex.baselines.methods import METHODS

    for name in ABLATIONS:
        print(f"{name:24} no PLM of its own: --plm, or the recipe's")
    for name, method in METHODS.items():
        reads = " or ".join(method.texts)
        lengths = f" (--length {', '.join(map(str, method.lengths))})" if len(method.lengths) > 1 else ""
        print(
            f"{name:24} {method.title}, reads {reads}{lengths}; "
            + (f"--plm {method.checkpoint}" if method.checkpoint else "no PLM")
        )
    print(f"{'parabel':24} Parabel trained on gold (--gold FILE --train N): the only supervised one")


@app.command()
def suggest(
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="The model/ folder of a run, or what `futex adapt` has written.")
    ],
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

    terminal.set_up(quiet=quiet or not terminal.err.is_terminal)
    skipped = Skipped()
    papers = [paper for file in files for paper in read_papers(file, format=format, grobid=grobid, on_skip=skipped)]
    loaded = FuTex.from_pretrained(model, cache=cache or cache_folder())
    explainer = Explainer(loaded)
    for paper in papers:
        suggestions = explainer.suggestions(paper, loaded.rank([paper])[paper.id], top)
        if as_json:
            print(json.dumps(prediction(paper, suggestions), ensure_ascii=False))
        else:
            terminal.show_suggestions(paper, suggestions)
    skipped.summary()


@app.command()
def adapt(
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="The model/ folder of a run with --recipe best or transfer.")
    ],
    papers: PapersArg,
    gold: Annotated[Path, typer.Option("--gold", help="Reviewed labels of some of these papers, as for `futex eval`.")],
    out: Annotated[Path, typer.Option("--out", help="Folder for the adapted model.")],
    format: FormatOption = None,
    grobid: GrobidOption = None,
    cache: CacheOption = None,
    quiet: QuietOption = False,
) -> None:
    """Learn from a few reviewed papers (20 to 500) how to weigh names, and which labels reviewers give.

    What it learns holds for labels without any example too. Scores tell how likely these reviewers give a label.
    """
    from futex import terminal

    terminal.set_up(quiet)
    check_target(out)
    skipped = Skipped()
    reviewed, loaded = Gold.read(gold), FuTex.from_pretrained(model, cache=cache or cache_folder())
    reviewed.check(labels=loaded.labels)
    read = read_papers(papers, format=format, grobid=grobid, on_skip=skipped)
    loaded.adapt(read, reviewed)
    loaded.save_pretrained(out)
    skipped.summary()
    if not quiet:
        print(f"wrote {out}", file=sys.stderr)

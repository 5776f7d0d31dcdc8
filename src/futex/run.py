"""A run: a corpus and a label space in, a folder of predictions with evidence out.

    DIR/predictions.jsonl   a line a paper, labels best first, with evidence (also .trec, .csv and more, if wanted)
    DIR/config.json         the resolved recipe, versions, hashes of the inputs
    DIR/model/              the fitted model, ready for `futex suggest`
    DIR/shards/             what was computed on the way (see `sharded/`)

A run that was killed and is started again computes only what is missing and ends with the same bytes; so does one whose
papers, labels or settings have changed since.
"""

import hashlib
import json
import logging
import platform
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from futex.baselines.methods import method_named, rank_with
from futex.baselines.setting import Setting
from futex.baselines.supervised import SupervisedParabel, training_papers
from futex.candidates import Matcher, Within
from futex.config import Recipe
from futex.corpus.paper import Paper
from futex.corpus.reading import Reading
from futex.corpus.store import spool_papers, usable_documents
from futex.errors import InputError
from futex.evaluation.gold import Gold
from futex.evidence import predictions
from futex.files import sha256, write_text
from futex.labels.label import LabelSpace
from futex.labels.store import read_labels, write_labels
from futex.plm.checkpoints import check_name, local_folder
from futex.ranking import Ranking
from futex.reranking.reranker import Reranker
from futex.results.writing import format_named, write_predictions
from futex.sharded.completing import complete
from futex.sharded.engine import Engine
from futex.sharded.folder import RunFolder
from futex.sharded.local import LocalEngine
from futex.sharded.new_order import in_new_order
from futex.sharded.papers import corpus_key, corpus_of
from futex.sharded.plan import Plan
from futex.sharded.stages import Stages

log = logging.getLogger(__name__)

PREDICTIONS, CONFIG, LOCK = "predictions.jsonl", "config.json", ".lock"


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    papers: str
    labels: str
    format: str | None = None
    grobid: str | None = None
    labels_format: str | None = None
    language: str = "en"
    limit: int | None = None
    strict: bool = False
    top: int = 20
    also: tuple[str, ...] = ()
    """Formats of `results.writing` in which predictions are written besides JSONL."""


def run(
    inputs: Inputs,
    out: Path,
    recipe: Recipe,
    cache: Path,
    on_skip: Callable[[str], None] = log.warning,
    *,
    engine: Engine | None = None,
    reranker: Reranker | None = None,
) -> None:
    """Fit on the papers, rank them, write the folder: Algorithm 1 over shards, on any engine."""
    paths, folder = _prediction_files(inputs, out), RunFolder(out.resolve())
    with closing(engine or LocalEngine()) as workers, _held(out):
        plan = _planned(inputs, folder, recipe, on_skip)
        stages = Stages.of(plan, cache.resolve())
        for stage in stages:
            complete(stage, workers, [sum(plan.sizes)] if stage.whole_corpus else plan.sizes)
        for paper in plan.given_up():
            on_skip(f"paper {paper}: the process that worked on it died, again and again; look into it")
        found = stages.predictions
        write_predictions(in_new_order(found, plan, reranker) if reranker else found.all(plan.shards), paths)
        resolved = json.loads((folder.model.folder / "recipe.json").read_text())
        graded = {"reranking": reranker.as_dict()} if reranker else {}
        _write_config(out, inputs, {"recipe": resolved, "seed": resolved["seed"], **graded})


def _planned(inputs: Inputs, folder: RunFolder, recipe: Recipe, on_skip: Callable[[str], None]) -> Plan:
    """Read labels and papers, and write down what is to be done with them."""
    check_name(recipe.plm)
    labels = read_labels(inputs.labels, inputs.labels_format, inputs.language)
    origin = {name: getattr(inputs, name) for name in ("format", "grobid", "limit", "strict")}
    origin |= {"sha256": hash_of(inputs.papers), "futex": version("futex")}
    receipts, skipped = corpus_of(folder, origin, partial(_read, inputs), on_skip)
    sizes = tuple(receipt.papers for receipt in receipts)
    log.info("%d papers, %d labels", sum(sizes), len(labels))
    write_labels(labels, folder.labels)
    folder.tidy(len(sizes))
    given = local_folder(recipe.plm)
    plm = (hash_of(str(given)) if given else None) or recipe.plm
    plan = Plan(folder, recipe, plm, sha256(folder.labels), inputs.top, sizes)
    known = {"origin": origin, "corpus": corpus_key(receipts), "skipped": skipped, "versions": versions()}
    folder.write_manifest({"plan": plan.as_dict(), **known})
    return plan


def _read(inputs: Inputs, on_skip: Callable[[str], None]) -> Iterator[Paper]:
    how = Reading(format=inputs.format, grobid=inputs.grobid, strict=inputs.strict, on_skip=on_skip)
    return (document.paper for document in islice(usable_documents(inputs.papers, **how), inputs.limit))


def run_baseline(
    inputs: Inputs, out: Path, name: str, setting: Setting, on_skip: Callable[[str], None] = log.warning
) -> None:
    """Rank the papers by another method; a folder like that of `run`, but without a model."""
    method, paths = method_named(name), _prediction_files(inputs, out)
    with _held(out):
        labels = read_labels(inputs.labels, inputs.labels_format, inputs.language)
        papers = _papers(inputs, len(labels), on_skip)
        rankings = rank_with(method, papers, labels, setting)
        write_predictions(predictions(OnlyNames(labels), papers, rankings, inputs.top), paths)
        _write_config(out, inputs, {"method": name, "setting": asdict(setting) | {"cache": None}})


def run_supervised(
    inputs: Inputs, out: Path, gold: Path, training: int, seed: int, on_skip: Callable[[str], None] = log.warning
) -> None:
    """Train Parabel on the gold of some papers and rank all the others."""
    paths = _prediction_files(inputs, out)
    with _held(out):
        labels, known = read_labels(inputs.labels, inputs.labels_format, inputs.language), Gold.read(gold)
        papers = _papers(inputs, len(labels), on_skip)
        seen = training_papers(papers, known, training, seed)
        trained_on = {paper.id for paper in seen}
        others = [paper for paper in papers if paper.id not in trained_on]
        log.info("supervised: trained on the gold of %d papers, which are left out of the predictions", training)
        rankings = SupervisedParabel(labels, seen, known, seed=seed).rank(others, {})
        write_predictions(predictions(OnlyNames(labels), others, rankings, inputs.top), paths)
        settings = {"training papers": sorted(trained_on), "seed": seed, "gold": sha256(gold)}
        _write_config(out, inputs, {"method": "parabel", "setting": settings})


def _prediction_files(inputs: Inputs, out: Path) -> dict[str, Path]:
    return {name: out / f"predictions{format_named(name).suffix}" for name in ("jsonl", *inputs.also)}


def _papers(inputs: Inputs, labels: int, on_skip: Callable[[str], None]) -> Sequence[Paper]:
    how = Reading(format=inputs.format, grobid=inputs.grobid, strict=inputs.strict, on_skip=on_skip)
    papers = spool_papers(inputs.papers, limit=inputs.limit, **how)
    log.info("%d papers, %d labels", len(papers), labels)
    return papers


class OnlyNames:
    """A baseline as the explainer sees it: it can tell which names of a label it found, and where."""

    match_within: Within = "abstract"
    paragraph_plm = self_training = None

    def __init__(self, labels: LabelSpace) -> None:
        self.labels = labels
        self.matcher = Matcher(labels)

    def number_that_apply(self, ranking: Ranking) -> None:
        """Nobody knows."""


def is_held(out: Path) -> bool:
    """Whether a process is writing to this folder now."""
    if not (out / LOCK).exists():
        return False
    try:
        with FileLock(out / LOCK, blocking=False):
            return False
    except (Timeout, OSError):
        return True


@contextmanager
def _held(out: Path) -> Iterator[None]:
    """The output folder, made and held by this process alone; if nothing comes of it, it goes again."""
    lock = FileLock(out / LOCK, blocking=False)
    try:
        out.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        raise InputError(f"another futex run is writing to {out}: wait for it or choose another folder") from None
    except OSError as error:
        raise InputError(f"cannot write to {out}: {error.strerror or error}; choose another folder") from error
    try:
        yield
    finally:
        lock.release()
        if {path.name for path in out.iterdir()} <= {LOCK}:
            shutil.rmtree(out, ignore_errors=True)


def _write_config(out: Path, inputs: Inputs, method: dict[str, Any]) -> None:
    config = {
        **method,
        "limit": inputs.limit,
        "language": inputs.language,
        "top": inputs.top,
        "inputs": {
            "papers": {"path": inputs.papers, "sha256": hash_of(inputs.papers)},
            "labels": {"path": inputs.labels, "sha256": hash_of(inputs.labels)},
        },
        "versions": versions(),
    }
    write_text(out / CONFIG, json.dumps(config, indent=2, ensure_ascii=False) + "\n")


def versions() -> dict[str, str]:
    """Of everything that can change a digit."""
    packages = ("futex", "numpy", "scipy", "torch", "transformers", "tokenizers", "ahocorasick_rs", "lxml")
    return {"python": platform.python_version()} | {name: version(name) for name in packages}


def hash_of(where: str) -> str | None:
    """Of a file, or of the hashes of all files in a folder; standard input has none."""
    path = Path(where)
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file())
        listing = "".join(f"{sha256(file)} {file.relative_to(path).as_posix()}\n" for file in files)
        return hashlib.sha256(listing.encode()).hexdigest()
    return sha256(path) if path.is_file() else None

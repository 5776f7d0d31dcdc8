"""A run of FuTex: Algorithm 1 over shards, on any engine.

One that was killed and is started again computes only what is missing and ends with the same bytes; so does one whose
papers, labels or settings have changed since.
"""

import logging
from contextlib import closing
from pathlib import Path

from futex.config import Recipe
from futex.corpus.citations import MetaPath
from futex.corpus.reading import OnSkip
from futex.files import sha256
from futex.labels.store import write_labels
from futex.model_folder import check_target, recipe_of
from futex.plm.absent import needed
from futex.plm.names import check_name, local_folder
from futex.progress import counted
from futex.reranking.reranker import BEST, Reranker
from futex.results.writing import write_predictions
from futex.runs.inputs import Hashes, Inputs, hash_of_folder
from futex.runs.output import check_apart, held, prediction_files, versions, write_config
from futex.sharded.completing import complete
from futex.sharded.engine import Engine
from futex.sharded.folder import RunFolder
from futex.sharded.local import LocalEngine
from futex.sharded.new_order import in_new_order
from futex.sharded.papers import corpus_of
from futex.sharded.plan import Plan
from futex.sharded.stages import Stages

log = logging.getLogger(__name__)


def run(
    inputs: Inputs,
    out: Path,
    recipe: Recipe,
    cache: Path,
    on_skip: OnSkip = log.warning,
    *,
    engine: Engine | None = None,
    reranker: Reranker | None = None,
) -> None:
    """Fit on the papers, rank them, write the folder."""
    _check(recipe)
    paths, folder = prediction_files(inputs, out), RunFolder(out.resolve())
    check_apart(inputs, out)
    check_target(folder.model.folder)
    with closing(engine or LocalEngine()) as workers, held(out):
        hashes, top = inputs.hashes(), max(inputs.top, BEST) if reranker else inputs.top
        plan = _planned(inputs, hashes, top, folder, recipe, on_skip)
        stages = Stages.of(plan, cache.resolve())
        for stage in stages:
            complete(stage, workers, plan.sizes_for(stage))
        for paper, shard in plan.given_up():
            on_skip(f"paper {paper}: the process that worked on it died, again and again; to retry, remove {shard}")
        found = stages.predictions
        ordered = in_new_order(found, plan, reranker, inputs.top) if reranker else found.all(plan.shards)
        write_predictions(ordered, paths)
        resolved = recipe_of(folder.model.folder)
        graded = {"reranking": reranker.as_dict()} if reranker else {}
        write_config(out, inputs, hashes, {"recipe": resolved.as_dict(), "seed": resolved.seed, **graded})


def _check(recipe: Recipe) -> None:
    """What can be told of a recipe before a paper is read."""
    check_name(recipe.plm)
    if recipe.plm == "none" and not recipe.scores_names:
        raise needed()
    if recipe.network:
        MetaPath.parse(recipe.metapath)


def _planned(inputs: Inputs, hashes: Hashes, top: int, folder: RunFolder, recipe: Recipe, on_skip: OnSkip) -> Plan:
    """Read labels and papers, and write down what is to be done with them."""
    labels = inputs.read_labels()
    corpus = corpus_of(folder, inputs.origin(hashes), inputs.read_papers, on_skip)
    log.info("%s, %s", counted(sum(corpus.sizes), "paper"), counted(len(labels), "label"))
    write_labels(labels, folder.labels)
    folder.tidy(len(corpus.sizes))
    given = local_folder(recipe.plm)
    plm = hash_of_folder(given) if given else recipe.plm
    plan = Plan(folder, recipe, plm, sha256(folder.labels), top, corpus.sizes)
    folder.write_manifest({"plan": plan.as_dict(), **corpus.note, "versions": versions()})
    return plan

"""Runs of the other systems: a folder like that of FuTex, but without a model."""

import logging
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from futex.baselines.methods import method_named, rank_with
from futex.baselines.setting import Setting
from futex.baselines.supervised import SupervisedParabel, training_papers
from futex.candidates import Matcher, Within
from futex.corpus.paper import Paper
from futex.corpus.reading import OnSkip
from futex.corpus.spool import PaperSpool
from futex.errors import InputError
from futex.evaluation.gold import Gold
from futex.evidence import predictions
from futex.files import sha256
from futex.labels.label import LabelSpace
from futex.progress import counted
from futex.ranking import Ranking
from futex.results.writing import write_predictions
from futex.runs.inputs import Inputs
from futex.runs.output import check_apart, held, prediction_files, write_config
from futex.sharded.folder import MANIFEST

log = logging.getLogger(__name__)


def run_baseline(inputs: Inputs, out: Path, name: str, setting: Setting, on_skip: OnSkip = log.warning) -> None:
    """Rank the papers by another method, which learns from no gold."""
    method, paths = method_named(name), _checked(inputs, out)
    with held(out):
        hashes = inputs.hashes()
        labels, papers = _read(inputs, on_skip)
        rankings = rank_with(method, papers, labels, setting)
        write_predictions(predictions(OnlyNames(labels), papers, rankings, inputs.top), paths)
        write_config(out, inputs, hashes, {"method": name, "setting": asdict(setting) | {"cache": None}})


def run_supervised(
    inputs: Inputs, out: Path, gold: Path, training: int, seed: int, on_skip: OnSkip = log.warning
) -> None:
    """Train Parabel on the gold of some papers and rank all the others."""
    paths = _checked(inputs, out)
    with held(out):
        hashes = inputs.hashes()
        known = Gold.read(gold)
        labels, papers = _read(inputs, on_skip)
        seen = training_papers(papers, known, training, seed)
        trained_on = {paper.id for paper in seen}
        others = PaperSpool(paper for paper in papers if paper.id not in trained_on)
        log.info("supervised: trained on the gold of %d papers, which are left out of the predictions", training)
        rankings = SupervisedParabel(labels, seen, known, seed=seed).rank(others, {})
        write_predictions(predictions(OnlyNames(labels), others, rankings, inputs.top), paths)
        settings = {"training papers": sorted(trained_on), "seed": seed, "gold": sha256(gold)}
        write_config(out, inputs, hashes, {"method": "parabel", "setting": settings})


def _checked(inputs: Inputs, out: Path) -> dict[str, Path]:
    """Where predictions go: not beside a model that `futex eval`, `status` and `serve` would take for theirs."""
    check_apart(inputs, out)
    if (out / MANIFEST).exists():
        raise InputError(f"{out} holds a run of FuTex, with its model: choose another folder for this method")
    return prediction_files(inputs, out)


def _read(inputs: Inputs, on_skip: OnSkip) -> tuple[LabelSpace, Sequence[Paper]]:
    labels, papers = inputs.read_labels(), inputs.spool_papers(on_skip)
    log.info("%s, %s", counted(len(papers), "paper"), counted(len(labels), "label"))
    return labels, papers


class OnlyNames:
    """A baseline as the explainer sees it: it can tell which names of a label it found, and where."""

    match_within: Within = "abstract"
    paragraph_plm = self_training = None

    def __init__(self, labels: LabelSpace) -> None:
        self.labels = labels
        self.matcher = Matcher(labels)

    def number_that_apply(self, ranking: Ranking) -> None:
        """Nobody knows."""

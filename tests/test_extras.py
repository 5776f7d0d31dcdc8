"""Each extra works alone, and without it one line says which to install.

What `pip install futex` or `pip install 'futex[EXTRA]'` would not bring is hidden from a fresh Python.
"""

import json
import os
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from futex.corpus.store import write_papers
from futex.labels.store import write_labels

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
CORPUS = ["--labels", "labels.jsonl", "--out", "out", "--recipe", "small.toml", "--quiet"]

COMMANDS_WITH_LITTLE_INSTALLED = """
import json, sys
from importlib.machinery import PathFinder

hidden, commands = json.loads(sys.argv[1])

class Little(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name in hidden:
            path = [folder for folder in sys.path if not folder.endswith("-packages")]
        return super().find_spec(name, path, target)

sys.meta_path = [Little if finder is PathFinder else finder for finder in sys.meta_path]

from futex.cli import main

for words in commands:
    sys.argv = ["futex", *words]
    try:
        main()
    except SystemExit as end:
        print("ended with", end.code or 0, file=sys.stderr)
    else:
        print("ended with", 0, file=sys.stderr)
"""


def brought_by(requirements: list[str]) -> set[str]:
    """Names of all distributions that these need, and those that they need."""
    found: set[tuple[str, str]] = set()
    waiting = [Requirement(line) for line in requirements]
    while waiting:
        wanted = waiting.pop()
        for extra in ("", *wanted.extras):
            entry = (canonicalize_name(wanted.name), extra)
            if entry not in found:
                found.add(entry)
                needs = _needs(wanted.name)
                waiting += [need for need in needs if not need.marker or need.marker.evaluate({"extra": extra})]
    return {name for name, _ in found}


def _needs(distribution: str) -> list[Requirement]:
    try:
        return [Requirement(line) for line in metadata.requires(distribution) or []]
    except metadata.PackageNotFoundError:  # for another system
        return []


def hidden_from(extra: str | None) -> list[str]:
    """Modules that are here, but would not be if only this extra were installed."""
    there = brought_by(PROJECT["dependencies"] + (PROJECT["optional-dependencies"][extra] if extra else [])) | {"futex"}
    return [
        module
        for module, distributions in metadata.packages_distributions().items()
        if there.isdisjoint(map(canonicalize_name, distributions))
    ]


@pytest.fixture
def installed(tmp_path, papers, labels):
    """Runs commands with only one extra installed, or none; gives what they said, line by line."""
    write_papers(papers, tmp_path / "papers.jsonl")
    write_labels(labels, tmp_path / "labels.jsonl")
    gold = [json.dumps({"id": paper.id, "labels": ["L1"]}) for paper in papers]
    (tmp_path / "gold.jsonl").write_text("\n".join(gold))
    (tmp_path / "small.toml").write_text('plm = "fake"\nnetwork = false\n')

    def run(extra: str | None, *commands: list[str]) -> list[str]:
        order = json.dumps([hidden_from(extra), commands])
        done = subprocess.run(
            [sys.executable, "-c", COMMANDS_WITH_LITTLE_INSTALLED, order],
            cwd=tmp_path,
            env=os.environ | {"FUTEX_CACHE": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stderr.splitlines()

    return run


def test_what_is_hidden():
    extras = {"fastapi", "uvicorn", "ray", "matplotlib", "torch_geometric", "accelerate"}
    assert extras <= set(hidden_from(None))
    assert {"torch", "numpy", "typer", "yaml", "futex"}.isdisjoint(hidden_from(None))
    assert {"fastapi", "starlette", "pydantic", "h11"}.isdisjoint(hidden_from("serve"))


def test_without_any_extra(installed):
    said = installed(
        None,
        ["run", "papers.jsonl", *CORPUS],
        ["suggest", "out/model", "papers.jsonl"],
        ["eval", "out", "--gold", "gold.jsonl"],
        ["inspect", "papers.jsonl", "--labels", "labels.jsonl"],
        ["methods"],
        ["experiment"],
    )
    assert said == ["ended with 0"] * 6


def test_what_is_missing_is_one_line_that_names_the_extra(installed):
    service, end, ray, same_end, plots, another_end = installed(
        None,
        ["serve", "out"],
        ["run", "papers.jsonl", *CORPUS, "--engine", "ray"],
        ["experiment", "table1", "--papers", "papers.jsonl", "--labels", "labels.jsonl", "--gold", "gold.jsonl"],
    )
    assert end == same_end == another_end == "ended with 1"
    assert service == "futex: futex serve needs uvicorn: pip install 'futex[serve]'"
    assert ray == "futex: --engine ray needs Ray: install it with pip install 'futex[ray]', on every node"
    assert plots == "futex: plots need matplotlib: pip install 'futex[experiments]'"


OWN_FIGURE = """
title = "Two floors"
caption = "With a plot."
kind = "comparison"
head = "method"
metrics = ["P@1"]
plot = "dots"
plotted = ["P@1"]
[[rows]]
method = "random"
title = "random"
[[rows]]
method = "lexical"
title = "lexical"
"""


def test_serve_alone(installed):
    """The service and all its routes are imported before it looks for the folder."""
    assert installed("serve", ["serve", "nowhere"]) == ["futex: no such folder: nowhere", "ended with 1"]


def test_experiments_alone(installed, tmp_path):
    (tmp_path / "own.toml").write_text(OWN_FIGURE)
    corpus = ["--papers", "papers.jsonl", "--labels", "labels.jsonl", "--gold", "gold.jsonl", "--profile", "quick"]
    assert installed("experiments", ["experiment", "own.toml", *corpus, "--quiet"]) == ["ended with 0"]
    assert (tmp_path / "report/index.html").stat().st_size > 0
    assert list((tmp_path / "report").rglob("own.png"))


@pytest.mark.slow
def test_ray_alone(installed):
    """Ray is imported before the cluster is looked for."""
    said, ended = installed("ray", ["run", "papers.jsonl", *CORPUS, "--engine", "ray", "--address", "127.0.0.1:1"])
    assert said.startswith("futex: cannot join the Ray cluster 127.0.0.1:1: ")
    assert ended == "ended with 1"


@pytest.mark.slow
def test_baselines_alone(installed, tiny_checkpoint):
    trained = ["--method", "plm-gat", "--plm", str(tiny_checkpoint("bert")), "--triples", "16"]
    said = installed("baselines", ["run", "papers.jsonl", "--labels", "labels.jsonl", "--out", "out", *trained])
    assert said[-1] == "ended with 0"

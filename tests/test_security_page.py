"""docs/security.md says what the code does: the limits are the constants', and dependencies are bounded."""

import re
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LIMITS = re.findall(r"^\| `([\w.]+)\.(\w+)` \| ([\d,]+(?: [MG]iB)?) \|", (ROOT / "docs/security.md").read_text(), re.M)
UNITS = {"": 1, "MiB": 2**20, "GiB": 2**30}


def test_there_are_limits():
    assert len(LIMITS) > 10


@pytest.mark.parametrize(("module", "name", "value"), LIMITS, ids=lambda part: part)
def test_limits_are_those_of_the_code(module, name, value):
    number, _, unit = value.partition(" ")
    assert getattr(import_module(module), name) == int(number.replace(",", "")) * UNITS[unit]


def requirements() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"].values()
    listed = [
        *project["build-system"]["requires"],
        *project["project"]["dependencies"],
        *(r for e in extras for r in e),
    ]
    return [requirement for requirement in listed if not requirement.startswith("futex[")]


@pytest.mark.parametrize("requirement", requirements())
def test_every_dependency_has_both_bounds(requirement):
    assert re.fullmatch(r"[\w-]+(\[\w+\])?>=[\d.]+,<[\d.]+", requirement)

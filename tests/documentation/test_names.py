"""What our pages name is there: links, files, tests and options."""

import re
from functools import cache

import pytest

from documentation.command_pages import COMMANDS, PROGRAM
from documentation.markdown import PAGES, ROOT, Part, anchors_of, parts_of
from documentation.shell import options_of

CODE = ("src", "tests", "benchmarks", "experiments", "docs")
FILE = re.compile(r"(?!/)([\w./-]+\.(py|md|toml|js|css|png)|[\w./-]+/)")
OF_A_READER = {"base_plm/", "model/", "pdfs/", "shards/papers/", "tuned_plm/"}
"""Folders of theirs, not of this repository."""
PARTS = [part for page in PAGES for part in parts_of(page)]


def parts(pattern: str, kind: str = "span") -> list:
    return [pytest.param(p, id=f"{p.place}-{p.text}") for p in PARTS if p.kind == kind and re.match(pattern, p.text)]


@cache
def files() -> set[str]:
    """Every file and folder, and the ends of their paths: `packed.py`, `plm/packed.py`, …"""
    found = [path for folder in CODE for path in (ROOT / folder).rglob("*") if "__pycache__" not in path.parts]
    names = {f"{path.relative_to(ROOT)}{'/' * path.is_dir()}" for path in found} | {f"{name}/" for name in CODE}
    names |= {path.name for path in ROOT.iterdir()}
    return {name.split("/", skip)[-1] for name in names for skip in range(name.rstrip("/").count("/") + 1)}


@cache
def names_of_tests() -> set[str]:
    return {name for path in (ROOT / "tests").rglob("*.py") for name in re.findall(r"def (test_\w+)", path.read_text())}


@pytest.mark.parametrize("part", parts(r"(?!https?:)", "link"))
def test_links_lead_somewhere(part: Part):
    path, _, anchor = part.text.partition("#")
    page = ROOT / part.page
    target = (page.parent / path).resolve() if path else page
    assert target.exists()
    assert not anchor or anchor in anchors_of(target)


@pytest.mark.parametrize("part", [p for p in parts(r"\S") if FILE.fullmatch(p.values[0].text.split()[0])])
def test_files_are_there(part: Part):
    name = part.text.split()[0]
    assert name in files() | OF_A_READER or name.startswith("result/")


@pytest.mark.parametrize("part", parts(r"test_\w+$"))
def test_tests_are_there(part: Part):
    assert part.text in names_of_tests()


@pytest.mark.parametrize("part", parts(r"--[a-z]"))
def test_options_are_there(part: Part):
    known = set().union(*(options_of(command) for command in (*COMMANDS.values(), PROGRAM)))
    assert part.text.split()[0] in known

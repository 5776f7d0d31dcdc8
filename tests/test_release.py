"""What is released: wheel and sdist with all that is needed and nothing else, and a program that works from them."""

import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
PACKAGE = {
    str(path.relative_to(ROOT)) for path in (ROOT / "src").rglob("*") if path.is_file() and ".pyc" not in path.name
}
EXPERIMENTS = {f"experiments/{path.name}" for path in (ROOT / "experiments").glob("*.toml")}
ABOUT = {"README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff", "pyproject.toml", ".gitignore", "PKG-INFO"}


@pytest.fixture(scope="module")
def dist(tmp_path_factory) -> Path:
    """As `make dist` makes it: the wheel is built from the sdist, so the sdist is enough to build it."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(dist) -> zipfile.ZipFile:
    (path,) = dist.glob("*.whl")
    return zipfile.ZipFile(path)


@pytest.fixture(scope="module")
def unpacked(wheel, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("site-packages")
    wheel.extractall(folder)
    return folder


def futex(where: Path, *words: str, **environment: str) -> str:
    """What the program says that is found there, started in another folder as the script `futex` starts it."""
    done = subprocess.run(
        [sys.executable, "-c", "from futex.cli import main; import sys; sys.argv[0] = 'futex'; main()", *words],
        cwd=where.parent,
        env=os.environ | {"PYTHONPATH": str(where)} | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_holds_the_package_and_its_experiments(wheel):
    code = {name.removeprefix("src/") for name in PACKAGE} | {f"futex/experiments/{name}" for name in _packaged()}
    assert {name for name in wheel.namelist() if ".dist-info/" not in name} == code
    assert "futex/serve/page/index.html" in code
    assert f"futex-{VERSION}.dist-info/licenses/LICENSE" in wheel.namelist()


def _packaged() -> set[str]:
    return {name.replace("experiments/", "toml/") for name in EXPERIMENTS}


def test_the_sdist_holds_what_the_wheel_is_made_of(dist):
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert names == PACKAGE | EXPERIMENTS | ABOUT


def test_the_program_of_the_wheel_works_in_another_folder(unpacked):
    assert futex(unpacked, "--version") == f"futex {VERSION}\n"
    listed = {line.split()[0] for line in futex(unpacked, "experiment").splitlines()}
    assert listed == {Path(name).stem for name in EXPERIMENTS} - {"profiles"}


def test_shells_are_told_how_to_complete(unpacked):
    assert "_FUTEX_COMPLETE" in futex(unpacked, _FUTEX_COMPLETE="source_bash")


@pytest.mark.parametrize(("typed", "offered"), [("futex su", "suggest"), ("futex run --labels-", "--labels-format")])
def test_commands_and_options_are_completed(unpacked, typed, offered):
    place = {"COMP_WORDS": typed, "COMP_CWORD": str(len(typed.split()) - 1)}
    assert futex(unpacked, _FUTEX_COMPLETE="complete_bash", **place).split() == [offered]

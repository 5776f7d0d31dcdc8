"""Every command and every piece of code of our pages is run, or at least names nothing that does not exist."""

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_cli import futex

from documentation.markdown import PAGES, ROOT, Part, parts_of
from documentation.shelf import fill
from documentation.shell import SHELL, Command, commands_in, faults_of
from documentation.stand_ins import Reader, stand_ins

SPAN = "span"


@pytest.fixture(scope="module")
def reader(tmp_path_factory) -> Iterator[Reader]:
    with stand_ins(tmp_path_factory.mktemp("stand-ins")) as reader:
        yield reader


@pytest.fixture(scope="module")
def shelf(tmp_path_factory, reader, papers, labels) -> Path:
    """A folder with all that the pages take for granted."""
    folder = tmp_path_factory.mktemp("shelf")
    with contextlib.chdir(folder):
        fill(folder, papers, labels)
    return folder


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_says_can_be_done(page, shelf, reader, tmp_path, monkeypatch):
    """Blocks one after the other on one desk, as a reader would; a command within a text on a copy of it."""
    desk = Path(shutil.copytree(shelf, tmp_path / "desk"))
    faults = []
    for number, part in enumerate(parts_of(page)):
        aside = part.kind == SPAN and any(is_run(command) for command in commands_in(part))
        monkeypatch.chdir(shutil.copytree(desk, tmp_path / f"aside-{number}") if aside else desk)
        faults += faults_of_part(part, reader)
    if faults:
        pytest.fail("\n".join(faults), pytrace=False)


@pytest.mark.parametrize("page", PAGES)
def test_commands_stand_in_blocks(page):
    """Right behind a list, indented lines belong to its last entry, and no reader sees that they are commands."""
    indented = re.findall(r"^    ((?:futex|make|pip|python) .*)", (ROOT / page).read_text(encoding="utf-8"), re.M)
    blocks = "".join(part.text for part in parts_of(page) if part.kind != SPAN)
    assert [line for line in indented if line not in blocks] == []


def faults_of_part(part: Part, reader: Reader) -> Iterator[str]:
    """What is wrong with it, each with its page and line."""
    for command in commands_in(part):
        wrong = list(faults_of(command)) or list(faults_when_run(command, reader))
        yield from (f"{command.place}: {fault}" for fault in wrong)
    check = CHECKS.get(part.kind)
    if check is None and part.kind not in (SPAN, "link"):
        yield f"{part.place}: a block of {part.kind!r}, which no test knows"
    try:
        if check is not None:
            check(part.text)
    except Exception as error:
        yield f"{part.place}: {type(error).__name__}: {error}"


def is_run(command: Command) -> bool:
    """All but what has placeholders, only speaks of a command, wants models from a hub, or changes a shell."""
    if command.program in ("curl", "head", "tail"):
        return True
    if command.program != "futex" or not command.is_whole or command.is_mention:
        return False
    return command.words[1] != "--install-completion" and (command.words[1] != "experiment" or len(command.words) == 2)


def faults_when_run(command: Command, reader: Reader) -> Iterator[str]:
    if not is_run(command):
        return
    with pytest.MonkeyPatch.context() as patch:
        for name, value in command.settings.items():
            patch.setenv(name, value)
        words = [os.path.expandvars(_instead(word, reader.instead)) for word in command.words[1:]]
        try:
            yield from _faults_of_running(command.program, words, reader)
        except Exception as error:
            yield f"{type(error).__name__}: {error}"


def _faults_of_running(program: str, words: list[str], reader: Reader) -> Iterator[str]:
    """`> FILE` at the end is where the output goes."""
    *words, out = words if words[-2:-1] == [">"] else [*words, os.devnull]
    words = [word for word in words if word != ">"]
    if program == "curl":
        reader.curl(*words)
        return
    done = futex(*words) if program == "futex" else subprocess.run([program, *words], capture_output=True, text=True)
    Path(out).write_text(done.stdout)
    if done.returncode:
        yield f"ends with {done.returncode}: {done.stderr}"


def _instead(word: str, instead: dict[str, str]) -> str:
    for ours, theirs in instead.items():
        if word == ours or word.startswith(f"{ours}/"):
            return theirs + word.removeprefix(ours)
    return word


def _run_python(text: str) -> None:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(text, "a page", "exec"), {"__name__": "__main__"})
    assert out.getvalue(), "it prints nothing"


def _read_json(text: str) -> None:
    """One value, or one a line."""
    try:
        json.loads(text)
    except ValueError:
        for line in text.splitlines():
            json.loads(line)


def _check_shell(text: str) -> None:
    checked = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


def _check_diagram(text: str) -> None:
    """The folders and files that it names are of our package."""
    for name in re.findall(r"[\w/]+(?:\.py|/)", text):
        assert (ROOT / "src/futex" / name).exists(), f"no {name}"


def _is_no_code(text: str) -> None:
    assert not any(line.startswith(("futex ", "make ", "pip ")) for line in text.splitlines()), "commands as output"


CHECKS = {
    "python": _run_python,
    "json": _read_json,
    "mermaid": _check_diagram,
    "yaml": lambda text: None,  # read where its commands are looked for
    "output": _is_no_code,
    "text": _is_no_code,
} | dict.fromkeys(SHELL, _check_shell)

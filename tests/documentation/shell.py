"""The commands of our pages, and what can be said of them without running them."""

import re
import shlex
import tomllib
from collections.abc import Iterator
from typing import NamedTuple

import yaml

from documentation.command_pages import COMMANDS, PROGRAM
from documentation.markdown import INDENTED, ROOT, Part

SHELL = {INDENTED, "sh", "bash"}
PLACEHOLDERS = {"DIR", "FILE", "FOLDER", "GOLD", "LABELS", "MODEL", "NAME", "PAPERS", "RUN"}
"""What stands for a word of the reader's own; so does an ellipsis."""
OTHERS = {"curl", "export", "head", "pre-commit", "sleep", "srun", "tail", "tar"}
"""Programs that we name but cannot hold to anything, or that have a stand-in."""
ASSIGNMENT = re.compile(r"[A-Za-z_]+=.*")
HELP = {"-h", "--help"}


class Command(NamedTuple):
    part: Part
    line: int
    settings: dict[str, str]
    """The environment that stands before the words."""
    words: list[str]

    @property
    def place(self) -> str:
        return f"{self.part.page}:{self.line}: {shlex.join(self.words)}"

    @property
    def program(self) -> str:
        return self.words[0].removeprefix(".venv/bin/")

    @property
    def is_whole(self) -> bool:
        """Whether it can be typed as it stands."""
        return not any("…" in word or word.split("/")[0] in PLACEHOLDERS for word in self.words)

    @property
    def is_mention(self) -> bool:
        """A line of text that speaks of a command, such as `futex run --llm`, and names no file to run it on."""
        return self.part.kind == "span" and self.program == "futex" and not self._names_what_it_needs()

    def _names_what_it_needs(self) -> bool:
        needed = COMMANDS[self.words[1]].params if self.words[1] in COMMANDS else []
        arguments = [param for param in needed if param.param_type_name == "argument" and param.required]
        return not arguments or (len(self.words) > 2 and not self.words[2].startswith("-"))


def commands_in(part: Part) -> Iterator[Command]:
    if part.kind in SHELL:
        yield from _script(part)
    elif part.kind == "yaml":
        for text in _texts(yaml.safe_load(part.text)):
            if text.startswith("futex "):
                yield _command(part, part.line, text)
    elif part.kind == "span" and re.match(r"(\S+=\S+ |\.venv/bin/)?(futex|make|pip) ", part.text):
        yield _command(part, part.line, part.text)


def _script(part: Part) -> Iterator[Command]:
    """One for each line that is no comment; a backslash at its end joins it with the next."""
    number = part.line
    for text in re.findall(r"(?:.*\\\n)*.*\n", part.text):
        if shlex.split(text, comments=True):
            yield _command(part, number, text)
        number += text.count("\n")


def _command(part: Part, line: int, text: str) -> Command:
    words = shlex.split(text.replace("\\\n", " "), comments=True)
    if "=$(" in words[0]:  # what another program says, kept under a name
        return Command(part, line, {}, ["export", *words])
    count = next((i for i, word in enumerate(words) if not ASSIGNMENT.fullmatch(word)), len(words))
    settings = dict(word.split("=", 1) for word in words[:count])
    return Command(part, line, settings, words[count:] or ["export"])


def _texts(value) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


def faults_of(command: Command) -> Iterator[str]:
    """Options, targets, variables and extras that do not exist."""
    if command.program == "futex":
        yield from _faults_of_futex(command.words[1:])
    elif command.program == "make":
        yield from _faults_of_make(command.words[1:])
    elif command.program == "pip":
        named = re.findall(r"\bfutex\[([\w,]+)\]", " ".join(command.words))
        yield from (f"no extra {extra!r}" for extra in ",".join(named).split(",") if extra and extra not in _extras())
    elif command.program == "python":
        yield from _faults_of_python(command.words[1:])
    elif command.program not in OTHERS:
        yield f"no command that we know; what is none belongs into a block with ```text, not {command.program!r}"


def _faults_of_futex(words: list[str]) -> Iterator[str]:
    name = words[0] if words else "…"
    if name in COMMANDS:
        known = options_of(COMMANDS[name])
        yield from (f"futex {name} has no option {word}" for word in _options(words) if word not in known | HELP)
    elif name != "…" and name not in options_of(PROGRAM):
        yield f"futex has no command {name!r}"


def _faults_of_python(words: list[str]) -> Iterator[str]:
    script = ROOT / words[0]
    if not script.is_file():
        yield f"no file {words[0]}"
        return
    known = set(re.findall(r'add_argument\("(--\w+)"', script.read_text(encoding="utf-8")))
    yield from (f"{words[0]} has no option {word}" for word in _options(words) if word not in known)


def _faults_of_make(words: list[str]) -> Iterator[str]:
    makefile = (ROOT / "Makefile").read_text()
    for word in words:
        variable, assigned, _ = word.partition("=")
        pattern = rf"^{variable} \?=|\$\({variable}\)" if assigned else rf"^{word}:"
        if word != "…" and not re.search(pattern, makefile, re.M):
            yield f"the Makefile has no {word!r}"


def _options(words: list[str]) -> list[str]:
    return [word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)]


def options_of(command) -> set[str]:
    return {name for param in command.params for name in (*param.opts, *param.secondary_opts)}


def _extras() -> set[str]:
    return set(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"])

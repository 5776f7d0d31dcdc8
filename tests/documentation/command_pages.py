"""One page a command, made of what `futex COMMAND --help` says."""

import inspect
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import typer

from futex.cli import app

FOLDER = Path(__file__).parents[2] / "docs/commands"
PROGRAM = typer.main.get_command(app)
COMMANDS = PROGRAM.commands


def pages() -> dict[str, str]:
    """File names and what belongs in them."""
    return {"README.md": _index()} | {f"{name}.md": _page(name, command) for name, command in COMMANDS.items()}


def _index() -> str:
    rows = [f"| [`futex {name}`]({name}.md) | {_paragraphs(command)[0]} |" for name, command in COMMANDS.items()]
    parts = ["# Commands", *_paragraphs(PROGRAM), "\n".join(["| command | |", "|---|---|", *rows]), *_tables(PROGRAM)]
    return "\n\n".join(parts) + "\n"


def _page(name: str, command) -> str:
    about, *more = _paragraphs(command)
    arguments = [param.metavar for param in command.params if param.param_type_name == "argument"]
    usage = "    " + " ".join(["futex", name, "[OPTIONS]", *arguments])
    return "\n\n".join([f"# futex {name}", about, usage, *more, *_tables(command)]) + "\n"


def _paragraphs(command) -> list[str]:
    return inspect.cleandoc(command.help).split("\n\n")


def _tables(command) -> Iterator[str]:
    """Arguments, then options, panel by panel."""
    shown = [param for param in command.params if not getattr(param, "hidden", False)]
    for heading, params in groupby(shown, key=_panel):
        yield f"## {heading}"
        yield "\n".join(["| | |", "|---|---|", *map(_row, params)])


def _panel(param) -> str:
    kind = "Arguments" if param.param_type_name == "argument" else "Options"
    return getattr(param, "rich_help_panel", None) or kind


def _row(param) -> str:
    if param.param_type_name == "argument":
        return _cells(f"`{param.metavar}`", param.help)
    value = "" if param.is_flag else f" {param.metavar or param.name.upper()}"
    return _cells(f"`{', '.join(param.opts)}{value}`", " ".join([param.help, *_notes(param)]))


def _notes(param) -> Iterator[str]:
    if param.required:
        yield "**Required.**"
    if param.multiple:
        yield "May be given several times."
    if param.default is not None and not param.is_flag and not param.required:
        yield f"Default: {param.default}."


def _cells(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

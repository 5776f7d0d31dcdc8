r"""What TeX does before it typesets: the author's macros are expanded, conditions followed, files included.

>>> source = Expansion(r"\newcommand{\hi}[2][you]{Hello #1 and #2}\hi{me}", lambda name: None, "a.tex", frozenset())
>>> "".join(iter(source.next, ""))
'Hello you and me'
"""

import re
from collections.abc import Callable, Container, Generator, Iterator
from typing import NamedTuple

from futex.corpus.formats.latex.tokens import PARAGRAPH, VERBATIM, tokens
from futex.corpus.text_files import decoded
from futex.errors import DamagedPaper

MAX_EXPANDED = 2 * 2**20
"""Characters that macros may make; papers make a hundredth of it, a macro that calls itself has no end."""
MAX_INCLUDED = 8 * 2**20
MAX_FILES = 500
MAX_FILE_DEPTH = 10

_KINDS_OF_CONDITIONS = """
    cat num dim odd vmode hmode mmode inner void hbox vbox x eof true false case defined csname pdf xetex luatex
"""
_CONDITIONS = frozenset(rf"\if{kind}" for kind in ["", *_KINDS_OF_CONDITIONS.split()])
_PARAMETER = re.compile(r"(#[1-9])")


class Macro(NamedTuple):
    parameters: int
    default: list[str] | None
    """Stands for the first parameter if there is no argument in brackets."""
    body: list[str]


class Theorem(NamedTuple):
    """A kind of theorem: what it is called, what it is counted with, and whether that begins anew in each section."""

    name: str
    counter: str
    within_sections: bool


class Expansion:
    """Tokens of a file with macros expanded. Names in `kept` keep their meaning, whatever the author redefines."""

    def __init__(self, text: str, beside: Callable[[str], bytes | None], name: str, kept: Container[str]) -> None:
        self._sources: list[Iterator[str]] = [tokens(text)]
        self._beside = beside
        self._name = name
        self._kept = kept
        self._macros: dict[str, Macro] = {}
        self._environments: dict[str, tuple[Macro, list[str]]] = {}
        self._aliases: dict[str, str] = {}
        self._switches: dict[str, bool] = {}
        self._setters: dict[str, tuple[str, bool]] = {}
        self._expanded = self._included = self._files = 0
        self.max_expanded = MAX_EXPANDED
        self.theorems: dict[str, Theorem] = {}
        self.file_depth = 0
        """How many files around the present place include each other."""

    def next(self) -> str:
        r"""The next token that is no macro; "\begin{name}" and "\end{name}" are one. At the end of all, nothing."""
        while token := self.raw():
            if token[0] != "\\":
                return token
            if token in self._macros:
                self._expand(self._macros[token])
                continue
            token = self._aliases.get(token, token)
            if token in self._setters:
                switch, state = self._setters[token]
                self._switches[switch] = state
                self._aliases.pop(switch, None)
            elif self._is_condition(token):
                if not self._switches.get(token, token == r"\iftrue"):
                    self._skip_branch(stop_at_else=True)
            elif token in _PRIMITIVES:
                _PRIMITIVES[token](self)
            elif token in (r"\begin", r"\end"):
                environment = self.argument_text()
                if environment not in self._environments:
                    return f"{token}{{{environment}}}"
                begin, end = self._environments[environment]
                self._expand(begin if token == r"\begin" else Macro(0, None, end))
            else:
                return token
        return ""

    # --- unexpanded tokens

    def raw(self) -> str:
        """The next token as it stands."""
        while self._sources:
            if token := next(self._sources[-1], ""):
                return token
            self._sources.pop()
        return ""

    def push(self, *pushed: str) -> None:
        """Put tokens before all others."""
        self._sources.append(iter(pushed))

    def peek(self) -> str:
        token = self.raw()
        self.push(token)
        return token

    def past_spaces(self) -> str:
        """The next token that is no space."""
        while (token := self.raw()) == " ":
            pass
        return token

    def argument(self) -> list[str]:
        """What is in the next braces, or the one token (of a text, the one letter) that stands for it."""
        token = self.past_spaces()
        if token == "{":
            return self._up_to("}")
        if token in ("}", PARAGRAPH, ""):
            self.push(token)
            return []
        if token[0] in ("\\", VERBATIM):
            return [token]
        self.push(token[1:])
        return [token[0]]

    def argument_text(self) -> str:
        """The same as it is written: the name of an environment, a label, a file."""
        return "".join(self.argument()).replace(VERBATIM, "").strip()

    def optional(self) -> list[str] | None:
        """What is in the next brackets, if there are any."""
        token = self.past_spaces()
        if token == "[":
            return self._up_to("]")
        self.push(token)
        return None

    def open_argument(self) -> None:
        """Go past the brace that opens an argument; one that stands without braces gets one at its end."""
        token = self.past_spaces()
        if token != "{":
            self.push(token)
            argument = self.argument()
            self.push(*argument, "}")

    def skip_arguments(self, count: int) -> None:
        """Leave out a star, all arguments in brackets, and as many in braces."""
        self.take("*")
        while self.optional() is not None:
            pass
        for _ in range(count):
            self.argument()

    def take(self, sign: str) -> bool:
        """Go past one character if it comes next."""
        token = self.raw()
        taken = token.startswith(sign)
        self.push(token[1:] if taken else token)
        return taken

    def _up_to(self, end: str) -> list[str]:
        collected: list[str] = []
        depth = 0
        while token := self.raw():
            if token == end and not depth:
                break
            depth += (token == "{") - (token == "}")
            if depth < 0:  # a bracket that is never closed
                self.push(token)
                break
            collected.append(token)
        return collected

    # --- macros

    def _expand(self, macro: Macro) -> None:
        arguments: list[list[str]] = []
        if macro.default is not None:
            given = self.optional()
            arguments.append(macro.default if given is None else given)
        while len(arguments) < macro.parameters:
            arguments.append(self.argument())
        filled = {f"#{number}": argument for number, argument in enumerate(arguments, start=1)}
        sizes = {parameter: sum(map(len, argument)) for parameter, argument in filled.items()}
        self._expanded += 1 + sum(sizes.get(token, len(token)) for token in macro.body)
        if self._expanded > self.max_expanded:
            raise DamagedPaper(
                f"{self._name}: its macros expand to more than {MAX_EXPANDED >> 20} MiB; "
                "look for one that calls itself, or give the paper in another format"
            )
        expanded: list[str] = []
        for token in macro.body:
            expanded += filled.get(token) or ([] if token in filled else [token.replace("##", "#")])
        self.push(*expanded)

    def _define(self, name: list[str], macro: Macro, unless_known: bool = False) -> None:
        command = next((token for token in name if token != " "), "")
        if command.startswith("\\") and command not in self._kept and not (unless_known and command in self._macros):
            self._aliases.pop(command, None)
            self._macros[command] = macro

    def _new_command(self, unless_known: bool = False) -> None:
        self.take("*")
        name = self.argument()
        self._define(name, self._signature_and_body(), unless_known)

    def _signature_and_body(self) -> Macro:
        count = "".join(self.optional() or []).strip()
        parameters = int(count) if count in tuple("123456789") else 0
        default = self.optional() if parameters else None
        return Macro(parameters, default, _with_parameters(self.argument()))

    def _def(self) -> None:
        r"""\def\name#1#2{…}. One with other signs between its parameters stays unknown."""
        name = self.past_spaces()
        signature: list[str] = []
        while (token := self.past_spaces()) not in ("{", PARAGRAPH, ""):
            signature.append(token)
        self.push(token)
        body = self.argument()
        if signature == [f"#{number + 1}" for number in range(len(signature))]:
            self._define([name], Macro(len(signature), None, _with_parameters(body)))

    def _let(self) -> None:
        name, target = self.past_spaces(), self.past_spaces()
        if target.startswith("="):
            target = target[1:] or self.past_spaces()
        if name in self._kept or not (name.startswith("\\") and target.startswith("\\")):
            return
        self._macros.pop(name, None)
        self._aliases.pop(name, None)
        if target in self._macros:
            self._macros[name] = self._macros[target]
        else:
            self._aliases[name] = self._aliases.get(target, target)

    def _operator(self) -> None:
        self.take("*")
        name, body = self.argument(), self.argument()
        self._define(name, Macro(0, None, [r"\operatorname", "{", *body, "}"]))

    def _new_environment(self) -> None:
        self.take("*")
        name = self.argument_text()
        begin, end = self._signature_and_body(), self.argument()
        if name not in self._kept:
            self._environments[name] = begin, end

    def _new_theorem(self) -> None:
        numbered = not self.take("*")
        environment, shared = self.argument_text(), self.optional()
        name, within = self.argument_text(), self.optional()
        if numbered:
            self.theorems[environment] = Theorem(name, "".join(shared or [environment]), within == ["section"])

    # --- conditions

    def _is_condition(self, token: str) -> bool:
        return token in _CONDITIONS or token in self._switches

    def _new_switch(self) -> None:
        switch = self.past_spaces()
        self._switches[switch] = False
        self._aliases.pop(switch, None)
        for state in (True, False):
            self._setters[f"\\{switch.removeprefix(chr(92) + 'if')}{str(state).lower()}"] = switch, state

    def _skip_branch(self, stop_at_else: bool = False) -> None:
        r"""Up to the \fi of this condition, or its \else. What TeX alone can know counts as false."""
        depth = 0
        while token := self.raw():
            token = self._aliases.get(token, token)
            if self._is_condition(token):
                depth += 1
            elif token == r"\fi" or (token == r"\else" and stop_at_else and not depth):
                if not depth:
                    return
                depth -= token == r"\fi"

    # --- files

    def _input(self) -> None:
        token = self.past_spaces()
        if token == "{":
            self._include("".join(self._up_to("}")))
            return
        name: list[str] = []
        while token not in (" ", PARAGRAPH, "") and token[0] != "\\":
            name.append(token)
            token = self.raw()
        self.push(token)
        self._include("".join(name))

    def _import(self) -> None:
        folder, file = self.argument_text(), self.argument_text()
        self._include(f"{folder.rstrip('/')}/{file}")

    def _include(self, name: str) -> None:
        """Read on in another file of the paper. One that is not there may be a part of TeX: that is no fault."""
        name = name.strip().strip('"').removeprefix("./")
        if name.endswith(".bbl"):  # read apart, so that damage in it does not spread
            self.push(r"\bibliography", "{", name, "}")
            return
        if self.file_depth >= MAX_FILE_DEPTH or not is_inside(name):
            return
        self._files += 1
        content = self._beside(f"{name}.tex")
        content = self._beside(name) if content is None else content
        self._included += len(content or b"")
        if self._files > MAX_FILES or self._included > MAX_INCLUDED:
            raise DamagedPaper(
                f"{self._name}: includes more than {MAX_FILES} files or {MAX_INCLUDED >> 20} MiB; "
                f"look for a file that includes itself ({name[:40]})"
            )
        if content is not None:
            self._sources.append(self._file(content))

    def _file(self, content: bytes) -> Iterator[str]:
        self.file_depth += 1
        try:
            yield from tokens(decoded(content))
        finally:
            self.file_depth -= 1

    def _end_input(self) -> None:
        r"""\endinput: the rest of this file is not read."""
        while self._sources:
            source = self._sources.pop()
            if isinstance(source, Generator):  # a file, and not what was pushed before it
                source.close()
                return


def _with_parameters(body: list[str]) -> list[str]:
    r"""Parameters inside an address, as in \newcommand{\doi}[1]{\url{https://doi.org/#1}}, as tokens of their own."""
    opened: list[str] = []
    for token in body:
        if token[0] == VERBATIM:
            parts = filter(None, _PARAMETER.split(token[1:]))
            opened += (part if _PARAMETER.fullmatch(part) else f"{VERBATIM}{part}" for part in parts)
        else:
            opened.append(token)
    return opened


def is_inside(name: str) -> bool:
    """Whether a name leads to a file in the paper's own folder or below, whatever the system takes for a path."""
    return bool(name) and not re.search(r"[\\:\x00-\x1f]", name) and not {"", ".", ".."} & set(name.split("/"))


_PRIMITIVES: dict[str, Callable[[Expansion], None]] = {
    **dict.fromkeys((r"\newcommand", r"\renewcommand", r"\DeclareRobustCommand"), Expansion._new_command),
    r"\providecommand": lambda expansion: expansion._new_command(unless_known=True),
    **dict.fromkeys((r"\def", r"\gdef", r"\edef", r"\xdef"), Expansion._def),
    r"\let": Expansion._let,
    r"\DeclareMathOperator": Expansion._operator,
    **dict.fromkeys((r"\newenvironment", r"\renewenvironment"), Expansion._new_environment),
    r"\newtheorem": Expansion._new_theorem,
    r"\newif": Expansion._new_switch,
    r"\else": Expansion._skip_branch,
    r"\fi": lambda _: None,
    r"\endinput": Expansion._end_input,
    **dict.fromkeys((r"\input", r"\include", r"\subfile"), Expansion._input),
    **dict.fromkeys((r"\import", r"\subimport", r"\inputfrom"), Expansion._import),
}

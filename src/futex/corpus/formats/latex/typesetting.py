"""Tokens set as plain text: sections and their paragraphs, front matter, citations."""

import re
from collections.abc import Callable

from futex.corpus.formats.latex import commands
from futex.corpus.formats.latex.expansion import Expansion
from futex.corpus.formats.latex.numbering import UNKNOWN
from futex.corpus.formats.latex.pages import Pages
from futex.corpus.formats.latex.symbols import ACCENTS, CHARACTERS, FUNCTIONS, RELATIONS, accented
from futex.corpus.formats.latex.tokens import PARAGRAPH, VERBATIM
from futex.corpus.formats.latex.typeset import BLOCK, LINE, MARK, SLOT, TIE, Typeset

_DIMENSION = re.compile(r"-?[\d.]+(?:pt|mm|cm|in|em|ex|pc|mu)?")
_LIGATURES = (("---", "—"), ("--", "–"), ("``", "“"), ("''", "”"), ("`", "‘"))


class Typesetter(Pages):
    def __init__(self, source: Expansion, name: str) -> None:
        super().__init__(name)
        self._source = source
        self._math = False

    def run(self) -> Typeset:
        """Read to the end of the document."""
        while token := self._source.next():
            if token == r"\end{document}" and not self._source.file_depth:
                break
            self._set(token)
        while self._frames:
            self._close()
        self._end_paragraph()
        return self.result

    def set_on(self, page: list[str]) -> None:
        """Set all there is on one page, without looking for paragraphs."""
        self._page = page
        self.run()

    # --- text

    def _set(self, token: str) -> None:
        match token[0]:
            case "\\":
                self._command(token)
            case "{":
                self._open("{", self._page)
            case "}":
                if self._is_in("{"):
                    self._close()
            case "]" if self._is_in("["):
                self._close()
                self._write(" ")
            case "$":
                self._dollar()
            case "~":
                self._write(TIE)
            case "&" | "#":
                self._write(" ")
            case _ if token == PARAGRAPH:
                self._blank_line()
            case _ if token[0] == VERBATIM:
                self._write(token[1:])
            case _:
                self._write(token if self._math else _with_ligatures(token))

    def _blank_line(self) -> None:
        if self._is_in("$$", r"\["):  # as TeX would complain, it was never closed
            self._close()
        self._math = False
        self._break()

    def _dollar(self) -> None:
        if self._is_in("$$"):
            self._source.take("$")
            self._close()
        elif not self._math and self._source.take("$"):
            self._open("$$", None)
        else:
            self._math = not self._math
            self._write("")

    # --- groups

    def _capture(self, done: Callable[[str], None]) -> None:
        """Set the next argument apart and hand its text over."""
        self._source.open_argument()
        self._open("{", [], done)

    def _begin(self, name: str) -> None:
        if name == "document":
            if not self._source.file_depth:
                self.start()
                self._math = False
            return
        self._source.skip_arguments(commands.ENVIRONMENT_ARGUMENTS.get(name, 0))
        if name in commands.FIELD_ENVIRONMENTS:
            self._open(name, [], lambda text: self._fill(commands.FIELD_ENVIRONMENTS[name], text))
        elif name in commands.FLOATS or name in commands.LEFT_OUT:
            self._write(" ")
            self._open(name, None)
        elif name in commands.LISTS:
            self._write(" ")
            self._open_lists += 1
            self._open(name, self._page)
        elif name == commands.BIBLIOGRAPHY:
            self._open(name, [])
        else:
            self._break()
            self._open(name, self._page)
        self._number(name)

    def _number(self, environment: str) -> None:
        """What a label in this environment names. Floats get their numbers with their captions, lists none."""
        if environment in commands.NUMBERED_ONCE or environment in commands.NUMBERED_BY_LINE:
            self._numbering.step("equation", "Equation")
        elif environment in self._source.theorems:
            theorem = self._source.theorems[environment]
            if theorem.within_sections:
                self._numbering.number_within_sections(theorem.counter)
            self._numbering.step(theorem.counter, theorem.name)
        elif environment in commands.THEOREMS or environment in commands.LISTS:
            self._numbering.current = UNKNOWN
        elif environment == "appendices":
            self._numbering.appendix()

    def _end(self, name: str) -> None:
        if any(frame.opened_by == name for frame in self._frames):
            while self._frames[-1].opened_by != name:
                self._close()
            self._close()
        if not (name in commands.FLOATS or name in commands.LEFT_OUT or name in commands.LISTS or name == "document"):
            self._break()

    # --- commands

    def _command(self, token: str) -> None:
        if token in CHARACTERS:
            self._write(CHARACTERS[token])
        elif token in RELATIONS:
            self._write_relation(RELATIONS[token])
        elif token in FUNCTIONS:
            self._write_function(FUNCTIONS[token])
        elif token in ACCENTS and not self._math:
            self._write(accented(self._letters(), ACCENTS[token]))
        elif token in commands.SPACES:
            self._write(" ")
        elif token in _COMMANDS:
            _COMMANDS[token](self, token)
        elif token.startswith(r"\begin{"):
            self._begin(token[7:-1])
        elif token.startswith(r"\end{"):
            self._end(token[5:-1])
        elif commands.CITATION.fullmatch(token):
            self._cite(token)

    def _letters(self) -> str:
        return "".join(
            CHARACTERS.get(token, token).lstrip(VERBATIM) for token in self._source.argument() if token not in "{}"
        )

    def _write_relation(self, sign: str) -> None:
        """With space around it, unless it begins or ends a formula."""
        begins = not self._page or not self._page[-1]
        ends = self._source.peek() in ("$", r"\)", "^", "_")
        self._write(f"{'' if begins else ' '}{sign}{'' if ends else ' '}")

    def _write_function(self, name: str) -> None:
        follows = self._source.peek()[:1]
        self._write(f"{name} " if follows.isalnum() or follows == "\\" else name)

    def _heading(self, token: str) -> None:
        numbered = not self._source.take("*")
        self._source.skip_arguments(0)
        if self._page is not self._body:  # as in a structured abstract
            self._source.argument()
            self._write(" ")
            return
        self._end_paragraph()
        level = commands.LEVELS[token]
        if numbered:
            self._numbering.heading(level)
        self._capture(lambda text: self.result.blocks.append((level, text)))

    def _field(self, token: str) -> None:
        self._source.skip_arguments(0)
        self._capture(lambda text: self._fill(commands.FIELDS[token], text))

    def _fill(self, name: str, text: str) -> None:
        self.result.fields.setdefault(name, []).append(text)

    def _caption(self, token: str) -> None:
        kind = self._source.argument_text().capitalize() if token == r"\captionof" else self._kind_of_float()
        numbered = not self._source.take("*")
        self._source.skip_arguments(0)
        if kind and numbered:
            self._numbering.step(kind, kind)
        else:
            self._numbering.current = UNKNOWN
        self._capture(self._captions.append)

    def _kind_of_float(self) -> str:
        open_floats = (frame.opened_by for frame in reversed(self._frames) if frame.opened_by in commands.FLOATS)
        return commands.FLOATS.get(next(open_floats, ""), "")

    def _cite(self, token: str) -> None:
        goes_on = True
        while goes_on:
            self._source.skip_arguments(0)
            self.result.citations += _names(self._source.argument_text())
            goes_on = token.endswith("s") and self._source.peek() in ("{", "[")  # \cites{a}[5]{b}
        if token != r"\nocite":
            self._write(MARK)

    def _label(self, _: str) -> None:
        self._numbering.label(self._source.argument_text())

    def _cross_reference(self, token: str) -> None:
        self._source.skip_arguments(0)
        self._write(f"{SLOT}{token[1:]} {self._source.argument_text()}{SLOT}")

    def _number_within(self, _: str) -> None:
        counter, within = (self._source.argument_text() for _ in range(2))
        if within == "section":
            self._numbering.number_within_sections(commands.FLOATS.get(counter) or counter)

    def _appendix(self, _: str) -> None:
        self._numbering.appendix()

    def _no_number(self, _: str) -> None:
        if self._is_in(*commands.NUMBERED_BY_LINE):
            self._numbering.step("equation", "Equation", by=-1)

    def _note(self, _: str) -> None:
        self._source.skip_arguments(0)
        self._write(MARK)
        self._source.open_argument()
        self._open("{", None)

    def _bibliography(self, _: str) -> None:
        self._source.skip_arguments(0)
        self.result.bibliographies += _names(self._source.argument_text())

    def _bibitem(self, _: str) -> None:
        self._source.skip_arguments(0)
        key = self._source.argument_text()
        if self._is_in(commands.BIBLIOGRAPHY):
            self._page = self.result.bibliography.setdefault(key, [])

    def _item(self, _: str) -> None:
        self._write(" ")
        if self._source.take("["):
            self._open("[", self._page)

    def _skip(self, token: str) -> None:
        self._source.skip_arguments(commands.DROPPED_ARGUMENTS[token])

    def _link(self, _: str) -> None:
        """Its address is read only in the list of references, where it may be a DOI."""
        address = self._source.argument()
        if any(frame.opened_by == commands.BIBLIOGRAPHY for frame in self._frames):
            self._source.push(*address, " ")

    def _line_break(self, _: str) -> None:
        self._source.skip_arguments(0)
        self._write(LINE)
        if self._is_in(*commands.NUMBERED_BY_LINE):
            self._numbering.step("equation", "Equation")

    def _new_block(self, _: str) -> None:
        self._write(BLOCK)

    def _paragraph_break(self, _: str) -> None:
        self._blank_line()

    def _formula(self, token: str) -> None:
        self._math = token == r"\("
        self._write("")

    def _begin_display(self, token: str) -> None:
        self._write(" ")
        self._open(token, None)

    def _end_display(self, _: str) -> None:
        if self._is_in(r"\["):
            self._close()

    def _fraction(self, _: str) -> None:
        self._capture(lambda numerator: self._write(f"{numerator}/"))

    def _operator(self, _: str) -> None:
        self._source.take("*")
        self._capture(self._write_function)

    def _quote(self, _: str) -> None:
        self._source.take("*")
        self._capture(lambda text: self._write(f"“{text}”"))

    def _bibinfo(self, token: str) -> None:
        if self._source.argument_text() == "title":
            self._quote(token)

    def _delimiter(self, _: str) -> None:
        self._source.take(".")

    def _dimension(self, _: str) -> None:
        token = self._source.past_spaces()
        match = _DIMENSION.match(token)
        self._source.push(token[match.end() :] if match else token)

    def _space_before_word(self, _: str) -> None:
        r"""\xspace"""
        if self._source.peek()[:1] not in (*"{}~.!,:;?/')- ]", PARAGRAPH, ""):
            self._write(" ")


def _names(listed: str) -> list[str]:
    return [name for name in map(str.strip, listed.split(",")) if name]


def _with_ligatures(text: str) -> str:
    for written, typeset in _LIGATURES:
        text = text.replace(written, typeset)
    return text


_COMMANDS: dict[str, Callable[[Typesetter, str], None]] = {
    **dict.fromkeys(commands.DROPPED_ARGUMENTS, Typesetter._skip),
    **dict.fromkeys(commands.LEVELS, Typesetter._heading),
    **dict.fromkeys(commands.FIELDS, Typesetter._field),
    **dict.fromkeys((r"\caption", r"\captionof", r"\tablecaption"), Typesetter._caption),
    r"\label": Typesetter._label,
    **dict.fromkeys(commands.CROSS_REFERENCES, Typesetter._cross_reference),
    **dict.fromkeys(commands.NOTES, Typesetter._note),
    **dict.fromkeys((r"\bibliography", r"\addbibresource"), Typesetter._bibliography),
    r"\numberwithin": Typesetter._number_within,
    r"\appendix": Typesetter._appendix,
    **dict.fromkeys((r"\nonumber", r"\notag"), Typesetter._no_number),
    r"\bibitem": Typesetter._bibitem,
    r"\item": Typesetter._item,
    r"\href": Typesetter._link,
    **dict.fromkeys((r"\\", r"\newline", r"\tabularnewline"), Typesetter._line_break),
    **dict.fromkeys((r"\and", r"\And", r"\AND", r"\sep", r"\newblock"), Typesetter._new_block),
    r"\par": Typesetter._paragraph_break,
    **dict.fromkeys((r"\(", r"\)"), Typesetter._formula),
    r"\[": Typesetter._begin_display,
    r"\]": Typesetter._end_display,
    **dict.fromkeys((r"\frac", r"\dfrac", r"\tfrac", r"\nicefrac", r"\sfrac"), Typesetter._fraction),
    r"\operatorname": Typesetter._operator,
    **dict.fromkeys((r"\enquote", r"\showarticletitle"), Typesetter._quote),
    r"\bibinfo": Typesetter._bibinfo,
    **dict.fromkeys((r"\left", r"\right"), Typesetter._delimiter),
    **dict.fromkeys(commands.DIMENSIONS, Typesetter._dimension),
    r"\xspace": Typesetter._space_before_word,
}

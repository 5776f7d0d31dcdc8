"""A table as LaTeX, which pdflatex reads too: it stops at a sign that it does not know."""

import re
import unicodedata
from collections.abc import Iterator

from futex.experiments.results import Cell, Result, Row, Table

GREEK = "αβγδεζηθικλμνξπρςστυφχψωΓΔΘΛΞΠΣΥΦΨΩ"


def _command(letter: str) -> str:
    r"""Of a Greek letter.

    >>> _command("β"), _command("Λ")
    ('$\\beta$', '$\\Lambda$')
    """
    name = unicodedata.name(letter).split()[-1].replace("LAMDA", "LAMBDA")
    return f"$\\{name.capitalize() if letter.isupper() else name.lower()}$"


_SPECIAL = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
    | {letter: _command(letter) for letter in GREEK}
    | {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "●": r"$\bullet$",
        "○": r"$\circ$",
        "✓": r"\checkmark{}",
        "→": r"$\rightarrow$",
        "←": r"$\leftarrow$",
        "›": r"$\rangle$",
        "†": r"\dag{}",
        "‡": r"\ddag{}",
        "–": "--",
        "—": "---",
        "−": "$-$",
        "≤": r"$\leq$",
        "≥": r"$\geq$",
        "≈": r"$\approx$",
        "…": r"\ldots{}",
        "‘": "`",
        "’": "'",
        "“": "``",
        "”": "''",
        "\n": " ",
        "\t": " ",
    }
)
LATIN = "\u017f"
"""The last of the letters that pdflatex knows with [T1]{fontenc}, but for a few."""


def escaped(text: str) -> str:
    r"""Text in which nothing is a command.

    >>> escaped("50% of $x_1$ \\input{a}")
    '50\\% of \\$x\\_1\\$ \\textbackslash{}input\\{a\\}'
    """
    return "".join(map(_known, unicodedata.normalize("NFC", text).translate(_SPECIAL)))


def _known(sign: str) -> str:
    """A sign that LaTeX lacks becomes what it is made of, or "?"; nothing, if it cannot be seen."""
    if sign <= LATIN and sign.isprintable():
        return sign
    plain = unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
    if plain.isprintable() and plain:
        return plain.translate(_SPECIAL)
    return "" if unicodedata.category(sign)[0] in "CM" else "?"


def latex(result: Result) -> str:
    """A table environment; intervals are left to the CSV, where a page is too narrow for them."""
    made = result.table
    is_text = any(isinstance(cell.value, str) for row in made.rows for cell in row.cells)
    width = 0.9 / (len(made.columns) + 1)
    columns = f"p{{{width:.2f}\\textwidth}}" * (len(made.columns) + 1) if is_text else "l" + "r" * len(made.columns)
    lines = [
        r"% \usepackage{booktabs,amssymb} \usepackage[T1]{fontenc}",
        r"\begin{table*}[t]",
        r"\centering\small",
        rf"\caption{{{escaped(f'{result.title}. {result.caption}')}}}",
        rf"\label{{tab:{re.sub('[^A-Za-z0-9]+', '-', result.name)}}}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        *_heading(made),
        r"\midrule",
        *_rows(made),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table*}",
    ]
    return "\n".join(lines) + "\n"


def _heading(made: Table) -> Iterator[str]:
    if any(group.title for group in made.groups):
        spans = [rf"\multicolumn{{{group.columns}}}{{c}}{{{escaped(group.title)}}}" for group in made.groups]
        yield " & ".join(["", *spans]) + r" \\"
    yield " & ".join(map(escaped, (made.head, *made.columns))) + r" \\"


def _rows(made: Table) -> Iterator[str]:
    block = made.rows[0].block if made.rows else ""
    for row in made.rows:
        if row.block != block:
            yield r"\midrule"
        block = row.block
        yield " & ".join(_cells(row, made)) + r" \\"


def _cells(row: Row, made: Table) -> Iterator[str]:
    yield escaped(row.head)
    start = 0
    if row.missing:
        start = made.groups[0].columns
        yield rf"\multicolumn{{{start}}}{{l}}{{\emph{{{escaped(row.missing)}}}}}"
    yield from map(_cell, row.cells[start:])


def _cell(cell: Cell) -> str:
    return rf"\textbf{{{escaped(cell.text)}}}" if cell.best else escaped(cell.text)

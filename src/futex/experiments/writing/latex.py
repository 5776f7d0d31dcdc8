"""A table as LaTeX."""

from collections.abc import Iterator

from futex.experiments.results import Cell, Result, Row, Table

_SPECIAL = str.maketrans(
    {character: f"\\{character}" for character in "&%$#_{}"}
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
        "…": r"\ldots{}",
        "“": "``",
        "”": "''",
        "\n": " ",
    }
)


def escaped(text: str) -> str:
    r"""Text in which nothing is a command.

    >>> escaped("50% of $x_1$ \\input{a}")
    '50\\% of \\$x\\_1\\$ \\textbackslash{}input\\{a\\}'
    """
    return text.translate(_SPECIAL)


def latex(result: Result) -> str:
    """A table environment; intervals are left to the CSV, where a page is too narrow for them."""
    made = result.table
    is_text = any(isinstance(cell.value, str) for row in made.rows for cell in row.cells)
    width = 0.9 / (len(made.columns) + 1)
    columns = f"p{{{width:.2f}\\textwidth}}" * (len(made.columns) + 1) if is_text else "l" + "r" * len(made.columns)
    lines = [
        r"% \usepackage{booktabs,amssymb}",
        r"\begin{table*}[t]",
        r"\centering\small",
        rf"\caption{{{escaped(f'{result.title}. {result.caption}')}}}",
        rf"\label{{tab:{escaped(result.name)}}}",
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

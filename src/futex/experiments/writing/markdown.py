"""A result, or all of them, in Markdown."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from futex.experiments.results import Cell, Result, Row, Table
from futex.experiments.writing.provenance import facts

_SPECIAL = str.maketrans({character: f"\\{character}" for character in "\\`*_[]<>|#~"} | {"\n": " "})


def escaped(text: str) -> str:
    """Text in which nothing is Markdown or HTML.

    >>> escaped("<b>a|b</b>")
    '\\\\<b\\\\>a\\\\|b\\\\</b\\\\>'
    """
    return text.translate(_SPECIAL)


def markdown(result: Result, image: str | None = None, level: int = 1) -> str:
    """Title, caption, table, plot and notes of one experiment."""
    parts = [f"{'#' * level} {escaped(result.title)}", escaped(result.caption), table(result.table)]
    if image is not None:
        parts.append(f"![{escaped(result.title)}]({image})")
    parts += map(escaped, result.notes)
    return "\n\n".join(parts) + "\n"


def document(results: Mapping[str, Sequence[Result]], image: Callable[[str, Result], str]) -> str:
    """All experiments on all corpora; `image` tells where the plot of a result lies."""
    parts = [
        "# Results",
        "Written by `futex experiment … --markdown`; no number here is typed by hand. 95 % intervals in brackets.",
    ]
    for corpus, found in results.items():
        parts += [f"## {escaped(corpus)}", "\n".join(_facts(found))]
        parts += [markdown(result, image(corpus, result), level=3).rstrip("\n") for result in found]
    return "\n\n".join(parts) + "\n"


def _facts(results: Sequence[Result]) -> Iterator[str]:
    for fact, value in facts(results):
        yield f"- {escaped(fact)}: {_code(value)}"


def _code(text: str) -> str:
    """Verbatim, whatever is in it."""
    fence = "``" if "`" in text else "`"
    return f"{fence}{' ' if fence == '``' else ''}{text}{' ' if fence == '``' else ''}{fence}"


def table(made: Table) -> str:
    columns = [made.head, *_column_names(made)]
    lines = [_line(columns), _line(["---"] * len(columns))]
    block = ""
    for row in made.rows:
        if row.block and row.block != block:
            lines.append(_line([f"**{escaped(row.block)}**", *[""] * len(made.columns)]))
        block = row.block
        lines.append(_line([_head(row), *_cells(row)]))
    return "\n".join(lines)


def _column_names(made: Table) -> Iterator[str]:
    """Markdown has no groups of columns, so each name says whose it is."""
    groups = [group.title for group in made.groups for _ in range(group.columns)]
    for group, name in zip(groups, made.columns, strict=True):
        yield escaped(f"{group} {name}" if len(made.groups) > 1 and group != made.groups[0].title else name)


def _head(row: Row) -> str:
    return escaped(row.head) + (f" ({escaped(row.remark)})" if row.remark else "")


def _cells(row: Row) -> Iterator[str]:
    for number, cell in enumerate(row.cells):
        yield escaped(row.missing) if number == 0 and row.missing else _cell(cell)


def _cell(cell: Cell) -> str:
    text = f"**{escaped(cell.text)}**" if cell.best else escaped(cell.text)
    return f"{text} ({cell.interval})" if cell.interval else text


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"

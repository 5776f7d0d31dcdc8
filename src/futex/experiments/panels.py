"""What a table of scores looks like when it is drawn."""

from collections import Counter
from collections.abc import Iterator, Sequence

from futex.errors import InputError
from futex.experiments.results import Cell, Panel, Row, Series, Table


def dots(table: Table, metrics: Sequence[str]) -> Iterator[Panel]:
    """A panel a metric: a dot a method, ours with its interval, the paper's hollow."""
    often = Counter(row.head for row in table.rows)
    names = [f"{row.head} ({row.block.lower()})" if often[row.head] > 1 else row.head for row in table.rows]
    for metric in metrics:
        series = []
        for number, column in enumerate(_columns(table, metric)):
            cells = [row.cells[column] for row in table.rows]
            series.append(series_of(table.groups[number].title, names, cells, published=number > 0))
        drawn = {x for one in series for x in one.x}
        order = tuple(name for name in names if name in drawn)
        yield Panel("dots", metric, "", tuple(one for one in series if one.x), order)


def lines(table: Table, metrics: Sequence[str]) -> Iterator[Panel]:
    """A panel a block of rows, whose heads are numbers: a line a metric; of a single metric also the paper's points."""
    for block, rows in _blocks(table.rows).items():
        series, x = [], [number_of(row.head) for row in rows]
        for metric in metrics:
            columns = _columns(table, metric)
            for number, column in enumerate(columns if len(metrics) == 1 else columns[:1]):
                label = metric if number == 0 else table.groups[number].title
                series.append(series_of(label, x, [row.cells[column] for row in rows], published=number > 0))
        yield Panel("lines", block or table.head, ", ".join(metrics), tuple(one for one in series if one.x))


def number_of(head: str) -> float:
    try:
        return float(head)
    except ValueError:
        raise InputError(f'plot = "lines" needs rows whose titles are numbers, not {head!r}: use "dots"') from None


def series_of(label: str, x: Sequence[float | str], cells: Sequence[Cell], *, published: bool = False) -> Series:
    """Values with their intervals, over numbers or names; an empty cell has no place among them."""
    there = [(place, cell) for place, cell in zip(x, cells, strict=True) if cell.value is not None]
    bounds = [(cell.low, cell.high) for _, cell in there if cell.low is not None and cell.high is not None]
    return Series(
        label,
        tuple(place for place, _ in there),
        tuple(cell.number for _, cell in there),
        tuple(low for low, _ in bounds),
        tuple(high for _, high in bounds),
        published,
    )


def _columns(table: Table, metric: str) -> list[int]:
    """Where a metric stands, once in each group."""
    return [number for number, column in enumerate(table.columns) if column == metric]


def _blocks(rows: Sequence[Row]) -> dict[str, list[Row]]:
    blocks: dict[str, list[Row]] = {}
    for row in rows:
        blocks.setdefault(row.block, []).append(row)
    return blocks

"""A table as CSV, a line a number: easy to filter, plot and join."""

import csv
import io

from futex.experiments.results import Table

COLUMNS = ("block", "row", "remark", "corpus", "column", "value", "low", "high", "mark", "missing")


def csv_text(table: Table) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    groups = [group.title for group in table.groups for _ in range(group.columns)]
    for row in table.rows:
        for group, column, cell in zip(groups, table.columns, row.cells, strict=True):
            missing = row.missing if group == groups[0] else ""
            if cell.value is not None or missing:
                numbers = [_exact(number) for number in (cell.value, cell.low, cell.high)]
                writer.writerow(
                    [_safe(row.block), _safe(row.head), row.remark, group, column, *numbers, cell.mark, missing]
                )
    return out.getvalue()


def _exact(value: float | str | None) -> str:
    return "" if value is None else _safe(value) if isinstance(value, str) else f"{value:.6f}"


def _safe(text: str) -> str:
    """A spreadsheet would run a text that begins like a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t")) else text

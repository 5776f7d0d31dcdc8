"""What an experiment ends with: a table and what to draw, as plain values that go to JSON and back."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

Value = float | str | None


def is_of_the_paper(experiment: str) -> bool:
    return experiment.startswith(("table", "figure"))


def place_of(experiment: str) -> tuple[bool, bool, str]:
    """Where it stands in a list of others: the paper's tables, its figures, what is not in the paper."""
    return not is_of_the_paper(experiment), experiment.startswith("figure"), experiment


@dataclass(frozen=True, slots=True)
class Cell:
    value: Value = None
    low: float | None = None
    high: float | None = None
    """Bounds of the 95 % interval."""
    mark: str = ""
    """Stars or daggers of a significance test."""
    best: bool = False
    digits: int = 3

    @property
    def text(self) -> str:
        if self.value is None:
            return ""
        shown = self.value if isinstance(self.value, str) else f"{self.value:,.{self.digits}f}"
        return shown + self.mark

    @property
    def number(self) -> float:
        """Less than any other, if there is none."""
        return self.value if isinstance(self.value, float) else float("-inf")

    @property
    def interval(self) -> str:
        if self.low is None or self.high is None:
            return ""
        return f"{self.low:.{self.digits}f}–{self.high:.{self.digits}f}"


@dataclass(frozen=True, slots=True)
class Row:
    head: str
    cells: tuple[Cell, ...]
    block: str = ""
    """Rows of a block follow each other under one heading."""
    remark: str = ""
    """Said beside the head, like a number of seeds."""
    missing: str = ""
    """Why the cells of the first group are empty."""


@dataclass(frozen=True, slots=True)
class Group:
    """So many columns belong together: our corpus, or one of the paper's."""

    title: str
    columns: int


@dataclass(frozen=True, slots=True)
class Table:
    head: str
    columns: tuple[str, ...]
    groups: tuple[Group, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Series:
    label: str
    x: tuple[float | str, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    published: bool = False
    """The paper's own values, drawn hollow."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One pair of axes: `lines` with numbers on both, `dots` or `bars` with names on the vertical one."""

    kind: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    names: tuple[str, ...] = ()
    """From top to bottom; each x of a series is one of them."""
    log_x: bool = False
    log_y: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    name: str
    title: str
    caption: str
    table: Table
    panels: tuple[Panel, ...]
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    """How long the rankings in it took when they were computed."""
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> "Result":
        table = record["table"]
        rows = tuple(Row(**row | {"cells": tuple(Cell(**cell) for cell in row["cells"])}) for row in table["rows"])
        groups = tuple(Group(**group) for group in table["groups"])
        return cls(
            **dict(record)
            | {
                "table": Table(table["head"], tuple(table["columns"]), groups, rows),
                "panels": tuple(_panel(panel) for panel in record["panels"]),
                "notes": tuple(record["notes"]),
            }
        )


def _panel(record: Mapping[str, Any]) -> Panel:
    return Panel(**_tuples(record) | {"series": tuple(Series(**_tuples(series)) for series in record["series"])})


def _tuples(record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in record.items()}

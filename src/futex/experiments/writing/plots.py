"""Plots: one column of panels, colours that all can tell apart (Okabe and Ito), ours filled, the paper's hollow."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from futex.errors import InputError
from futex.experiments.results import Panel, Result, Series
from futex.files import replacing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = "osD^vPX"
WIDTH, BAR = 6.4, 0.8
FEW = 12
"""So many values fit on an axis as ticks."""
STYLE: Any = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "svg.hashsalt": "futex",
    "legend.frameon": False,
    "text.parse_math": False,
}


def check_matplotlib() -> None:
    """Better now than after an hour of work."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise InputError("plots need matplotlib: pip install 'futex[experiments]'") from None


def draw(result: Result, folder: Path) -> None:
    """NAME.svg and NAME.png."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    heights = [_height(panel) for panel in result.panels]
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, sum(heights)), layout="constrained")
        axes = figure.subplots(len(heights), 1, squeeze=False, height_ratios=heights)[:, 0]
        for panel, pair in zip(result.panels, axes, strict=True):
            _draw(panel, pair)
        for suffix, metadata in (("svg", {"Date": None}), ("png", {"Software": None})):
            with replacing(folder / f"{result.name}.{suffix}") as temporary:
                figure.savefig(temporary, format=suffix, dpi=150, metadata=metadata)
            figure.set_layout_engine("none")  # the second file keeps the layout of the first


def _height(panel: Panel) -> float:
    if panel.kind == "lines":
        return 3.4
    return 1.3 + 0.3 * len(panel.names) * (len(panel.series) ** 0.5 if panel.kind == "bars" else 1)


def _draw(panel: Panel, axes: "Axes") -> None:
    if not panel.series:
        axes.text(0.5, 0.5, "not run", ha="center", va="center", transform=axes.transAxes)
    {"lines": _lines, "dots": _dots, "bars": _bars}[panel.kind](panel, axes)
    axes.set_xlabel(panel.x_label)
    axes.set_ylabel(panel.y_label)
    if panel.log_x:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter("{x:,.0f}")
    if panel.log_y:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:,.0f}")
    values = sorted({x for series in panel.series for x in series.x if isinstance(x, float)})
    if panel.kind == "lines" and len(values) <= FEW:
        axes.set_xticks(values, [f"{x:,.0f}" for x in values])
    axes.minorticks_off()
    if len(panel.series) > 1:
        axes.legend(loc="upper left", bbox_to_anchor=(0, -0.16 * 3.4 / _height(panel)), ncols=3, fontsize="small")


def _lines(panel: Panel, axes: "Axes") -> None:
    for number, series in enumerate(panel.series):
        colour = COLOURS[number % len(COLOURS)]
        axes.plot(
            [float(x) for x in series.x],
            series.y,
            color=colour,
            label=series.label,
            linestyle="none" if series.published else "-",
            marker=MARKERS[number % len(MARKERS)] if len(series.x) <= FEW else "",
            fillstyle="none" if series.published else "full",
        )
        if series.low:
            axes.fill_between([float(x) for x in series.x], series.low, series.high, color=colour, alpha=0.15, lw=0)


def _dots(panel: Panel, axes: "Axes") -> None:
    for number, series in enumerate(panel.series):
        axes.errorbar(
            series.y,
            [panel.names.index(str(x)) for x in series.x],
            xerr=_whiskers(series),
            fmt=MARKERS[number % len(MARKERS)],
            color=COLOURS[number % len(COLOURS)],
            fillstyle="none" if series.published else "full",
            label=series.label,
        )
    _name_rows(axes, panel.names)


def _bars(panel: Panel, axes: "Axes") -> None:
    height = BAR / max(1, len(panel.series))
    for number, series in enumerate(panel.series):
        offset = (number - (len(panel.series) - 1) / 2) * height
        places = [panel.names.index(str(x)) + offset for x in series.x]
        drawn = axes.barh(places, series.y, height * 0.9, color=COLOURS[number % len(COLOURS)], label=series.label)
        axes.bar_label(drawn, fmt=_three_digits, padding=3, fontsize="small")
    _name_rows(axes, panel.names)


def _three_digits(value: float) -> str:
    """Whole from a hundred on.

    >>> _three_digits(1856.7), _three_digits(64.84)
    ('1,857', '64.8')
    """
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _name_rows(axes: "Axes", names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(max(1, len(names)) - 0.5, -0.5)
    axes.grid(axis="y", visible=False)


def _whiskers(series: Series) -> list[list[float]] | None:
    if not series.low:
        return None
    below = [max(0.0, y - low) for y, low in zip(series.y, series.low, strict=True)]
    above = [max(0.0, high - y) for y, high in zip(series.y, series.high, strict=True)]
    return [below, above]

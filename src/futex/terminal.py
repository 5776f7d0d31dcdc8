"""How things look on a terminal: progress and log lines on stderr, suggestions and tables on stdout."""

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.logging import RichHandler
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from futex.corpus.paper import Paper
from futex.corpus.statistics import Statistics
from futex.errors import printable
from futex.evaluation.bootstrap import LEVEL
from futex.evaluation.cut_off import CutOff
from futex.evaluation.metrics import Evaluation
from futex.evidence import Suggestion
from futex.labels.report import TOO_FREQUENT, LabelReport, Name
from futex.progress import Advance, counted, in_words, show_with
from futex.sharded.status import Status

SECONDS_BETWEEN_LINES = 30.0

out = Console(highlight=False, emoji=False, soft_wrap=True)
err = Console(stderr=True, highlight=False)

log = logging.getLogger("futex")


def set_up(quiet: bool) -> None:
    handler: logging.Handler = logging.StreamHandler()
    if err.is_terminal:
        handler = RichHandler(console=err, show_path=False, show_time=False, show_level=False, markup=False)
    handler.setFormatter(logging.Formatter("%(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    log.setLevel(logging.WARNING if quiet else logging.INFO)
    if not quiet:
        show_with(_bar if err.is_terminal else _lines)


@contextmanager
def _bar(title: str, total: int | None, done: int) -> Iterator[Advance]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("[dim]{task.fields[note]}"),
    )
    with Progress(*columns, console=err) as bar:
        row = bar.add_task(title, total=total, completed=done, note="")

        def advance(steps: int = 1, note: str = "") -> None:
            bar.advance(row, steps)
            if note:
                bar.update(row, note=note)

        yield advance


@contextmanager
def _lines(title: str, total: int | None, done: int) -> Iterator[Advance]:
    """Where there is no terminal, a line every half minute and one at the end."""
    start = said = time.monotonic()
    before = done

    def advance(steps: int = 1, note: str = "") -> None:
        nonlocal said, done
        done += steps
        now = time.monotonic()
        if now - said >= SECONDS_BETWEEN_LINES and done > before and done != total:
            said = now
            each = (now - start) / (done - before)
            log.info("%s: %s%s", title, _so_far(done, total, each), f" ({note})" if note else "")

    yield advance
    log.info("%s: %d done in %s", title, done - before, in_words(time.monotonic() - start))


def _so_far(done: int, total: int | None, each: float) -> str:
    if total is None:
        return f"{done} so far"
    return f"{done} of {total}, about {in_words(each * (total - done))} left"


def shown(text: str) -> str:
    """A stranger's text as it is, for our console: neither markup nor a command to the terminal."""
    return escape(printable(text))


def show_suggestions(paper: Paper, suggestions: Sequence[Suggestion]) -> None:
    out.print(f"[bold]{shown(paper.title or paper.id)}[/bold]  [dim]{shown(paper.id)}[/dim]")
    if not suggestions:
        out.print("  no label found")
    for number, suggestion in enumerate(suggestions, start=1):
        if suggestion.applies is False and (number == 1 or suggestions[number - 2].applies):
            out.print("     [dim]less likely:[/dim]")
        name = shown(suggestion.name)
        out.print(f"{number:>3}. [bold]{name}[/bold]  {suggestion.score:.3f}  [dim]{suggestion.source}[/dim]")
        for piece in suggestion.evidence:
            out.print(f"       {shown(_piece(piece))}")
    out.print()


def _piece(piece: dict[str, Any]) -> str:
    where = " › ".join(piece.get("where", [])) or "text"
    match piece["kind"]:
        case "name":
            return f"“{piece['name']}” in {where}: {piece['text']}"
        case "paragraph":
            return f"similar ({piece['similarity']:.2f}), {where}: {piece['text']}"
        case _:
            return "words: " + ", ".join(f"{word['word']} ({word['share']:.0%})" for word in piece["words"])


def show_evaluation(
    evaluation: Evaluation, intervals: Mapping[str, tuple[float, float]], cut_off: CutOff | None
) -> None:
    """One line a metric: its mean and its interval; then what the labels above the cut-off of each paper are worth."""
    table = Table(title=counted(evaluation.papers, "paper"), title_justify="left", box=SIMPLE_HEAD)
    table.add_column("metric")
    table.add_column("mean", justify="right")
    table.add_column(f"{LEVEL * 100:.0f} % interval", justify="right")
    for metric in evaluation.metrics:
        low, high = intervals[metric]
        table.add_row(metric, f"{evaluation.mean(metric):.4f}", f"{low:.4f} – {high:.4f}")
    out.print(table)
    if cut_off:
        low, high = cut_off.f1_interval
        out.print(
            f"Labels that apply: {cut_off.labels:.1f} a paper, precision {cut_off.precision:.4f}, "
            f"recall {cut_off.recall:.4f}, F1 {cut_off.f1:.4f} ({low:.4f} – {high:.4f})"
        )


def show_status(status: Status) -> None:
    state = "finished" if status.finished else "not finished"
    at_work = "; a process is at work on it" if status.running else ""
    out.print(f"{shown(status.folder)}: {counted(status.papers, 'paper')}, {state}{at_work}")
    table = Table("stage", "shards done", "of", "papers done", "damaged or missing", box=None, pad_edge=False)
    for stage in status.stages:
        table.add_row(stage.name, str(stage.done), str(stage.shards), str(stage.papers), str(len(stage.damaged)))
    out.print(table)
    for path in (path for stage in status.stages for path in stage.damaged):
        out.print(f"damaged or missing: {shown(path)}")
    for paper in status.given_up:
        out.print(f"given up, as no process survived it: paper {shown(paper)}")
    if not status.finished and not status.running:
        out.print("`futex run` with the same words goes on from here")


SHOWN = 10
"""How many names or labels of each kind are listed."""


def show_label_report(report: LabelReport) -> None:
    _show_rows(
        [
            ("Labels", report.labels, "d"),
            ("Names", report.names, "d"),
            ("Labels with a description", report.with_description, "d"),
            ("Organisms and check tags", report.routine, "d"),
            ("Top labels", report.top_labels, "d"),
            ("Depth", report.depth, "d"),
            ("Papers", report.papers, "d"),
            ("Labels found in the papers", report.labels_found, "d"),
        ]
    )
    _show_list("Broader labels that are not there", report.missing_broader)
    _show_list("Labels in a circle of broader labels", report.in_circles)
    _show_list("Labels that can never be matched", report.never_matched)
    _show_list("Names that several labels share", report.shared_names)
    _show_list("Names that are everyday words", report.everyday_names)
    if report.frequent_names is not None:
        _show_list(f"Names found in more than {TOO_FREQUENT:.0%} of the papers", report.frequent_names)


def _show_list(title: str, entries: Sequence[Name | str]) -> None:
    if not entries:
        return
    out.print(f"\n[bold]{title}[/bold]: {len(entries):,}")
    for entry in entries[:SHOWN]:
        out.print(f"  {shown(entry if isinstance(entry, str) else _name(entry))}")
    if len(entries) > SHOWN:
        out.print("  [dim]… all of them with --json[/dim]")


def _name(name: Name) -> str:
    share = "" if name.papers is None else f"  {name.papers:.0%}"
    more = f" and {len(name.labels) - 3} more" if len(name.labels) > 3 else ""
    return f"{name.name}{share}  ({', '.join(name.labels[:3])}{more})"


def show_statistics(stats: Statistics) -> None:
    _show_rows(
        [
            ("Papers", stats.papers, "d"),
            ("Labels", stats.labels, "d"),
            ("Labels used by the gold", stats.labels_used, "d"),
            ("Words/paper", stats.words_per_paper, ".2f"),
            ("Paragraphs/paper", stats.paragraphs_per_paper, ".2f"),
            ("Labels/paper", stats.labels_per_paper, ".2f"),
            ("References/paper", stats.references_per_paper, ".2f"),
            ("Section depth", stats.depth, "d"),
            ("Citation edges", stats.citation_edges, "d"),
            ("P→P←P pairs", stats.linked_pairs, "d"),
            ("Papers in a P→P←P pair", stats.linked_papers, "d"),
            ("Candidates/paper", stats.candidates_per_paper, ".2f"),
            ("Papers with candidates", stats.papers_with_candidates, ".1%"),
        ]
    )


def _show_rows(rows: Sequence[tuple[str, Any, str]]) -> None:
    table = Table(show_header=False, box=None)
    for name, value, form in rows:
        if value is not None:
            table.add_row(name, format(value, f",{form}"))
    out.print(table)

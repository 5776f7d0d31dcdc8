"""One page for all results: no scripts, no other files, for light and dark screens of any width."""

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from futex.experiments.results import Cell, Result, Row, Table, place_of
from futex.experiments.writing.provenance import facts
from futex.experiments.writing.style import CSS

Results = Mapping[str, Sequence[Result]]
"""Corpus → its results."""
Plots = Mapping[tuple[str, str], bytes]
"""(corpus, experiment) → SVG."""


def page(results: Results, plots: Plots) -> str:
    experiments = {result.name: result for found in results.values() for result in found}
    ordered = sorted(experiments.values(), key=lambda result: place_of(result.name))
    body = [
        "<header>",
        "<h1>FuTex: every table and figure of the paper</h1>",
        f"<p>Weakly supervised multi-label classification of full-text scientific papers, on {_names(results)}. "
        "Numbers in brackets are 95 % bootstrap intervals over papers.</p>",
        "<nav><ul>",
        *(f'<li><a href="#{escape(one.name)}">{escape(one.title)}</a></li>' for one in ordered),
        '<li><a href="#made">How these numbers were made</a></li>',
        "</ul></nav></header><main>",
        *(_section(one, results, plots) for one in ordered),
        _provenance(results),
        "</main>",
    ]
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>FuTex: results on {_names(results)}</title><style>{CSS}</style>"
    )
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body>\n' + "\n".join(body) + "\n</body></html>\n"


def _names(results: Results) -> str:
    return escape(" and ".join(results))


def _section(experiment: Result, results: Results, plots: Plots) -> str:
    parts = [
        f'<section id="{escape(experiment.name)}">',
        f"<h2>{escape(experiment.title)}</h2>",
        f"<p>{escape(experiment.caption)}</p>",
    ]
    for corpus, found in results.items():
        for result in found:
            if result.name == experiment.name:
                parts += [f"<h3>{escape(corpus)}</h3>", *_result(result, plots[corpus, result.name])]
    return "\n".join([*parts, "</section>"])


def _result(result: Result, plot: bytes) -> Iterator[str]:
    yield f'<div class="wide">{_table(result.table)}</div>'
    yield from (f'<p class="note">{escape(note)}</p>' for note in result.notes)
    source = f"data:image/svg+xml;base64,{b64encode(plot).decode()}"
    yield f'<figure class="wide"><img alt="{escape(result.title)}, drawn" src="{source}"></figure>'


def _table(made: Table) -> str:
    lines = ["<table>", "<thead>"]
    if any(group.title for group in made.groups):
        spans = (f'<th class="group" colspan="{group.columns}">{escape(group.title)}</th>' for group in made.groups)
        lines.append(f"<tr><th></th>{''.join(spans)}</tr>")
    kind = ' class="text"' if any(isinstance(cell.value, str) for row in made.rows for cell in row.cells) else ""
    names = "".join(f'<th scope="col"{kind}>{escape(name)}</th>' for name in made.columns)
    lines += [f'<tr><th scope="col">{escape(made.head)}</th>{names}</tr>', "</thead>", "<tbody>"]
    block = ""
    for row in made.rows:
        if row.block and row.block != block:
            lines.append(f'<tr class="block"><th colspan="{len(made.columns) + 1}">{escape(row.block)}</th></tr>')
        block = row.block
        lines.append(_row(row, made))
    return "\n".join([*lines, "</tbody></table>"])


def _row(row: Row, made: Table) -> str:
    remark = f"<small>{escape(row.remark)}</small>" if row.remark else ""
    cells = [f'<th scope="row">{escape(row.head)}{remark}</th>']
    start = 0
    if row.missing:
        start = made.groups[0].columns
        cells.append(f'<td class="missing" colspan="{start}">{escape(row.missing)}</td>')
    return f"<tr>{''.join([*cells, *map(_cell, row.cells[start:])])}</tr>"


def _cell(cell: Cell) -> str:
    if isinstance(cell.value, str):
        parts = (f"<li>{escape(part)}</li>" for part in cell.value.split("; ") if part)
        return f'<td class="text"><ul>{"".join(parts)}</ul></td>'
    text = f"<strong>{escape(cell.text)}</strong>" if cell.best else escape(cell.text)
    interval = f"<small>({escape(cell.interval)})</small>" if cell.interval else ""
    return f"<td>{text}{interval}</td>"


def _provenance(results: Results) -> str:
    parts = ['<section id="made"><h2>How these numbers were made</h2>']
    for corpus, found in results.items():
        listed = (f"<dt>{escape(fact)}</dt><dd><code>{escape(value)}</code></dd>" for fact, value in facts(found))
        parts.append(f"<h3>{escape(corpus)}</h3><dl>{''.join(listed)}</dl>")
    return "\n".join([*parts, "</section>"])

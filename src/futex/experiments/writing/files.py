"""Results in a folder, and the page of all that lie there."""

import json
import shutil
from pathlib import Path

from futex.errors import InputError
from futex.experiments.results import Result, place_of
from futex.experiments.writing import html, latex, markdown
from futex.experiments.writing.csv import csv_text
from futex.experiments.writing.plots import draw
from futex.files import write_text


def write_result(result: Result, folder: Path) -> None:
    """NAME.md, .csv, .tex, .svg, .png, and .json, from which pages are made."""
    draw(result, folder)
    write_text(folder / f"{result.name}.md", markdown.markdown(result, f"{result.name}.svg"))
    write_text(folder / f"{result.name}.csv", csv_text(result.table))
    write_text(folder / f"{result.name}.tex", latex.latex(result))
    write_text(folder / f"{result.name}.json", json.dumps(result.as_dict(), indent=1, ensure_ascii=False) + "\n")


def check_document(path: Path) -> None:
    """Better now than after an hour of work."""
    if not path.suffix or path.is_dir():
        raise InputError(f"cannot write Markdown to {path}: name a file, like {path.name}.md")


def write_page(out: Path) -> None:
    """OUT/index.html, which needs no other file."""
    results = read_results(out)
    plots = {
        (name, one.name): (out / name / _plot(one)).read_bytes() for name, found in results.items() for one in found
    }
    write_text(out / "index.html", html.page(results, plots))


def write_document(out: Path, path: Path) -> None:
    """The same as Markdown, with the plots in a folder beside it that is called like it."""
    folder = path.with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)

    def image(corpus: str, result: Result) -> str:
        name = f"{corpus}-{_plot(result)}"
        shutil.copyfile(out / corpus / _plot(result), folder / name)
        return f"{folder.name}/{name}"

    write_text(path, markdown.document(read_results(out), image))


def read_results(out: Path) -> dict[str, list[Result]]:
    """By corpus; in each, the paper's tables come first."""
    found: dict[str, list[Result]] = {}
    for path in sorted(out.glob("*/*.json"), key=lambda path: (path.parent, place_of(path.stem))):
        try:
            result = Result.from_dict(json.loads(path.read_text(encoding="utf-8")))
            found.setdefault(path.parent.name, []).append(result)
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path} is not a result of ours ({error}): delete it or choose another --out") from error
    return found


def _plot(result: Result) -> str:
    return f"{result.name}.svg"

"""`futex experiment all` on a tiny corpus: every table and figure, and the page that shows them."""

import json
import shutil
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from experiments.tiny_corpus import ATTACK, write

from futex.cli import main
from futex.errors import InputError
from futex.experiments import units
from futex.experiments.plans import plans_named
from futex.experiments.results import Result, Table
from futex.experiments.writing.files import read_results
from futex.experiments.writing.html import page
from futex.files import read_note

OF_THE_PAPER = [plan.name for plan in plans_named("all")]

QUICK = """
seeds = 2
seeds_of = { parabel = 1 }
triples = 16
papers = { table6 = 24, figure6 = 2 }
papers_of = { lexical = 10 }
"""


def ending(folder: Path, *words: str) -> int:
    """The exit code of `futex experiment`."""
    corpus = [word for name in ("papers", "labels", "gold") for word in (f"--{name}", str(folder / f"{name}.jsonl"))]
    where = ["--out", str(folder / "report"), "--cache", str(folder / "cache"), "--profile", str(folder / "few.toml")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["futex", "experiment", *words, *corpus, *where, "--quiet"])
        with pytest.raises(SystemExit) as end:
            main()
    return end.value.code or 0


def experiment(folder: Path, *words: str) -> None:
    assert ending(folder, *words) == 0


@pytest.fixture(scope="module")
def report(tmp_path_factory, papers, labels) -> Path:
    """The report folder of everything, made once."""
    folder = write(tmp_path_factory.mktemp("corpus"), papers, labels)
    (folder / "few.toml").write_text(QUICK)
    markdown = str(folder / "docs" / "results.md")
    experiment(folder, "all", "--plm", "fake", "--limit", "28", "--name", "tiny", "--markdown", markdown)
    return folder / "report"


class Page(HTMLParser):
    """Checks that tags close in order, and collects what the page asks for and shows."""

    EMPTY = frozenset({"meta", "img", "br"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.shown = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.links += [value for name, value in attrs if name in ("src", "href", "srcset", "data", "action")]
        self.ids |= {value for name, value in attrs if name == "id"}
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.shown += data


def test_every_experiment_is_there_in_every_format(report):
    made = {path.name for path in (report / "tiny").iterdir() if path.is_file()}
    assert made == {f"{name}.{kind}" for name in OF_THE_PAPER for kind in ("md", "csv", "tex", "svg", "png", "json")}


def test_every_row_has_numbers_or_says_why_not(report):
    for result in read_results(report)["tiny"]:
        ours = result.table.groups[0].columns
        assert result.table.rows
        for row in result.table.rows:
            has_values = any(cell.value is not None for cell in row.cells[:ours])
            assert has_values != bool(row.missing), (result.name, row)
    rows = {(result.name, row.head): row for result in read_results(report)["tiny"] for row in result.table.rows}
    for name, head in (("table1", "tiny"), ("table2", "FuTex"), ("table3", "FuTex-NoNetwork"), ("figure6", "FuTex")):
        assert isinstance(rows[name, head].cells[0].value, float), (name, head)
    assert rows["table2", "FuTex"].remark == "2 seeds, 16 triples"
    assert rows["table2", "Lexical (tf–idf of names)"].remark == "on 10 papers only"
    assert rows["table2", "LinkBERT"].missing == "with this PLM it is the same as SciBERT"


def test_the_page_is_whole_and_needs_no_other_file(report):
    text = (report / "index.html").read_text()
    page = Page(text)
    assert page.open == []
    assert not page.tags & {"script", "link", "iframe", "object", "embed"}
    assert "url(" not in text
    assert "@import" not in text
    inside = [link for link in page.links if link.startswith("#")]
    assert {link[1:] for link in inside} == page.ids == {*OF_THE_PAPER, "made"}
    assert all(link.startswith("data:image/svg+xml;base64,") for link in page.links if link not in inside)


def test_a_label_that_is_a_script_is_shown_as_text(report):
    page = Page((report / "index.html").read_text())
    assert ATTACK in page.shown
    assert ATTACK not in (report / "tiny" / "table4.md").read_text()
    assert r"\textless{}script\textgreater{}" in (report / "tiny" / "table4.tex").read_text()


def test_the_page_says_how_the_numbers_were_made(report):
    shown = Page((report / "index.html").read_text()).shown
    result = json.loads((report / "tiny" / "table2.json").read_text())
    for fact in (*result["provenance"]["inputs"].values(), "futex experiment all", "torch", "cores", "seeds 2", "fake"):
        assert fact in shown


def test_few_papers_are_ranked_to_tell_the_time_but_the_links_of_all_are_learnt_from(report):
    [figure] = [result for result in read_results(report)["tiny"] if result.name == "figure6"]
    assert figure.notes[0].startswith("2 papers are ranked")
    assert not [row.missing for row in figure.table.rows if "no two papers" in row.missing]


def test_tables_of_systems_say_which_plm_took_the_place_of_their_checkpoints(report):
    of = {result.name: result.caption for result in read_results(report)["tiny"]}
    assert "All methods have the PLM 'fake' here" in of["table2"]
    assert "All methods have the PLM" not in of["table1"]


def test_markdown_has_every_experiment_and_its_plots_beside_it(report):
    document = report.parent / "docs" / "results.md"
    text = document.read_text()
    assert all(plan.title in text for plan in plans_named("all"))
    images = [line.partition("](")[2].rstrip(")") for line in text.splitlines() if line.startswith("![")]
    assert len(images) == len(OF_THE_PAPER)
    assert all((document.parent / image).is_file() for image in images)


def test_nothing_is_computed_when_it_is_all_there(report, monkeypatch):
    monkeypatch.setattr(units, "perform", lambda *_: pytest.fail("computed again"))
    before = (report / "tiny" / "table3.csv").read_text()
    experiment(report.parent, "table3", "--plm", "fake", "--limit", "28", "--name", "tiny")
    assert (report / "tiny" / "table3.csv").read_text() == before


def test_without_a_name_the_experiments_are_listed(capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["futex", "experiment"])
    with pytest.raises(SystemExit):
        main()
    listed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in listed] == [*OF_THE_PAPER, "beyond", "larger", "learning_curve", "transfer"]


def test_a_result_that_is_not_ours_is_named(tmp_path):
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "table2.json").write_text("{}")
    with pytest.raises(InputError, match=r"table2\.json is not a result of ours"):
        read_results(tmp_path)


def test_what_could_not_be_written_is_said_before_anything_runs(folder, monkeypatch, capsys):
    monkeypatch.setattr("futex.experiments.running.Corpus.read", lambda *_, **__: pytest.fail("began"))
    (folder / "few.toml").write_text(QUICK)
    assert ending(folder, "table1", "--markdown", str(folder / "RESULTS")) == 1
    assert "/RESULTS: name a file, like RESULTS.md" in capsys.readouterr().err
    (folder / "report" / "other").mkdir(parents=True)
    (folder / "report" / "other" / "x.json").write_text("{}")
    assert ending(folder, "table1") == 1
    assert "x.json is not a result of ours" in capsys.readouterr().err
    shutil.rmtree(folder / "report")
    (folder / "report").touch()
    assert ending(folder, "table1") == 1
    assert "report: it is no folder; choose another --out" in capsys.readouterr().err


def test_the_paper_comes_before_what_is_not_in_it(tmp_path):
    for name in ("beyond", "figure1", "learning_curve", "table2"):
        made = Result(name, name, "", Table("", (), (), ()), ())
        (tmp_path / "tiny").mkdir(exist_ok=True)
        (tmp_path / "tiny" / f"{name}.json").write_text(json.dumps(made.as_dict()))
    found = read_results(tmp_path)
    ordered = ["table2", "figure1", "beyond", "learning_curve"]
    assert [result.name for result in found["tiny"]] == ordered
    links = Page(page(found, {("tiny", name): b"" for name in ordered})).links
    assert [link[1:] for link in links if link.startswith("#")] == [*ordered, "made"]


def test_the_profile_says_how_many_papers_an_experiment_of_any_kind_takes(folder):
    (folder / "few.toml").write_text("seeds = 1\npapers = { table1 = 7, table4 = 6, figure5 = 8 }\n")
    for name in ("table1", "table4", "figure5"):
        experiment(folder, name, "--plm", "fake", "--name", "tiny")
    sizes, _, supervised = read_results(folder / "report")["tiny"]
    assert sizes.table.rows[0].cells[0].value == 7
    assert supervised.notes[0].startswith("4 papers are ranked")
    ranked = [len(read_note(path)["rankings"]) for path in (folder / "report/tiny/units").glob("*.json")]
    assert set(ranked) == {6, 4, 8}

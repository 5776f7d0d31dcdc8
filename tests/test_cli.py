"""The command line as a user meets it: the happy path on the fake PLM, and every kind of bad input."""

import io
import json
import lzma
import os
import shutil
import signal
import stat
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from futex.cli import main
from futex.corpus.formats.jsonl import as_record
from futex.corpus.store import write_papers
from futex.labels.store import write_labels

FAST = ["--recipe", "small.toml", "--triples", "16", "--quiet"]


@pytest.fixture
def corpus(tmp_path, papers, labels, monkeypatch) -> Path:
    """A folder with papers, labels and gold; the cache lies in it too."""
    write_papers(papers, tmp_path / "papers.jsonl")
    write_labels(labels, tmp_path / "labels.jsonl")
    gold = [{"id": p.id, "labels": ["L1", "L2"] if i % 2 else ["L3", "L4"]} for i, p in enumerate(papers)]
    (tmp_path / "gold.jsonl").write_text("\n".join(map(json.dumps, gold)) + "\n")
    (tmp_path / "small.toml").write_text('plm = "fake"\nmin_linked_papers = 4\nmin_papers_per_word = 1\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FUTEX_CACHE", str(tmp_path / "cache"))
    return tmp_path


def futex(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
    """The command in this process, as the shell would see it."""
    out, err, code = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO(), 0
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["futex", *arguments])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
    out.seek(0)
    return subprocess.CompletedProcess(arguments, code, out.read(), err.getvalue())


def run(*more: str) -> subprocess.CompletedProcess[str]:
    return futex("run", "papers.jsonl", "--labels", "labels.jsonl", "--out", "out", *FAST, *more)


def fails(done: subprocess.CompletedProcess[str], message: str) -> None:
    """One clear line on stderr, exit code 1, no traceback, nothing on stdout."""
    errors = [line for line in done.stderr.splitlines() if not line.startswith("skipped:")]
    assert done.returncode == 1, done.stderr
    assert len(errors) == 1, done.stderr
    assert errors[0].startswith("futex: ")
    assert message in errors[0]
    assert done.stdout == ""


def test_run_eval_and_suggest(corpus, papers):
    assert run().returncode == 0
    lines = [json.loads(line) for line in (corpus / "out/predictions.jsonl").read_text().splitlines()]
    assert [line["paper"] for line in lines] == [paper.id for paper in papers]
    best = lines[1]["labels"][0]
    assert set(best) == {"id", "name", "score", "source", "evidence"}
    config = json.loads((corpus / "out/config.json").read_text())
    assert config["recipe"]["plm"] == "fake"
    assert set(config["inputs"]) == {"papers", "labels"}
    assert config["versions"]["futex"]

    done = futex("eval", "out", "--gold", "gold.jsonl", "--json")
    metrics = json.loads(done.stdout)
    assert metrics["papers"] == 12
    assert metrics["P@1"] == 1.0
    assert {"P@1", "P@3", "P@5", "NDCG@3", "NDCG@5", "PSP@1", "PSP@5", "R@5"} <= set(metrics)
    assert "P@1" in futex("eval", "out/predictions.jsonl", "--gold", "gold.jsonl").stdout

    new = json.dumps({"id": "new", "title": "Lung cancer and the brain", "abstract": "Lung cancer of mice."}).encode()
    done = futex("suggest", "out/model", "-", "--json", "--top", "2", stdin=new)
    (line,) = done.stdout.splitlines()
    assert json.loads(line)["labels"][0]["name"] in ("Lung cancer", "Mice", "Brain")
    assert "Lung cancer" in futex("suggest", "out/model", "-", stdin=new).stdout


def test_the_same_seed_gives_the_same_bytes_with_or_without_a_cache(corpus):
    run("--cache", "one")
    first = (corpus / "out/predictions.jsonl").read_bytes()
    run("--cache", "one")
    again = (corpus / "out/predictions.jsonl").read_bytes()
    run("--cache", "another")
    assert first == again == (corpus / "out/predictions.jsonl").read_bytes()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
@pytest.mark.parametrize("at", ["Fine-tuning", "Looking at papers", "Ranking and gathering evidence"])
def test_killed_and_started_again_it_ends_with_the_same_bytes(corpus, at):
    """The process is killed in the middle of a stage, and its workers with it; the next run goes on from there."""
    run("--cache", "undisturbed")
    expected = (corpus / "out/predictions.jsonl").read_bytes()
    shutil.rmtree(corpus / "out")
    program = f"""
import os, signal, sys
from contextlib import contextmanager
from futex import progress
from futex.sharded import papers
papers.PAPERS_A_SHARD = 4
driver = os.getpid()
@contextmanager
def deadly(title, total, done):
    def advance(steps=1, note=""):
        nonlocal done
        done += steps
        if title.startswith({at!r}) and done > total // 2:
            os.kill(driver, signal.SIGKILL)
    yield advance
progress.show_with(deadly)
from futex.cli import main
main()
"""
    arguments = ["run", "papers.jsonl", "--labels", "labels.jsonl", "--out", "out", "--cache", "killed", *FAST]
    killed = subprocess.run([sys.executable, "-c", program, *arguments])
    assert killed.returncode == -signal.SIGKILL
    assert not (corpus / "out/predictions.jsonl").exists()
    before = _rows(corpus / "killed")
    assert futex("status", "out").returncode == 0
    assert run("--cache", "killed").returncode == 0
    assert (corpus / "out/predictions.jsonl").read_bytes() == expected
    assert {path: _rows(corpus / "killed")[path][: len(rows)] for path, rows in before.items()} == before


def _rows(cache: Path) -> dict[str, bytes]:
    return {str(path.relative_to(cache)): path.read_bytes() for path in cache.rglob("rows")}


def test_convert_and_inspect(corpus):
    assert futex("convert", "papers.jsonl", "--papers", "p.parquet").returncode == 0
    assert futex("convert", "p.parquet", "--papers", "q.jsonl.xz").returncode == 0
    assert lzma.decompress((corpus / "q.jsonl.xz").read_bytes()) == (corpus / "papers.jsonl").read_bytes()
    done = futex("inspect", "p.parquet", "--labels", "labels.jsonl", "--gold", "gold.jsonl", "--json")
    table = json.loads(done.stdout)
    assert (table["papers"], table["labels"], table["labels_per_paper"]) == (12, 6, 2.0)
    assert table["linked_pairs"] == 2 * 15  # two topics of six papers, every pair of a topic shares a reference
    assert table["papers_with_candidates"] == 1.0
    assert "P→P←P pairs" in futex("inspect", "papers.jsonl").stdout


THESAURUS = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<u:mouse> a skos:Concept ; skos:prefLabel "Mice"@en , "Mäuse"@de ; skos:altLabel "mouse"@en .
<u:lung> a skos:Concept ; skos:prefLabel "Lung cancer"@en , "Lungenkrebs"@de ; skos:broader <u:cancer> .
<u:it> a skos:Concept ; skos:prefLabel "[IT]"@en .
"""


def test_labels_in_another_format(corpus):
    (corpus / "thesaurus.ttl").write_text(THESAURUS)
    done = futex("run", "papers.jsonl", "--labels", "thesaurus.ttl", "--out", "out", *FAST)
    assert done.returncode == 0, done.stderr
    first = json.loads((corpus / "out/predictions.jsonl").read_text().splitlines()[1])
    assert {label["id"] for label in first["labels"]} >= {"u:mouse", "u:lung"}
    assert json.loads((corpus / "out/config.json").read_text())["language"] == "en"
    fails(futex("run", "papers.jsonl", "--labels", "thesaurus.ttl", "--out", "o", "--labels-format", "obo", *FAST),
          "the label space is empty")  # fmt: skip


def test_labels_are_shown(corpus):
    (corpus / "thesaurus.ttl").write_text(THESAURUS)
    done = futex("labels", "thesaurus.ttl", "--papers", "papers.jsonl")
    assert done.returncode == 0
    for line in ("Labels found in the papers  2", "Broader labels that are not there: 1", "[IT]  (u:it)", "Mice  50%"):
        assert line in done.stdout
    made = json.loads(futex("labels", "thesaurus.ttl", "--language", "de", "--json").stdout)
    assert (made["labels"], made["names"], made["missing_broader"]) == (3, 3, ["u:cancer"])
    text = ["Nowhere but in the middle of this text does it say lung cancers, in the plural."]
    (corpus / "one.jsonl").write_text(json.dumps({"id": "one", "abstract": "Nothing.", "paragraphs": text}))
    assert "Lung cancer  100%" in futex("labels", "thesaurus.ttl", "--papers", "one.jsonl").stdout
    found = json.loads(futex("inspect", "one.jsonl", "--labels", "thesaurus.ttl", "--json").stdout)
    assert found["papers_with_candidates"] == 1.0
    fails(futex("labels", "thesaurus.ttl", "--format", "docx"), "unknown format of labels 'docx'")
    fails(futex("labels", "thesaurus.ttl", "--limit", "5"), "--limit is for the papers of --papers")


def test_results_in_other_formats(corpus):
    assert run("--also", "trec", "--also", "annif").returncode == 0
    while_running = (corpus / "out/predictions.trec").read_bytes()
    assert len(list((corpus / "out/predictions.annif").iterdir())) == 12
    assert futex("export", "out", "--as", "trec", "--out", "exported").returncode == 0
    assert (corpus / "exported").read_bytes() == while_running
    assert futex("export", "gold.jsonl", "--as", "qrels", "--out", "qrels").returncode == 0
    assert (corpus / "qrels").read_text().splitlines()[0] == "d0 0 L3 1"
    assert futex("export", "out/predictions.jsonl", "--as", "csv", "--out", "table.csv").returncode == 0
    assert futex("export", "out", "--as", "trec", "--out", "-").stdout.encode() == while_running
    fails(futex("export", "out", "--as", "annif", "--out", "-"), "this format is a folder of files")
    fails(futex("export", "out", "--as", "docx", "--out", "x"), "cannot write predictions as 'docx'")
    fails(futex("export", "nowhere", "--as", "csv", "--out", "x"), "no such file: nowhere")
    fails(run("--also", "docx"), "cannot write predictions as 'docx'")
    assert "of an earlier run" not in run("--also", "trec", "--also", "annif").stderr
    later = run("--also", "annif")
    assert "predictions.trec is of an earlier run, and stays as it is" in " ".join(later.stderr.split())
    assert later.stderr.count("of an earlier run") == 1
    assert (corpus / "out/predictions.trec").read_bytes() == while_running
    assert not (corpus / "x.part").exists()


JATS = """<article><front><article-meta>
<article-id pub-id-type="doi">10.1234/X</article-id>
<article-categories><subj-group subj-group-type="Discipline-v3"><subject>Biology</subject>
<subj-group><subject>Mouse models</subject></subj-group></subj-group></article-categories>
<title-group><article-title>On mice</article-title></title-group>
<abstract><p>Mouse models of lung cancer.</p></abstract></article-meta></front>
<body><sec><title>Intro</title><p>One two three four five six seven eight nine ten.</p></sec></body></article>"""


def test_jats_in_labels_and_gold_out(corpus):
    (corpus / "jats").mkdir()
    (corpus / "jats/a.xml").write_text(JATS)
    (corpus / "jats/broken.xml").write_text(JATS[:300])
    done = futex("convert", "jats", "--papers", "p.jsonl", "--labels", "l.jsonl", "--gold", "g.jsonl")
    assert done.returncode == 0
    assert "skipped: jats/broken.xml" in done.stderr
    assert [json.loads(line)["id"] for line in (corpus / "p.jsonl").read_text().splitlines()] == ["10.1234/x"]
    labels = [json.loads(line) for line in (corpus / "l.jsonl").read_text().splitlines()]
    assert [(label["name"], label["broader"]) for label in labels] == [("Biology", []), ("Mouse models", ["Biology"])]
    assert json.loads((corpus / "g.jsonl").read_text()) == {"id": "10.1234/x", "labels": ["Mouse models"]}


def test_papers_without_terms_give_no_empty_gold(corpus):
    for option, made in (("--gold", "gold"), ("--labels", "label space")):
        done = futex("convert", "papers.jsonl", "--papers", "p.jsonl", option, "made.jsonl", "--terms", "both")
        fails(done, f"the documents carry no subject terms or keywords, so there is no {made} to make of them")
        assert (corpus / "p.jsonl").read_text() == (corpus / "papers.jsonl").read_text()
        assert not (corpus / "made.jsonl").exists()


BOMB = '<?xml version="1.0"?><!DOCTYPE article [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><article>&b;</article>'
EXTERNAL = '<!DOCTYPE article [<!ENTITY x SYSTEM "file:///etc/passwd">]><article>&x;</article>'


def test_a_damaged_file_is_skipped_and_counted_unless_strict(corpus):
    folder = corpus / "folder"
    folder.mkdir()
    (corpus / "papers.jsonl").rename(folder / "papers.jsonl")
    (folder / "bad.xml").write_text("<article><front>")
    convert = ["convert", "folder", "--papers", "out.jsonl", "--quiet"]
    done = futex(*convert)
    assert done.returncode == 0
    assert "skipped: folder/bad.xml: not well-formed XML" in done.stderr
    assert "1 skipped in all" in done.stderr
    assert "converted" not in done.stderr  # --quiet
    for command in (convert, ["inspect", "folder"], ["run", "folder", "--labels", "labels.jsonl", "--out", "o", *FAST]):
        fails(futex(*command, "--strict"), "folder/bad.xml: not well-formed XML")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("none.jsonl", None, "no such file: none.jsonl"),
        ("empty.jsonl", b"", "empty.jsonl is empty"),
        ("cut.xz", lzma.compress(b'{"id": "a", "abstract": "x"}\n' * 9000)[:80], "cut.xz is damaged"),
        ("bad.jsonl", b'{"id": "a", "abstract": "x"}\n{"id"', "bad.jsonl, line 2: broken JSON"),
        ("twice.jsonl", b'{"id": "a", "abstract": "x"}\n' * 2, "two papers share the id 'a'"),
        ("nothing.jsonl", b'{"id": "a", "title": "x"}\n', "no paper found"),
        ("not.xml", b"<article><front>", "not.xml"),
        ("page.xml", b"<html><body>hello</body></html>", "page.xml: format not recognised"),
        ("bomb.xml", BOMB.encode(), "declares XML entities"),
        ("external.xml", EXTERNAL.encode(), "declares XML entities"),
    ],
)
def test_bad_papers(corpus, name, content, message):
    if content is not None:
        (corpus / name).write_bytes(content)
    fails(futex("run", name, "--labels", "labels.jsonl", "--out", "out", *FAST), message)
    assert not (corpus / "out").exists()
    fails(futex("convert", name, "--papers", "converted.jsonl"), message)
    assert not (corpus / "converted.jsonl").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the label space is empty"),
        ('{"id": "x"}\n', "line 1: label 'x' has no \"name\""),
        ('{"id": "x", "name": "a"}\n{"id": "x", "name": "b"}\n', "two labels share the id 'x'"),
        ('{"id": "x", "name"', "line 1: broken JSON"),
        (None, "no such file"),
    ],
)
def test_bad_labels(corpus, content, message):
    (corpus / "labels.jsonl").unlink()
    if content is not None:
        (corpus / "labels.jsonl").write_text(content)
    fails(run(), message)


def test_papers_without_abstract_or_body_still_work(corpus, papers):
    records = [as_record(paper) for paper in papers]
    records[0]["abstract"] = ""
    records[1]["sections"] = []
    records[2] |= {"abstract": "", "sections": []}
    (corpus / "papers.jsonl").write_text("\n".join(map(json.dumps, records)))
    done = run()
    assert done.returncode == 0
    assert "skipped: paper d2: neither abstract nor body text" in done.stderr
    assert "1 skipped in all" in done.stderr
    predicted = {line["paper"]: line["labels"] for line in map(json.loads, (corpus / "out/predictions.jsonl").open())}
    assert predicted["d0"]
    assert predicted["d1"]
    assert "d2" not in predicted


def test_gold_that_names_unknown_papers_or_labels(corpus):
    run()
    with (corpus / "gold.jsonl").open("a") as gold:
        gold.write('{"id": "stranger", "labels": ["L1"]}\n')
    fails(futex("eval", "out", "--gold", "gold.jsonl"), "the first 'stranger'")
    assert futex("eval", "out", "--gold", "gold.jsonl", "--ignore-unknown").returncode == 0
    (corpus / "gold.jsonl").write_text('{"id": "d1", "labels": ["nonsense"]}\n')
    fails(futex("eval", "out", "--gold", "gold.jsonl"), "the first 'nonsense'")
    fails(futex("inspect", "papers.jsonl", "--labels", "labels.jsonl", "--gold", "gold.jsonl"), "'nonsense'")


def test_a_limited_run_is_evaluated_on_its_own_papers(corpus):
    assert run("--limit", "5").returncode == 0
    done = futex("eval", "out", "--gold", "gold.jsonl", "--json")
    assert json.loads(done.stdout)["papers"] == 5


@pytest.mark.parametrize("config", [b"[]", b"{", b"\xff", b"[" * 100_000])
def test_a_strangers_config_beside_the_predictions_says_nothing(corpus, config):
    run()
    (corpus / "out/config.json").write_bytes(config)
    assert futex("eval", "out", "--gold", "gold.jsonl").returncode == 0


def test_out_folders_that_cannot_be_written(corpus):
    (corpus / "out").write_text("a file is in the way")
    fails(run(), "cannot write to out")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_out_folders_without_permission(corpus):
    (corpus / "closed").mkdir(mode=stat.S_IRUSR | stat.S_IXUSR)
    fails(futex("run", "papers.jsonl", "--labels", "labels.jsonl", "--out", "closed/out", *FAST), "cannot write to")


def test_an_error_is_one_line_and_names_the_file_as_it_is_called(corpus):
    fails(futex("labels", "two  blanks.jsonl"), "no such file: two  blanks.jsonl")
    (corpus / "line\nbreak/shards/manifest.json").mkdir(parents=True)
    fails(futex("status", "line\nbreak"), "Is a directory: line\ufffdbreak/shards/manifest.json")


def test_bad_models(corpus):
    fails(futex("suggest", "nowhere", "papers.jsonl"), "no such model folder")
    run()
    (corpus / "out/model/parabel.npz").unlink()
    fails(futex("suggest", "out/model", "papers.jsonl"), "parabel.npz is missing")


def test_an_adapted_model_takes_no_strangers_place(corpus):
    (corpus / "precious").mkdir()
    (corpus / "precious/thesis.docx").touch()
    adapt = ("adapt", "nowhere", "papers.jsonl", "--gold", "gold.jsonl", "--out")
    for target in ("precious", ".", "gold.jsonl"):
        fails(futex(*adapt, target), f"{target} is there and is no model")


def test_help_teaches(corpus):
    for command in ("run", "status", "suggest", "eval", "convert", "inspect", "labels", "export"):
        done = futex(command, "--help")
        assert done.returncode == 0
        assert "Usage" in done.stdout
    assert futex("--version").stdout.startswith("futex ")


def test_help_names_every_format():
    from futex.cli.options import LABEL_FORMATS, PAPER_FORMATS, RESULT_FORMATS
    from futex.corpus import reading
    from futex.labels import store
    from futex.results import writing

    for text, formats in ((PAPER_FORMATS, reading.FORMATS), (LABEL_FORMATS, store.FORMATS)):
        assert text.replace(" or ", ", ").split(", ") == list(formats)
    assert set(RESULT_FORMATS.replace(" or ", ", ").split(", ")) == set(writing.FORMATS) - {"jsonl"}

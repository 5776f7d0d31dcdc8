"""Predictions as other tools read them: every file is read back by the tool it is meant for."""

import csv
import gzip
import json
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

import ir_measures
import numpy as np
import pyarrow.parquet as pq
import pyoxigraph
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import P, nDCG
from rdflib import RDF, Graph
from rdflib.namespace import DCTERMS

from futex.errors import InputError
from futex.evaluation.gold import Gold
from futex.evaluation.metrics import evaluate
from futex.evaluation.predictions import Prediction, predictions_in, read_predictions
from futex.results import annif, parquet, rdf, trec
from futex.results import csv as comma_separated
from futex.results.writing import FORMATS, write_predictions


def label(id: str, score: float, name: str = "") -> dict:
    return {"id": id, "name": name or f"name of {id}", "score": score, "source": "matching", "evidence": []}


PREDICTIONS: list[Prediction] = [
    {"paper": "10.1371/journal.x.1", "labels": [label("u:a", 0.75, "Cats, Domestic"), label("u:b", 0.5)]},
    {"paper": "a paper", "labels": [label("Lung cancer", 0.25, "Lung\n cancer")]},
    {"paper": "nothing", "labels": []},
]


def written(tmp_path: Path, format: str, predictions: list[Prediction] = PREDICTIONS) -> Path:
    path = tmp_path / f"result{FORMATS[format].suffix}"
    write_predictions(predictions, {format: path})
    assert list(tmp_path.iterdir()) == [path]
    return path


# --- TREC


def test_trec_lines(tmp_path):
    assert written(tmp_path, "trec").read_text() == (
        "10.1371/journal.x.1 Q0 u:a 1 0.75 futex\n"
        "10.1371/journal.x.1 Q0 u:b 2 0.5 futex\n"
        "a%20paper Q0 Lung%20cancer 1 0.25 futex\n"
    )


def test_qrels_lines(tmp_path):
    trec.write_qrels(Gold({"a paper": ["B\tb", "A"], "p": [], "q": ["C"]}), tmp_path / "qrels")
    assert (tmp_path / "qrels").read_text() == "a%20paper 0 A 1\na%20paper 0 B%09b 1\nq 0 C 1\n"


@pytest.mark.parametrize(
    "scores", [[0.5] * 5, [1e-9, 0.0, 0.0, -1e-9], [0.1 + 1e-9, 0.1, 0.1], [1e300, 1e300, 1], [0, -0.0]]
)
def test_scores_fall_strictly_even_in_single_precision_but_stay_close(scores):
    lines = trec.run_lines({"paper": "p", "labels": [label(str(i), score) for i, score in enumerate(scores)]})
    shown = [np.float32(line.split()[4]) for line in lines.splitlines()]
    assert all(a > b for a, b in pairwise(shown))
    assert shown == pytest.approx([min(score, 3.4028235e38) for score in scores], rel=1e-5, abs=1e-8)


IDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)
RANKINGS = st.dictionaries(IDS, st.lists(IDS, unique=True, max_size=8), min_size=1, max_size=5)


def assert_measures_agree(folder, rankings, truth, scores):
    gold = Gold({paper: labels for paper, labels in truth.items() if labels})
    predictions = [
        {"paper": paper, "labels": [label(id, score) for id, score in zip(ids, scores, strict=False)]}
        for paper, ids in rankings.items()
    ]
    write_predictions(predictions, {"trec": folder / "run", "jsonl": folder / "predictions.jsonl"})
    trec.write_qrels(gold, folder / "qrels")
    theirs = ir_measures.calc_aggregate(
        [P @ 1, P @ 5, nDCG @ 5],
        list(ir_measures.read_trec_qrels(str(folder / "qrels"))),
        list(ir_measures.read_trec_run(str(folder / "run"))),
    )
    ours = evaluate(read_predictions(folder / "predictions.jsonl"), gold)
    assert theirs == pytest.approx({P @ 1: ours.mean("P@1"), P @ 5: ours.mean("P@5"), nDCG @ 5: ours.mean("NDCG@5")})


@settings(max_examples=40)
@given(RANKINGS, st.data())
def test_ir_measures_agrees_with_us_on_any_ids_and_any_ties(tmp_path_factory, rankings, data):
    truth = {paper: data.draw(st.lists(st.sampled_from([*ids, "x"]))) for paper, ids in rankings.items()}
    truth[next(iter(truth))].append("x")
    scores = sorted(data.draw(st.lists(st.sampled_from([0.1, 0.2, 0.3]), min_size=8, max_size=8)), reverse=True)
    assert_measures_agree(tmp_path_factory.mktemp("trec"), rankings, truth, scores)


# --- tables


def test_csv(tmp_path):
    with written(tmp_path, "csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0] == {
        "paper": "10.1371/journal.x.1",
        "rank": "1",
        "label": "u:a",
        "name": "Cats, Domestic",
        "score": "0.75",
        "source": "matching",
        "applies": "",
    }
    assert [(row["paper"], row["rank"], row["label"]) for row in rows[1:]] == [
        ("10.1371/journal.x.1", "2", "u:b"),
        ("a paper", "1", "Lung cancer"),
    ]


def test_parquet_holds_the_same_table(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "GROUP", 2)
    table = pq.read_table(written(tmp_path, "parquet"))
    assert table.schema.names == ["paper", "rank", "label", "name", "score", "source", "applies"]
    assert table.column("label").to_pylist() == ["u:a", "u:b", "Lung cancer"]
    assert table.column("rank").to_pylist() == [1, 2, 1]
    assert pq.ParquetFile(tmp_path / "result.parquet").num_row_groups == 2


def test_files_are_compressed_as_their_extension_says(tmp_path):
    write_predictions(PREDICTIONS, {"csv": tmp_path / "r.csv.gz"})
    assert gzip.decompress((tmp_path / "r.csv.gz").read_bytes()).startswith(
        b"paper,rank,label,name,score,source,applies\n"
    )


# --- labels below the cut-off

SOME_APPLY: list[Prediction] = [
    {"paper": "p", "labels": [label("u:a", 0.75) | {"applies": True}, label("u:b", 0.01) | {"applies": False}]}
]


def test_tables_say_what_applies(tmp_path):
    write_predictions(SOME_APPLY + PREDICTIONS[1:2], {"csv": tmp_path / "csv", "parquet": tmp_path / "parquet"})
    assert pq.read_table(tmp_path / "parquet").column("applies").to_pylist() == [True, False, None]
    with (tmp_path / "csv").open(newline="") as file:
        assert [row["applies"] for row in csv.DictReader(file)] == ["True", "False", ""]


@pytest.mark.parametrize(("format", "file"), [("annif", "p.tsv"), ("annif-key", "p.key"), ("rdf", "")])
def test_formats_that_cannot_say_it_leave_out_what_does_not_apply(tmp_path, format, file):
    text = (written(tmp_path, format, SOME_APPLY) / file).read_text()
    assert "a" in text
    assert "u:b" not in text
    assert "u%3Ab" not in text


# --- RDF


def test_rdf_in_two_libraries(tmp_path):
    path = written(tmp_path, "rdf")
    graph = Graph().parse(path, format="nt")
    subjects = {(str(paper), str(subject)) for paper, subject in graph.subject_objects(DCTERMS.subject)}
    assert subjects == {
        ("https://doi.org/10.1371/journal.x.1", "urn:x-futex:label:u%3Aa"),
        ("https://doi.org/10.1371/journal.x.1", "urn:x-futex:label:u%3Ab"),
        ("urn:x-futex:paper:a%20paper", "urn:x-futex:label:Lung%20cancer"),
    }
    scored = graph.query("""SELECT ?label ?score {
        ?s a rdf:Statement ; rdf:subject <https://doi.org/10.1371/journal.x.1> ; rdf:predicate dcterms:subject ;
           rdf:object ?label ; rdf:value ?score } ORDER BY DESC(?score)""")
    assert [float(row.score) for row in scored] == [0.75, 0.5]
    assert len(list(graph.subjects(RDF.type, RDF.Statement))) == 3
    assert len(list(pyoxigraph.parse(path=path, format=pyoxigraph.RdfFormat.N_TRIPLES))) == len(graph)


@pytest.mark.parametrize(
    ("identifier", "expected"),
    [
        ("http://id.nlm.nih.gov/mesh/D001249", "http://id.nlm.nih.gov/mesh/D001249"),
        ("https://a.org/caf%C3%A9", "https://a.org/caf%C3%A9"),
        ("urn:isbn:1", "urn:isbn:1"),
        ("10.1000/(a)<b>", "https://doi.org/10.1000/(a)%3Cb%3E"),
        ("D001249", "urn:x-futex:label:D001249"),
        ("GO:0008150", "urn:x-futex:label:GO%3A0008150"),
        ("http://a b", "urn:x-futex:label:http%3A%2F%2Fa%20b"),
        ('http://a.org/> <b:b> "x', "urn:x-futex:label:http%3A%2F%2Fa.org%2F%3E%20%3Cb%3Ab%3E%20%22x"),
    ],
)
def test_uris(identifier, expected):
    assert rdf.uri(identifier, "label").value == expected


# --- Annif


def test_annif_has_a_file_for_each_paper(tmp_path):
    folder = written(tmp_path, "annif")
    assert {path.name: path.read_text() for path in folder.iterdir()} == {
        "10.1371%2Fjournal.x.1.tsv": "<u:a>\tCats, Domestic\t0.75\n<u:b>\tname of u:b\t0.5\n",
        "a%20paper.tsv": "<Lung%20cancer>\tLung cancer\t0.25\n",
        "nothing.tsv": "",
    }


def test_annif_keys(tmp_path):
    assert (written(tmp_path, "annif-key") / "a%20paper.key").read_text() == "Lung cancer\n"


def test_an_older_folder_is_replaced_but_never_one_with_other_files(tmp_path):
    folder = written(tmp_path, "annif")
    write_predictions(PREDICTIONS[:1], {"annif": folder})
    assert [path.name for path in folder.iterdir()] == ["10.1371%2Fjournal.x.1.tsv"]
    (folder / "thesis.docx").touch()
    with pytest.raises(InputError, match="holds other files than"):
        write_predictions(PREDICTIONS, {"annif": folder})
    assert (folder / "thesis.docx").exists()


@pytest.mark.parametrize(
    "paper", ["../../etc/passwd", "/etc/passwd", "..", ".", "a\x00b", "C:\\x", "~root", "-rf", "a/b", ".x"]
)
def test_ids_cannot_lead_out_of_the_folder(paper):
    name = annif.file_name(paper)
    assert set(name).isdisjoint('/\\:\x00~ *?"<>|')
    assert not name.startswith(".")
    assert unquote(name) == paper


@given(st.lists(IDS | st.text("aA", min_size=1, max_size=2) | st.just("x" * 999), unique=True, max_size=8))
def test_every_paper_has_a_file_of_its_own_whatever_its_id(tmp_path_factory, papers):
    folder = tmp_path_factory.mktemp("annif")
    write_predictions([{"paper": paper, "labels": []} for paper in papers], {"annif": folder / "out"})
    names = [path.name for path in (folder / "out").iterdir()]
    assert len({name.casefold() for name in names}) == len(papers)
    assert all(len(name.encode()) < 255 for name in names)


# --- written while it runs


def test_lines_can_be_read_while_more_are_coming_and_survive_a_crash(tmp_path):
    paths = {format: tmp_path / f"r{FORMATS[format].suffix}" for format in FORMATS}
    seen = {}

    def predictions():
        yield PREDICTIONS[0]
        seen.update({format: path.with_name(path.name + ".part") for format, path in paths.items()})
        for format in ("jsonl", "trec", "csv", "rdf"):
            assert "10.1371/journal.x.1" in seen[format].read_text()
            assert seen[format].read_text().endswith("\n")
        assert (seen["annif"] / "10.1371%2Fjournal.x.1.tsv").read_text().endswith("0.5\n")
        raise MemoryError

    with pytest.raises(MemoryError):
        write_predictions(predictions(), paths)
    assert not any(path.exists() for path in paths.values())
    assert json.loads(seen["jsonl"].read_text()) == PREDICTIONS[0]
    write_predictions(PREDICTIONS, paths)
    assert all(path.exists() for path in paths.values())
    assert not any(part.exists() for part in seen.values())


def test_the_first_file_is_complete_last(tmp_path, monkeypatch):
    renamed = []
    replace = Path.replace
    monkeypatch.setattr(Path, "replace", lambda self, target: (renamed.append(target.name), replace(self, target))[1])
    write_predictions(PREDICTIONS, {"jsonl": tmp_path / "a", "trec": tmp_path / "b", "csv": tmp_path / "c"})
    assert renamed == ["c", "b", "a"]


def test_wrong_input_leaves_nothing_behind(tmp_path):
    (tmp_path / "in.jsonl").write_text('{"paper": "a", "labels": []}\n{"paper"')
    for format in FORMATS:
        with pytest.raises(InputError, match="line 2: broken JSON"):
            write_predictions(predictions_in(tmp_path / "in.jsonl"), {format: tmp_path / "out"})
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


def test_unknown_formats_and_places_that_cannot_be_written(tmp_path):
    with pytest.raises(InputError, match="cannot write predictions as 'docx': choose one of jsonl, trec, csv"):
        write_predictions([], {"docx": tmp_path / "x"})
    (tmp_path / "file").touch()
    for format in FORMATS:
        with pytest.raises(InputError, match="cannot write"):
            write_predictions([], {format: tmp_path / "file" / "x"})


def test_a_folder_is_no_place_for_a_file_even_if_it_is_this_one(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    (tmp_path / "here/thesis.docx").touch()
    monkeypatch.chdir(tmp_path / "here")
    for format in FORMATS:
        with pytest.raises(InputError, match=r"cannot write .*here: |here holds other files"):
            write_predictions(PREDICTIONS, {format: Path()})
    assert [path.name for path in Path().iterdir()] == ["thesis.docx"]


# --- predictions read back


def test_predictions_come_back_as_they_were(tmp_path):
    assert list(predictions_in(written(tmp_path, "jsonl"))) == PREDICTIONS


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"labels": []}', "not a prediction"),
        ('{"paper": "a", "labels": ["x"]}', "not a prediction"),
        ('{"paper": "a", "labels": [{"score": 1}]}', 'a label without an "id"'),
        ('{"paper": "a", "labels": [{"id": "x", "score": NaN}]}', "a score must be a number, not 'nan'"),
        ('{"paper": "a", "labels": [{"id": "x", "score": "1"}]}', "a score must be a number, not '1'"),
        ('{"paper": "a", "labels": [{"id": "x", "score": 1' + "0" * 400 + "}]}", "a score must be a number"),
        ('{"paper": "a", "labels": []}\n{"paper": "a", "labels": []}', "line 2: paper 'a' stands here twice"),
        ("", "no predictions in it"),
    ],
)
def test_bad_predictions(tmp_path, line, message):
    (tmp_path / "p.jsonl").write_text(line)
    with pytest.raises(InputError) as refused:
        list(predictions_in(tmp_path / "p.jsonl"))
    assert message in str(refused.value)


def test_csv_quotes_what_would_break_a_row():
    line = comma_separated.csv_lines({"paper": 'a"b', "labels": [label("x\ny", 1.0, "c,d")]})
    assert line == '"a""b",1,"x\ny","c,d",1.0,matching,\n'

"""What Figure 6 calls the time of training, and the time a paper takes."""

from types import SimpleNamespace

from futex.candidates import Matcher
from futex.experiments import jobs, timing, units
from futex.experiments.jobs import Job, Outcome
from futex.experiments.lab import Lab
from futex.experiments.plans import Plan, Profile
from futex.experiments.units import Units
from futex.plm.checkpoints import load_plm
from futex.ranking import Ranking

ROWS = [{"method": "specter", "title": "SPECTER"}, {"method": "lexical", "title": "Lexical"}]


def test_the_time_is_shared_out_among_the_papers_that_the_method_ranked(folder, corpus, monkeypatch):
    """Ten milliseconds a paper, whether thirty are ranked or, as the profile says, ten."""

    def perform(job, corpus, cache):
        return Outcome({paper.id: Ranking() for paper in corpus.papers}, 0.0, 0.01 * len(corpus.papers))

    monkeypatch.setattr(units, "perform", perform)
    lab = Lab(corpus, Units(folder / "units", folder / "cache"), "fake", Profile("few", papers_of={"lexical": 10}))
    table = timing.measure(Plan("figure6", "", "", "timing", {"training": [], "rows": ROWS}), lab).table
    assert [round(row.cells[1].number, 6) for row in table.rows] == [10.0, 10.0]
    assert [row.remark for row in table.rows] == ["", "on 10 papers only"]


def test_loading_the_plm_and_the_names_is_timed_alike_for_all(corpus, tmp_path, monkeypatch):
    """By a clock that only loading moves, seven seconds for a PLM and five for the names: the PLM belongs to training,
    and the names to neither."""
    clock = [0.0]

    def taking(seconds, work):
        def slowly(*things, **more):
            clock[0] += seconds
            return work(*things, **more)

        return slowly

    monkeypatch.setattr(jobs, "time", SimpleNamespace(perf_counter=lambda: clock[0]))
    for module in ("pipeline", "baselines.setting", "baselines.micol"):
        monkeypatch.setattr(f"futex.{module}.load_plm", taking(7.0, load_plm))
    for module in ("modules", "experiments.jobs"):
        monkeypatch.setattr(f"futex.{module}.Matcher", taking(5.0, Matcher))
    for method in ("futex", "micol", "specter"):
        outcome = jobs.perform(Job(method=method, plm="fake", triples=8, fresh=True), corpus, tmp_path)
        assert (method, outcome.training_seconds, outcome.ranking_seconds) == (method, 7.0, 0.0)
    assert clock == [3 * (7.0 + 5.0)]

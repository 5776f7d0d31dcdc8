"""What Figure 6 calls the time a paper takes."""

from futex.experiments import timing, units
from futex.experiments.jobs import Outcome
from futex.experiments.lab import Lab
from futex.experiments.plans import Plan, Profile
from futex.experiments.units import Units
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

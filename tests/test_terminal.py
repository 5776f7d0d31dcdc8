"""Progress where there is no terminal: a line every half minute."""

import logging

from futex import terminal


def _said(caplog, monkeypatch, total, done, steps):
    """The lines of a task that takes a minute a step."""
    clock = iter(range(0, 10_000, 60))
    monkeypatch.setattr(terminal.time, "monotonic", lambda: next(clock))
    with caplog.at_level(logging.INFO, "futex"), terminal._lines("Work", total, done) as advance:
        for _ in range(steps):
            advance(1, "well")
    return [record.getMessage() for record in caplog.records]


def test_what_an_earlier_run_did_does_not_shorten_the_time_that_is_left(caplog, monkeypatch):
    assert _said(caplog, monkeypatch, total=100, done=90, steps=2) == [
        "Work: 91 of 100, about 9 min left (well)",
        "Work: 92 of 100, about 8 min left (well)",
        "Work: 2 done in 3 min",
    ]


def test_without_a_total_it_says_how_far_it_is(caplog, monkeypatch):
    assert _said(caplog, monkeypatch, total=None, done=0, steps=1)[0] == "Work: 1 so far (well)"

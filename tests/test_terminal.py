"""Progress, also where there is no terminal: a line every half minute. Texts of strangers, wherever they are shown."""

import io
import logging

from rich.console import Console

from futex import terminal
from futex.cli.options import Skipped
from futex.corpus.paper import Paper
from futex.evaluation.cut_off import CutOff
from futex.evaluation.gold import Gold
from futex.evaluation.metrics import evaluate
from futex.evidence import Suggestion
from futex.ranking import Ranking


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


def test_a_task_within_another_is_shown_below_it(monkeypatch):
    """As the learning curve ranks while it learns; before rich 14.1 two bars at once were an error."""
    said = io.StringIO()
    monkeypatch.setattr(terminal, "err", Console(file=said, force_terminal=True, width=100))
    with terminal._bar("Learning", 2, 1) as advance:
        with terminal._bar("Ranking", 1, 0) as advance_ranking:
            advance_ranking(1)
        advance(1, "loss 0.5")
    assert "Learning" in said.getvalue()
    assert "Ranking" in said.getvalue()
    assert "loss 0.5" in said.getvalue()


EVIL = "d1\x1b[2J\nskipped: another [bold]"


def test_no_text_of_a_paper_commands_the_terminal_or_forges_a_line(capsys):
    pieces = (
        {"kind": "name", "name": EVIL, "where": [EVIL], "text": EVIL},
        {"kind": "words", "words": [{"word": EVIL, "share": 0.5}]},
    )
    terminal.show_suggestions(Paper(id=EVIL, title=EVIL), [Suggestion(EVIL, EVIL, 0.5, "matching", pieces)])
    Skipped()(f"paper {EVIL}: nothing to read")
    said = capsys.readouterr()
    assert "\x1b[2J" not in said.out + said.err
    assert not any(line.startswith("skipped: another") for line in (said.out + said.err).splitlines())
    assert said.out.count("[bold]") == 7


def test_colons_in_a_paper_stand_for_no_pictures(capsys):
    """rich would show `:dna:` and `:mouse:` as emojis, also within an id."""
    text = "sequence:dna:mouse: of the :brain:"
    pieces = ({"kind": "name", "name": ":mouse:", "where": [":dna:"], "text": text},)
    terminal.show_suggestions(Paper(id="urn:dna:1", title=text), [Suggestion("L1", ":brain:", 0.5, "matching", pieces)])
    said = capsys.readouterr().out
    assert said.splitlines()[0] == f"{text}  urn:dna:1"
    assert f"“:mouse:” in :dna:: {text}" in said
    assert "1. :brain:  0.500" in said


def test_each_metric_is_shown_with_its_interval(capsys):
    """Of 3,000 papers the first label of 900 is true."""
    gold = Gold({f"d{i}": ["A", "B"] for i in range(3000)})
    evaluation = evaluate({paper: Ranking.of({"A" if i < 900 else "X": 1.0}) for i, paper in enumerate(gold)}, gold)
    intervals = dict.fromkeys(evaluation.metrics, (0.25, 1.0))
    terminal.show_evaluation(evaluation, intervals, CutOff(1.5, 0.75, 0.5, 0.6, (0.25, 1.0)))
    *lines, last = [line.strip() for line in capsys.readouterr().out.splitlines() if line.strip()]
    assert lines[0] == "3,000 papers"
    assert lines[1].split() == ["metric", "mean", "95", "%", "interval"]
    assert lines[3].split() == ["P@1", "0.3000", "0.2500", "–", "1.0000"]
    assert [line.split()[0] for line in lines[3:]] == list(evaluation.metrics)
    assert last == "Labels that apply: 1.5 a paper, precision 0.7500, recall 0.5000, F1 0.6000 (0.2500 – 1.0000)"

"""Progress, also where there is no terminal: a line every half minute. Texts of strangers, wherever they are shown."""

import io
import logging

from rich.console import Console

from futex import terminal
from futex.cli.options import Skipped
from futex.corpus.paper import Paper
from futex.evidence import Suggestion


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

"""Excerpts of a paper: cut between words, and shown even where there is nothing between them."""

from futex.evidence import CONTEXT, EXCERPT, _around, _shortened


def test_excerpts_are_cut_between_words():
    assert _shortened("word " * 99) == "word " * (EXCERPT // 5 - 1) + "word…"
    text = "before " * 20 + "name" + " behind" * 20
    assert _around(text, 140, 144) == f"…{'before ' * (CONTEXT // 7)}name{' behind' * (CONTEXT // 7)}…"


def test_text_without_blanks_is_shown_too():
    assert _shortened("x" * 999) == "x" * EXCERPT + "…"
    assert _around("x" * 999, 500, 501) == f"…{'x' * CONTEXT}x{'x' * CONTEXT}…"

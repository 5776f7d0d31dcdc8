"""Excerpts of a paper: cut between words, and shown even where there is nothing between them."""

from futex.excerpts import around, beginning


def test_excerpts_are_cut_between_words():
    assert beginning("word " * 99, 240) == "word " * 47 + "word…"
    text = "before " * 20 + "name" + " behind" * 20
    assert around(text, 140, 144, 60) == f"…{'before ' * 8}name{' behind' * 8}…"


def test_text_without_blanks_is_shown_too():
    assert beginning("x" * 999, 240) == "x" * 240 + "…"
    assert around("x" * 999, 500, 501, 60) == f"…{'x' * 60}x{'x' * 60}…"


def test_what_fits_is_shown_whole():
    assert beginning("two words", 9) == "two words"
    assert around("a name there", 2, 6, 6) == "a name there"

"""Formulas that a format keeps apart from the text, as the words of a sentence."""

from futex.corpus.paper import squeeze

MAX_FORMULA = 80
"""Longer ones are set on lines of their own and no part of what a sentence says in words."""


def formula_text(latex: str) -> str:
    text = squeeze(latex)
    return text if len(text) <= MAX_FORMULA else ""

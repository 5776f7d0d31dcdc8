"""Singular and plural of English words count as one.

>>> singulars("studies of the mitotic stresses in cells and in mitosis")
'study of the mitotic stress in cell and in mitosis'
"""

from futex.labels.names import kept

_NO_PLURAL = ("ss", "us", "is")
_LONG_ENDING = ("sses", "shes", "ches", "xes", "zes")


def singulars(normal: str) -> str:
    """A text in normal form (see `labels.names`) with every word in the singular; the number of words stays."""
    return " ".join(map(singular, normal.split(" ")))


@kept
def singular(word: str) -> str:
    """By its ending; it need not be a word, as long as both forms give the same."""
    if len(word) <= 3 or not word.endswith("s") or word.endswith(_NO_PLURAL):
        return word
    if word.endswith("ies") and len(word) > 4 and word[-4] not in "ae":
        return word[:-3] + "y"
    return word[:-2] if word.endswith(_LONG_ENDING) else word[:-1]

"""The one normalisation of names and of text: a label's name appears in a paper if its normal form does (§3.1).

    >>> normal_form("Crohn’s Disease; NF-κB, Sjögren (C++)")
    'crohn disease | nf kappa b | sjogren | c++'

- A word is a run of letters and digits with their combining marks; invisible characters inside it do not count.
- Compatibility forms become plain ones (NFKC: ligatures, full width, superscripts), case is folded, accents go.
- A Greek letter is spelled out as a word of its own, so "TNFα", "TNF-α" and "TNF alpha" are alike; words in Greek
  (three Greek letters and more in a row) stay one word.
- Hyphens, dashes, slashes, apostrophes and other signs only separate words; a possessive "'s" disappears.
- A single Latin letter keeps "++" or "#": "C++", "C#".
- White space together with a mark of `BREAK_MARKS` is a break, written "|": no name matches across a sentence end or a
  list comma, unless the name itself has a break there. ' and ’ break nothing: they are apostrophes or primes
  ("patients’ rights", "5' end").
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple, TypeVar

T = TypeVar("T")

BREAK = "|"
BREAK_MARKS = '.,;:!?()[]{}"…“”„‟‘‚«»‹›．，；：！？（）［］｛｝＂。、' + BREAK

MAX_KEPT = 64
"""Characters of a word or gap of which it is kept what it comes to; what is longer was made to fill the memory."""

_APOSTROPHES = "'’ʼ‘`´′＇"
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_COMBINING = "".join(mark for mark in map(chr, range(0x10000)) if unicodedata.category(mark).startswith("M"))

_LETTER = r"[^\W_ʼ]"
# Not an apostrophe, + or #: what follows them may belong to the word.
_ENDS_PLAIN = re.escape("".join(sign for sign in map(chr, range(128)) if not sign.isalnum() and sign not in "'`+#"))
_PLAIN_WORD = rf"[A-Za-z0-9]++(?=[{_ENDS_PLAIN}]|\Z)"
_PLAIN = rf"{_PLAIN_WORD}(?:[ -]{_PLAIN_WORD})*+"
_SIGNED = r"[A-Za-zＡ-Ｚａ-ｚ](?:\+\+|＋＋|[#＃])"
_ANY = rf"{_LETTER}++(?:[{_COMBINING}{_INVISIBLE}]++{_LETTER}*+)*+"
_POSSESSIVE = rf"[{_APOSTROPHES}][sSſｓＳ](?!{_LETTER}|[{_COMBINING}{_INVISIBLE}])"
_WORDS = re.compile(rf"(?P<plain>{_PLAIN})|(?P<word>{_SIGNED}|{_ANY})(?:{_POSSESSIVE})?")
_BREAK_MARK = re.compile(f"[{re.escape(BREAK_MARKS)}]")
_SPACE = re.compile(r"\s")

_GREEK_RUN = re.compile("[α-ρσ-ω]+")  # without ς, which case folding turns into σ
_GREEK = """
    α alpha  β beta   γ gamma   δ delta  ε epsilon  ζ zeta
    η eta    θ theta  ι iota    κ kappa  λ lambda   μ mu
    ν nu     ξ xi     ο omicron π pi     ρ rho      σ sigma
    τ tau    υ upsilon  φ phi   χ chi    ψ psi      ω omega
"""
_GREEK_NAMES = dict(zip(_GREEK.split()[::2], _GREEK.split()[1::2], strict=True))

_INVERSION = re.compile(r",\s+")
_CONJUNCTION = re.compile(r"(?:^|\s)(?:and|or)\b", re.IGNORECASE)


def _kept(work: Callable[[str], T]) -> Callable[[str], T]:
    """Do it once for each of the short texts that come again and again."""
    kept = lru_cache(maxsize=1 << 16)(work)
    return lambda text: kept(text) if len(text) <= MAX_KEPT else work(text)


class Words(NamedTuple):
    """The words and breaks of a text in normal form, and where they stand in the text as it was given.

    A piece is a word, a break or, for speed, a stretch of plain words that is as long as its source.
    """

    pieces: list[str]
    starts: list[int]
    ends: list[int]

    @property
    def normal(self) -> str:
        return " ".join(self.pieces)

    def spans(self, ranges: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Where ranges of characters of `normal` stand in the text; a word whose form differs in length only whole.

        >>> list(words("Crohn's β-cells, too").spans([(0, 5), (6, 16)]))
        [(0, 5), (8, 15)]
        """
        begins, shifts = self._places()
        for start, end in ranges:
            first = bisect_right(begins, start) - 1
            last = first if end < begins[first + 1] else bisect_right(begins, end - 1) - 1
            shift, last_shift = shifts[first], shifts[last]
            yield (
                self.starts[first] if shift is None else start + shift,
                self.ends[last] if last_shift is None else end + last_shift,
            )

    def _places(self) -> tuple[list[int], list[int | None]]:
        """Where each piece begins in `normal`, and one more would; and how far from there it stands in the text."""
        begins, shifts = [0], []
        for piece, start, end in zip(self.pieces, self.starts, self.ends, strict=True):
            length = len(piece)
            shifts.append(start - begins[-1] if length == end - start else None)
            begins.append(begins[-1] + length + 1)
        return begins, shifts


def words(text: str) -> Words:
    """The words and breaks of a text.

    >>> words("For the Crohn's β-cells, too").pieces
    ['for the', 'crohn', 'beta', 'cells', '|', 'too']
    """
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    gap_start = 0
    for match in _WORDS.finditer(text):
        plain, word = match.groups()
        piece = plain.lower().replace("-", " ") if plain else _fold(word)
        if not piece:
            continue
        start, end = match.span(match.lastindex or 0)
        gap = text[gap_start:start]
        if gap != " " and pieces and _is_break(gap):
            pieces.append(BREAK)
            starts.append(gap_start)
            ends.append(start)
        pieces.append(piece)
        starts.append(start)
        ends.append(end)
        gap_start = match.end()
    return Words(pieces, starts, ends)


def normal_form(text: str) -> str:
    """The words and breaks of a text with single spaces between them."""
    return words(text).normal


def variants(name: str) -> tuple[str, ...]:
    """The normal forms under which a name is looked for.

    Thesauri invert names; papers write them in natural order or drop the comma. Enumerations are not inverted names.

    >>> variants("Diabetes Mellitus, Type 2")
    ('diabetes mellitus | type 2', 'type 2 diabetes mellitus', 'diabetes mellitus type 2')
    >>> variants("Boats, ships and trains")
    ('boats | ships and trains',)
    """
    spellings = [name]
    pieces = _INVERSION.split(name)
    if len(pieces) > 1 and not _is_enumeration(pieces):
        spellings += [" ".join(reversed(pieces)), " ".join(pieces)]
    return tuple(dict.fromkeys(filter(None, map(normal_form, spellings))))


def _is_enumeration(pieces: list[str]) -> bool:
    return any(map(_CONJUNCTION.match, pieces)) or _CONJUNCTION.search(pieces[-1]) is not None


@_kept
def _is_break(gap: str) -> bool:
    return _BREAK_MARK.search(gap) is not None and _SPACE.search(gap) is not None


@_kept
def _fold(word: str) -> str:
    """The normal form of one word: mostly one word, but "½" has two, and some letters leave nothing."""
    if word.isascii():
        return word.lower()
    plain = unicodedata.normalize("NFKC", word).casefold()
    bare = "".join(sign for sign in unicodedata.normalize("NFD", plain) if not _is_dropped(sign))
    latin = _GREEK_RUN.sub(_spell_out, unicodedata.normalize("NFKC", bare))
    return " ".join(match[match.lastindex or 0] for match in _WORDS.finditer(latin))


def _is_dropped(sign: str) -> bool:
    """Accents and points are; vowel signs, voicing marks, nuktas and viramas (classes 0 and 7–9) make other letters."""
    return unicodedata.combining(sign) not in (0, 7, 8, 9) or sign in _INVISIBLE


def _spell_out(greek: re.Match[str]) -> str:
    names = [_GREEK_NAMES[letter] for letter in greek[0]]
    return f" {' '.join(names)} " if len(names) <= 2 else "".join(names)

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
from typing import NamedTuple, TypeVar

T = TypeVar("T")

BREAK = "|"
BREAK_MARKS = '.,;:!?()[]{}"…“”„‟‘‚«»‹›．，；：！？（）［］｛｝＂。、' + BREAK

MAX_KEPT = 64
"""Characters of a word or of what is between words of which it is kept what it comes to; more was made to fill it."""
MOST_KEPT = 1 << 15
"""When so many are kept, it starts anew."""

_APOSTROPHES = "'’ʼ‘`´′＇"
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_COMBINING = "".join(mark for mark in map(chr, range(0x10000)) if unicodedata.category(mark).startswith("M"))

_LETTER = r"[^\W_ʼ]"
_SIGNED = r"[A-Za-zＡ-Ｚａ-ｚ](?:\+\+|＋＋|[#＃])"
_ANY = rf"{_LETTER}++(?:[{_COMBINING}{_INVISIBLE}]++{_LETTER}*+)*+"
_POSSESSIVE = rf"[{_APOSTROPHES}][sSſｓＳ](?!{_LETTER}|[{_COMBINING}{_INVISIBLE}])"
_WORD = re.compile(rf"({_SIGNED}|{_ANY})(?:{_POSSESSIVE})?")
_TOO_MANY_MARKS = re.compile(rf"([{_COMBINING}ﾞﾟ]{{30}})[{_COMBINING}ﾞﾟ]++")
"""On one letter: Unicode's own limit (UAX #15), as the time to put marks in order grows with the square of them."""

# A text between two spaces is stretches of plain words, which only need lower case, and what stands around them. A word
# is plain up to a sign that ends it for sure: what follows an apostrophe, + or # may belong to it.
_PLAIN = "A-Za-z0-9"
_END = re.escape("".join(sign for sign in map(chr, range(128)) if not sign.isalnum() and sign not in "'`+#"))
_REST = rf"[{_END}]++(?:[{_PLAIN}]*+[^{_END}{_PLAIN}][^{_END}]*+[{_END}]++)*+"
_PLAIN_WORD = rf"[{_PLAIN}]++(?=[{_END}])"
_STRETCHES = re.compile(rf"({_PLAIN_WORD}(?:[ -]{_PLAIN_WORD})*+)?({_REST})")
_STRETCHES_WITHOUT_WIDE_GAPS = re.compile(rf"([{_PLAIN} -]*[{_PLAIN}])?({_REST})")  # the same, but faster
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


class _Kept(dict[str, T]):
    def __init__(self, work: Callable[[str], T]) -> None:
        self._work = work

    def __missing__(self, text: str) -> T:
        result = self._work(text)
        if len(text) <= MAX_KEPT:
            if len(self) >= MOST_KEPT:
                self.clear()
            self[text] = result
        return result


def kept(work: Callable[[str], T]) -> Callable[[str], T]:
    """Do it once for each of the short texts that come again and again."""
    return _Kept(work).__getitem__


Place = tuple[int, int, int, int]
"""Where something begins in a normal text and how long it is there, and its start and end in the text as given."""


class Rest(NamedTuple):
    """What stands around plain words: gaps and words that are not plain."""

    normal: str
    places: tuple[Place, ...]
    """Of its words."""
    length: int


class Words:
    """The words and breaks of a text in normal form, and where they stand in the text as it was given.

    >>> words = Words("For the Crohn's β-cells, too")
    >>> words.normal
    'for the crohn beta cells | too'
    >>> list(words.spans([(8, 13), (14, 24)]))
    [(8, 13), (16, 23)]
    """

    def __init__(self, text: str) -> None:
        has_wide_gaps = "  " in text.replace("-", " ")
        stretches = _STRETCHES if has_wide_gaps else _STRETCHES_WITHOUT_WIDE_GAPS
        self._parts = [(plain, _read(rest)) for plain, rest in stretches.findall(f" {text} ")]
        self._spaced = "".join([plain.lower() + rest.normal for plain, rest in self._parts]).replace("-", " ")
        self.normal = self._spaced.strip(f" {BREAK}")

    def spans(self, ranges: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Where words of `normal`, given as ranges of its characters, stand in the text.

        A word whose form differs in length is there only as a whole.
        """
        places = self._places()
        begins = [begin for begin, _, _, _ in places]
        for first, behind in ranges:
            begin, length, start, end = places[bisect_right(begins, first) - 1]
            span_start = start + first - begin if length == end - start else start
            begin, length, start, end = places[bisect_right(begins, behind - 1) - 1]
            yield span_start, start + behind - begin if length == end - start else end

    def _places(self) -> list[Place]:
        """Of stretches of plain words, which are as long as they were, and of single other words."""
        places: list[Place] = []
        at, source = -self._spaced.index(self.normal), -1  # the text was read with a space before it
        for plain, rest in self._parts:
            length = len(plain)
            if plain:
                places.append((at, length, source, source + length))
                at += length
                source += length
            for begin, length, start, end in rest.places:
                places.append((at + begin, length, source + start, source + end))
            at += len(rest.normal)
            source += rest.length
        return places


def normal_form(text: str) -> str:
    """The words and breaks of a text with single spaces between them."""
    return Words(text).normal


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


@kept
def _read(rest: str) -> Rest:
    normal = ""
    places: list[Place] = []
    gap_start = 0
    for match in _WORD.finditer(rest):
        if form := _fold(match[1]):
            normal += _gap(rest[gap_start : match.start()])
            places.append((len(normal), len(form), *match.span(1)))
            normal += form
            gap_start = match.end()
    return Rest(normal + _gap(rest[gap_start:]), tuple(places), len(rest))


@kept
def _gap(gap: str) -> str:
    return f" {BREAK} " if _BREAK_MARK.search(gap) and _SPACE.search(gap) else " "


@kept
def _fold(word: str) -> str:
    """The normal form of one word: mostly one word, but "½" has two, and some letters leave nothing."""
    if word.isascii():
        return word.lower()
    plain = unicodedata.normalize("NFKC", _TOO_MANY_MARKS.sub(r"\1", word)).casefold()
    bare = "".join(sign for sign in unicodedata.normalize("NFD", plain) if not _is_dropped(sign))
    latin = _GREEK_RUN.sub(_spell_out, unicodedata.normalize("NFKC", bare))
    return " ".join(match[1] for match in _WORD.finditer(latin))


def _is_dropped(sign: str) -> bool:
    """Accents and points are; vowel signs, voicing marks, nuktas and viramas (classes 0 and 7–9) make other letters."""
    return unicodedata.combining(sign) not in (0, 7, 8, 9) or sign in _INVISIBLE


def _spell_out(greek: re.Match[str]) -> str:
    names = [_GREEK_NAMES[letter] for letter in greek[0]]
    return f" {' '.join(names)} " if len(names) <= 2 else "".join(names)

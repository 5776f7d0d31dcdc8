"""From a PDF file to the words on its pages, each with its place and its font.

PDFium decides where words end; we ask it for the ends of each word only, not for every character. It must not be called
from two threads at once; processes are fine.
"""

import ctypes
import math
import re
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import normalize

from futex.errors import DamagedPaper

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfTextPage

MAX_PAGES = 2_000
MAX_CHARACTERS = 4_000_000
"""Those of a book of a thousand pages, which take half a gigabyte of memory."""
MAX_SECONDS = 300
"""A file that keeps PDFium busy for longer was made to do so; looked at after each page."""

UNREADABLE = "\ufffd"

MIN_SIZE, MAX_PLACE = 1.0, 100_000.0
"""Points."""
MAX_ADVANCE = 1.5
"""Width of a character in heights of its font; damaged fonts claim much wider ones."""

_ENCRYPTED = (4, 5)  # FPDF_ERR_PASSWORD, FPDF_ERR_SECURITY
_LINE_END_HYPHEN = "\x02"  # what PDFium makes of it
_LIGATURES = {code: normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
_SPELLINGS = str.maketrans(_LIGATURES | {_LINE_END_HYPHEN: "-", "\u00ad": "-", "\u2010": "-", "\u2011": "-"})
_ACCENTS = {"¨": "\u0308", "´": "\u0301", "ˆ": "\u0302", "˜": "\u0303", "¸": "\u0327", "˚": "\u030a", "ˇ": "\u030c"}
_ACCENTED = re.compile(f"([{''.join(_ACCENTS)}])([A-Za-zı])")
_NUMBERS_AT_END = re.compile(r"\d+(?:[,–-]\d+)*(?=[.,;:)]*$)")


class Word(NamedTuple):
    """What stands between two spaces; `size` is the height of its font as printed."""

    text: str
    left: float
    right: float
    baseline: float
    size: float
    font: str


def pages(content: bytes, name: str) -> Iterator[list[Word]]:
    """The words of each page in the order in which the file draws them."""
    import pypdfium2

    deadline = time.monotonic() + MAX_SECONDS
    room = MAX_CHARACTERS
    try:
        with pypdfium2.PdfDocument(content) as pdf:
            if len(pdf) > MAX_PAGES:
                raise DamagedPaper(f"{name}: {len(pdf)} pages, more than {MAX_PAGES}; split it into papers")
            for index in range(len(pdf)):
                with _text_of_page(pdf, index) as text:
                    room -= text.count_chars()
                    if room < 0 or time.monotonic() > deadline:
                        raise DamagedPaper(f"{name}: too much text for a paper up to page {index + 1}; split it up")
                    yield _upright(_Text(text.raw, text.count_chars()))
    except pypdfium2.PdfiumError as error:
        if error.err_code in _ENCRYPTED:
            what = "protected by a password; remove it, e.g. qpdf --password=… --decrypt in.pdf out.pdf"
            raise DamagedPaper(f"{name}: {what}") from error
        raise DamagedPaper(f"{name}: not a readable PDF ({error}); fetch it again") from error


@contextmanager
def _text_of_page(pdf: "PdfDocument", index: int) -> "Iterator[PdfTextPage]":
    with closing(pdf[index]) as page, closing(page.get_textpage()) as text:
        yield text


def _upright(text: "_Text") -> list[Word]:
    """Words in the direction in which most of the page is written; stamps in the margin run in another."""
    directions = [(text.direction(start), start, end) for start, end in text.spans()]
    weights: Counter[int] = Counter()
    for direction, start, end in directions:
        if direction is not None:
            weights[direction] += end - start
    main = max(weights, key=lambda direction: weights[direction], default=0)
    words = (text.word(start, end, main) for direction, start, end in directions if direction == main)
    return [word for word in words if _is_visible(word)]


def _is_visible(word: Word) -> bool:
    """Damaged files have letters of no size, or at places that are no numbers."""
    places = (word.left, word.right, word.baseline)
    return word.size >= MIN_SIZE and all(abs(place) <= MAX_PLACE for place in places)  # which NaN is not


class _Text:
    """PDFium's view of a page: numbered characters that can be asked for their place and font."""

    def __init__(self, page: Any, count: int) -> None:
        import pypdfium2.raw

        self._raw: Any = pypdfium2.raw
        self._page = page
        code = self._raw.FPDFText_GetUnicode
        self._characters = [_character(code(page, index)) for index in range(count)]

    def spans(self) -> Iterator[tuple[int, int]]:
        """Start and end of each word; a hyphen at the end of a line ends one as well."""
        start = 0
        for index, character in enumerate([*self._characters, " "]):
            if character.isspace() or character == _LINE_END_HYPHEN:
                end = index if character.isspace() else index + 1
                if start < end:
                    yield start, end
                start = index + 1

    def direction(self, index: int) -> int | None:
        """Quarter turns from the horizontal, anticlockwise; None for what is askew."""
        clockwise = self._raw.FPDFText_GetCharAngle(self._page, index) / (math.pi / 2)
        return -round(clockwise) % 4 if abs(clockwise - round(clockwise)) < 0.02 else None

    def word(self, start: int, end: int, turns: int) -> Word:
        last = end - 1
        (x, y), first_box, last_box = self._origin(start), self._box(start), self._box(last)
        left, baseline = _turned(x, y, turns)
        edges = [_turned(*corner, turns)[0] for corner in (*first_box, *last_box)]
        spelt = "".join(self._characters[start:end])
        number = _NUMBERS_AT_END.search(spelt)
        if number and number.start() and self._is_raised(start, start + number.start(), turns):
            spelt = f"{spelt[: number.start()]} {spelt[number.start() :]}"
        size = self._size(start)
        right = min(max(edges), left + MAX_ADVANCE * size * len(spelt))
        return Word(_mended(spelt), left, right, baseline, size, self._font(start))

    def _is_raised(self, start: int, mark: int, turns: int) -> bool:
        rise = _turned(*self._origin(mark), turns)[1] - _turned(*self._origin(start), turns)[1]
        return rise > 0.1 * self._size(start) and self._size(mark) < 0.9 * self._size(start)

    def _origin(self, index: int) -> tuple[float, float]:
        x, y = ctypes.c_double(), ctypes.c_double()
        self._raw.FPDFText_GetCharOrigin(self._page, index, x, y)
        return x.value, y.value

    def _box(self, index: int) -> tuple[tuple[float, float], tuple[float, float]]:
        box = self._raw.FS_RECTF()
        self._raw.FPDFText_GetLooseCharBox(self._page, index, box)
        return (box.left, box.bottom), (box.right, box.top)

    def _size(self, index: int) -> float:
        matrix = self._raw.FS_MATRIX()
        self._raw.FPDFText_GetMatrix(self._page, index, matrix)
        size = self._raw.FPDFText_GetFontSize(self._page, index) * math.hypot(matrix.c, matrix.d)
        return round(float(size), 1)

    def _font(self, index: int) -> str:
        name, flags = ctypes.create_string_buffer(128), ctypes.c_int()
        self._raw.FPDFText_GetFontInfo(self._page, index, name, len(name), flags)
        return name.value.decode("utf-8", "replace")


def _character(code: int) -> str:
    """A glyph that the font does not tell the letter of comes as zero or another control character."""
    character = chr(code) if 0 < code < 0x110000 else UNREADABLE
    return character if code >= ord(" ") or character.isspace() or character == _LINE_END_HYPHEN else UNREADABLE


def _turned(x: float, y: float, turns: int) -> tuple[float, float]:
    """The point as seen by someone who holds the page so that the text is upright."""
    return ((x, y), (y, -x), (-x, -y), (-y, x))[turns]


def _mended(text: str) -> str:
    """Ligatures as letters, and accents that TeX draws as a character of their own on the letters they belong to."""
    if text.isascii() and _LINE_END_HYPHEN not in text:
        return text
    spelt = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").translate(_SPELLINGS)
    return _ACCENTED.sub(lambda match: normalize("NFC", match[2] + _ACCENTS[match[1]]), spelt)

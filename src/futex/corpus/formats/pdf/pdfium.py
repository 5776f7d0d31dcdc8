"""A program of its own: it reads a PDF from standard input and writes the words of each page, one page a line, as JSON.

PDFium is a large library in C++ that files from strangers are given to. In a process of its own, which may take only
so much memory, it can neither fill the machine's nor end ours. (It must not be used by two threads at once, either.)
Nothing of futex is imported here, so that it starts at once.

PDFium decides where words end; it is asked about the ends of each word only, not about every character.
"""

import ctypes
import json
import math
import re
import resource
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, suppress
from typing import Any

PASSWORD, UNREADABLE_FILE, TOO_MANY_PAGES, TOO_MUCH_TEXT = 3, 4, 5, 6
"""Exit codes. Whatever else is not zero: PDFium has crashed, or run out of memory."""

LINE_END_HYPHEN = "\x02"  # what PDFium makes of it
UNREADABLE = "\ufffd"
MIN_SIZE, MAX_PLACE = 1.0, 100_000.0
"""Points."""
MAX_ADVANCE = 1.5
"""Width of a character in heights of its font; damaged fonts claim much wider ones."""

PR_SET_PDEATHSIG = 1
"""From Linux's prctl.h."""

_NUMBERS_AT_END = re.compile(r"\d+(?:[,–-]\d+)*(?=[.,;:)]*$)")

Word = tuple[str, float, float, float, float, int]
"""Text, left, right, baseline, size, number of its font: what stands between two spaces."""


class Refused(Exception):
    """Carries one of the exit codes."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


def main(max_memory: int, max_pages: int, max_characters: int) -> None:
    _die_with_parent()
    _limit_memory(max_memory)
    try:
        for words in pages(sys.stdin.buffer.read(), max_pages, max_characters):
            print(json.dumps(words))
    except Refused as refused:
        sys.exit(refused.code)


def _die_with_parent() -> None:
    """Who started us keeps the time; if it is killed, nobody else would end a file that never does."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _limit_memory(size: int) -> None:
    for limit, most in ((resource.RLIMIT_AS, size), (resource.RLIMIT_CORE, 0)):
        with suppress(ValueError, OSError):  # macOS cannot, and whoever started us may have set a lower limit
            resource.setrlimit(limit, (most, most))


def pages(content: bytes, max_pages: int, max_characters: int) -> Iterator[list[Word]]:
    """The words of each page in the order in which the file draws them."""
    import pypdfium2
    import pypdfium2.raw

    fonts: dict[bytes, int] = {}
    try:
        with closing(pypdfium2.PdfDocument(content)) as pdf:
            if len(pdf) > max_pages:
                raise Refused(TOO_MANY_PAGES)
            for index in range(len(pdf)):
                with closing(pdf[index]) as page, closing(page.get_textpage()) as text:
                    count = text.count_chars()
                    max_characters -= count
                    if max_characters < 0:
                        raise Refused(TOO_MUCH_TEXT)
                    yield _upright(_Text(pypdfium2.raw, text.raw, count, fonts))
    except pypdfium2.PdfiumError as error:
        needs_password = error.err_code in (pypdfium2.raw.FPDF_ERR_PASSWORD, pypdfium2.raw.FPDF_ERR_SECURITY)
        raise Refused(PASSWORD if needs_password else UNREADABLE_FILE) from error


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
    _, left, right, baseline, size, _ = word
    places = (left, right, baseline)
    return size >= MIN_SIZE and all(abs(place) <= MAX_PLACE for place in places)  # which NaN is not


class _Text:
    """PDFium's view of a page: numbered characters that can be asked for their place and font."""

    def __init__(self, library: Any, page: Any, count: int, fonts: dict[bytes, int]) -> None:
        self._raw, self._page, self._fonts = library, page, fonts
        code = library.FPDFText_GetUnicode
        self._characters = [_character(code(page, index)) for index in range(count)]

    def spans(self) -> Iterator[tuple[int, int]]:
        """Start and end of each word; a hyphen at the end of a line ends one as well."""
        start = 0
        for index, character in enumerate([*self._characters, " "]):
            if character.isspace() or character == LINE_END_HYPHEN:
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
        return spelt, left, right, baseline, size, self._font(start)

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

    def _font(self, index: int) -> int:
        name, flags = ctypes.create_string_buffer(128), ctypes.c_int()
        self._raw.FPDFText_GetFontInfo(self._page, index, name, len(name), flags)
        return self._fonts.setdefault(name.value, len(self._fonts))


def _character(code: int) -> str:
    """A glyph that the font does not tell the letter of comes as zero or another control character."""
    character = chr(code) if 0 < code < 0x110000 else UNREADABLE
    return character if code >= ord(" ") or character.isspace() or character == LINE_END_HYPHEN else UNREADABLE


def _turned(x: float, y: float, turns: int) -> tuple[float, float]:
    """The point as seen by someone who holds the page so that the text is upright."""
    return ((x, y), (y, -x), (-x, -y), (-y, x))[turns]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

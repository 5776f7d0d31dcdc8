"""From a PDF file to the words on its pages, each with its place and its font."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import NamedTuple
from unicodedata import normalize

from futex.corpus.formats.pdf import pdfium
from futex.errors import DamagedPaper

MAX_PAGES = 2_000
MAX_CHARACTERS = 4_000_000
"""Those of a book of a thousand pages."""
MAX_MEMORY = 3 * 2**28
MAX_SECONDS = 120
"""What PDFium may take; a paper needs a second and a hundred megabytes."""

_LIGATURES = {code: normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}
_HYPHENS = dict.fromkeys((*pdfium.LINE_END_HYPHEN, "\u00ad", "\u2010", "\u2011"), "-")
_SPELLINGS = str.maketrans(_LIGATURES | _HYPHENS)
_ACCENTS = {"¨": "\u0308", "´": "\u0301", "ˆ": "\u0302", "˜": "\u0303", "¸": "\u0327", "˚": "\u030a", "ˇ": "\u030c"}
_ACCENTED = re.compile(f"([{''.join(_ACCENTS)}])([A-Za-zı])")


class Word(NamedTuple):
    """What stands between two spaces; `size` is the height of its font as printed.

    The number of a font tells that two are the same; names of fonts ("AdvTT86d47313") tell no more.
    """

    text: str
    left: float
    right: float
    baseline: float
    size: float
    font: int


def pages(content: bytes, name: str) -> Iterator[list[Word]]:
    """The words of each page in the order in which the file draws them."""
    for line in _output_of_pdfium(content, name).splitlines():
        yield [Word(mended(text), *rest) for text, *rest in json.loads(line)]


def _output_of_pdfium(content: bytes, name: str) -> bytes:
    program = [sys.executable, "-I", pdfium.__file__, *map(str, (MAX_MEMORY, MAX_PAGES, MAX_CHARACTERS))]
    try:
        ended = subprocess.run(program, input=content, capture_output=True, timeout=MAX_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise DamagedPaper(f"{name}: takes PDFium longer than {MAX_SECONDS} seconds; print it to a new PDF") from None
    if ended.returncode:
        raise DamagedPaper(f"{name}: {_REFUSALS.get(ended.returncode, _CRASHED)}")
    return ended.stdout


_REFUSALS = {
    pdfium.PASSWORD: "protected by a password; remove it, e.g. qpdf --password=… --decrypt in.pdf out.pdf",
    pdfium.UNREADABLE_FILE: "not a readable PDF; fetch it again",
    pdfium.TOO_MANY_PAGES: f"more than {MAX_PAGES} pages; split it into papers",
    pdfium.TOO_MUCH_TEXT: f"more than {MAX_CHARACTERS} characters; split it into papers",
}
_CRASHED = f"crashes PDFium, or needs more than {MAX_MEMORY >> 20} MiB of memory; print it to a new PDF"


def mended(text: str) -> str:
    """Ligatures as letters, and accents that TeX draws as a character of their own on the letters they belong to.

    >>> mended("o\ufb03ce"), mended("M¨uller")
    ('office', 'Müller')
    """
    if text.isascii() and pdfium.LINE_END_HYPHEN not in text:
        return text
    spelt = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").translate(_SPELLINGS)
    return _ACCENTED.sub(lambda match: normalize("NFC", match[2] + _ACCENTS[match[1]]), spelt)

"""The list of references, split into entries, and the key of the work that each one cites.

>>> cited("[3] A. Author and B. Other. Growth of bubbles in cold water. In Proc. of Tests, 2015.")
'title:growth of bubbles in cold water'
"""

import re
from collections.abc import Iterable, Sequence

from futex.corpus.formats.pdf.blocks import Block
from futex.corpus.formats.pdf.hyphenation import Hyphenation
from futex.corpus.formats.pdf.lines import Line
from futex.corpus.paper import distinct
from futex.corpus.references import doi_in, title_key

MAX_ENTRY = 2_000
"""Characters; a longer entry was not split from what follows it."""
HANGING = 0.5
"""How far the lines of an entry but the first are set in at least, in heights of the font."""
MIN_ENTRIES = 3
MIN_WITHOUT_HEADING = 10
MAX_MISSED = 2
"""So many numbers of a list may be missing before the next one is not taken for its continuation."""

_LABEL = re.compile(r"[\[(]?(\d{1,4})[\].)]{0,2}(?:\s|$)")
_QUOTED = re.compile(r"[“\"]([^“”\"]{15,300})[”\"]|‘‘?([^‘’]{15,300})’’?(?=[ ,.])")
_AUTHORS = (
    re.compile(  # Author, A. B., Other, C. & Third, D. (2015). Title. — or with semicolons, or without the year
        r"(?:[^\W\d_][^,.;:()]{0,30}, ?(?:-?[A-Z]\. ?)+(?:[,;] ?)?(?:& |and )?)+(?:et al\. ?)?"
        r"(?:\(?(?:1[89]|20)\d\d[a-z]?\)?[.,:]? )?"
    ),
    re.compile(r"[^().:]{3,400}(?: \((?:1[89]|20)\d\d[a-z]?\)[.:]?|\b[A-Z]{1,3}:) "),  # Author A, Other B (2015) Title.
)
"""Ways to write who wrote a work, each up to the start of its title."""
_INITIAL = re.compile(r"\b[A-Z]{1,3}\b|et al")
_YEAR = re.compile(r"\s*\(?(?:1[89]|20)\d\d[a-z]?\)?\.\s")
_STOP = re.compile(r"[.?!](?=\s|$)")
_INITIAL_BEFORE_NAME = re.compile(r"(?:^|[,;(&] ?|\band |\bet |(?<!\w)\w\.?[- ]?)(?<!\w)[^\W\d_]$")


def references(blocks: Sequence[Block], hyphenation: Hyphenation) -> tuple[str, ...]:
    """The keys of the works in a list of references, in order."""
    texts = (hyphenation.joined(line.text for line in entry) for entry in _entries(blocks))
    return tuple(distinct(map(cited, texts)))


def start_of_list(blocks: Sequence[Block]) -> int | None:
    """Where a list of references starts that has no heading: at a number one from which many others count on."""
    for place in range(len(blocks) - 1, -1, -1):
        label = _LABEL.match(blocks[place].text)
        if label and label[1] == "1":
            counted = _labels([line for block in blocks[place:] for line in block.lines])
            return place if len(counted) >= MIN_WITHOUT_HEADING else None
    return None


def cited(entry: str) -> str | None:
    """The work's DOI, else its title, if the entry is written in a way that tells which part that is."""
    label = _LABEL.match(entry)
    work = entry[label.end() if label else 0 : MAX_ENTRY]
    return doi_in(work) or title_key(_title(work))


def _title(entry: str) -> str:
    quoted = _QUOTED.search(entry)
    if quoted:
        return quoted[1] or quoted[2]
    start = _end_of_authors(entry)
    return entry[start : _end_of_sentence(entry, start)] if start else ""


def _end_of_authors(entry: str) -> int:
    for pattern in _AUTHORS:
        authors = pattern.match(entry)
        if authors and _INITIAL.search(authors[0]):
            return authors.end()
    end = _end_of_sentence(entry, 0) + 1  # A. Author and B. Other. 2015. Title.
    year = _YEAR.match(entry, end)
    if year:
        return year.end()
    return end if _INITIAL.search(entry, 0, end) else 0


def _end_of_sentence(text: str, start: int) -> int:
    """Where the first full stop is that is not that of an initial before a name; after one ("Author A.") it is."""
    stops = (match.start() for match in _STOP.finditer(text, start))
    return next((stop for stop in stops if not _INITIAL_BEFORE_NAME.search(text[max(stop - 8, 0) : stop])), len(text))


def _entries(blocks: Sequence[Block]) -> Iterable[Sequence[Line]]:
    lines = [line for block in blocks for line in block.lines]
    for starts in (_labels(lines), _outdents(lines)):
        if len(starts) >= MIN_ENTRIES:
            return [lines[start:end] for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)]
    return [block.lines for block in blocks]


def _labels(lines: Sequence[Line]) -> list[int]:
    """Where the entries of a list start that counts its entries."""
    starts, expected = [], 1
    for place, line in enumerate(lines):
        label = _LABEL.match(line.text)
        if label and expected <= int(label[1]) <= expected + MAX_MISSED:
            starts.append(place)
            expected = int(label[1]) + 1
    return starts


def _outdents(lines: Sequence[Line]) -> list[int]:
    """Where the entries start if all lines but the first of each are set in."""
    edges: dict[int, float] = {}
    for line in lines:
        edges[line.column.number] = min(line.left, edges.get(line.column.number, line.left))
    starts = [place for place, line in enumerate(lines) if line.left - edges[line.column.number] < HANGING * line.size]
    return starts if len(starts) < len(lines) else []

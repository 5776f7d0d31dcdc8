r"""Keys of cited works: out of .bib files, of \bibitem entries, or, when there is nothing else, the citation keys.

>>> library = bib_entries('@article{Doe2001, title = {The {H}istone code: a "map"}, doi = "10.1000/X"}')
>>> references(["Doe2001", "Roe2002"], {}, library)
['10.1000/x', 'bibtex:Roe2002']
>>> item_key("J. Doe.\x1eThe histone code: a map.\x1eJournal of Tests, 2001.")
'title:the histone code a map'
"""

import logging
import re
from collections.abc import Iterable, Iterator, Mapping

from futex.corpus.formats.latex.commands import KEPT
from futex.corpus.formats.latex.expansion import Expansion
from futex.corpus.formats.latex.typeset import BLOCK, tidy
from futex.corpus.formats.latex.typesetting import Typesetter
from futex.corpus.paper import distinct
from futex.corpus.references import MAX_TITLE, doi_in, reference_key, title_key
from futex.errors import DamagedPaper

_ENTRY = re.compile(r"@\s*+\w{1,40}\s*+[{(]\s*+([^\s,{}()\"#%=\\]{1,200})\s*+,")
_FIELD = re.compile(r"([A-Za-z][\w-]{0,40})\s*+=\s*+")
_BOUNDARY = re.compile(r'[{}"]|\\.', re.DOTALL)
_BARE_VALUE = re.compile(r"[^\s,{}\"]*+")
_QUOTED = re.compile(r"“([^“”]{1,500}?)[,.]?”")
_SENTENCE_END = re.compile(r"[.?!](?: |$)")

_BIBLATEX_ENTRY = re.compile(r"\\entry\{([^{}]{1,200})\}")
_BIBLATEX_TITLE = re.compile(r"\\field\{title\}\{([^\n]*)\}")

log = logging.getLogger(__name__)


def plain_text(latex: str) -> str:
    """The title of a work in LaTeX as text; of one that is none, nothing."""
    if len(latex) > MAX_TITLE:
        return ""
    expansion = Expansion(latex, lambda _: None, "", frozenset())
    expansion.max_expanded = len(latex)
    collected: list[str] = []
    try:
        Typesetter(expansion, "").set_on(collected)
    except DamagedPaper:
        return ""
    return tidy("".join(collected))


# --- .bib


def bib_entries(text: str) -> dict[str, str]:
    """The fields of each work in a .bib file, as they stand there, by its citation key."""
    starts = list(_ENTRY.finditer(text))
    ends = [*(start.start() for start in starts), len(text)][1:]
    return {start[1]: text[start.end() : end] for start, end in zip(starts, ends, strict=True)}


def _bib_key(entry: str) -> str | None:
    fields = dict(_fields(entry))
    doi = fields.get("doi") or doi_in(fields.get("url", "")) or doi_in(fields.get("note", ""))
    return reference_key(doi=doi, pmid=fields.get("pmid")) or text_key(plain_text(fields.get("title", "")))


def _fields(entry: str) -> Iterator[tuple[str, str]]:
    position = 0
    while match := _FIELD.search(entry, position):
        value, position = _value(entry, match.end())
        yield match[1].lower(), value


def _value(entry: str, start: int) -> tuple[str, int]:
    """The value of a field, in braces, in quotes or bare, and where it ends."""
    opener = entry[start : start + 1]
    if opener not in ("{", '"'):
        bare = _BARE_VALUE.match(entry, start)
        return (bare[0], bare.end()) if bare else ("", start)
    depth = 0
    for boundary in _BOUNDARY.finditer(entry, start + 1):
        sign = boundary[0]
        if depth == 0 and sign == ("}" if opener == "{" else '"'):
            return entry[start + 1 : boundary.start()], boundary.end()
        depth += (sign == "{") - (sign == "}")
    return entry[start + 1 :], len(entry)


# --- .bbl and \bibitem


def bbl_entries(text: str, name: str) -> dict[str, str | None]:
    """The key of each work in a .bbl file, as BibTeX or biblatex writes it; of a damaged one, up to the damage."""
    if r"\entry{" in text:
        return _biblatex_entries(text)
    typesetter = Typesetter(Expansion(text, lambda _: None, name, KEPT), name)
    typesetter.start()
    items = typesetter.result.bibliography
    try:
        typesetter.run()
    except DamagedPaper as damage:
        log.warning("%s (references from there on are left out)", damage)
        if items:
            items.popitem()
    return item_entries(items)


def _biblatex_entries(text: str) -> dict[str, str | None]:
    parts = _BIBLATEX_ENTRY.split(text)
    found = {}
    for key, entry in zip(parts[1::2], parts[2::2], strict=True):
        title = _BIBLATEX_TITLE.search(entry)
        found[key] = doi_in(entry) or text_key(plain_text(title[1]) if title else "")
    return found


def item_entries(items: Mapping[str, Iterable[str]]) -> dict[str, str | None]:
    return {key: item_key("".join(pieces)) for key, pieces in items.items()}


def item_key(entry: str) -> str | None:
    """Of an entry as it is printed: its DOI, else its title."""
    return doi_in(tidy(entry)) or text_key(_title(entry))


def _title(entry: str) -> str:
    """What is in quotes, or the second of several blocks; of only two, that has more than the title."""
    if quoted := _QUOTED.search(entry):
        return quoted[1]
    blocks = [block for block in map(tidy, entry.split(BLOCK)) if block]
    if len(blocks) > 2:
        return blocks[1]
    return _SENTENCE_END.split(blocks[1], maxsplit=1)[0] if len(blocks) == 2 else ""


def text_key(title: str) -> str | None:
    """The key of a title with formulas: as it would be read, H_2O is one word."""
    return title_key(tidy(title).translate({ord("_"): None, ord("^"): None}))


# --- all together


def references(cited: Iterable[str], printed: Mapping[str, str | None], library: Mapping[str, str]) -> list[str]:
    """Keys of the works in the printed list, then of others cited; `library` is what the .bib files know.

    A citation key that leads nowhere stands for its work: many authors take their keys from the same few sources.
    """
    keys = dict.fromkeys([*printed, *cited])
    if "*" in keys:
        keys = dict.fromkeys([*keys, *library])
    return distinct(_key(key, printed, library) for key in keys if key != "*")


def _key(cited: str, printed: Mapping[str, str | None], library: Mapping[str, str]) -> str | None:
    if cited not in printed and cited not in library:
        return f"bibtex:{cited}"
    return _bib_key(library.get(cited, "")) or printed.get(cited)

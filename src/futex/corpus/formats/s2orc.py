"""S2ORC, the corpus of Semantic Scholar, in its older layout (also CORD-19's) and, by `s2orc_standoff`, its newer one.

    {"paper_id", "metadata": {"title", "authors", ...}, "abstract": [block...], "body_text": [block...],
     "bib_entries": {"BIBREF0": {"title", "other_ids"...}}, "ref_entries": {"FIGREF0": {"text", "type"}}}

A block is a paragraph that names its section: {"section": "Cells", "sec_num": "2.1", "text", "ref_spans", "eq_spans"}.
Releases differ in what lies at the top and what under "pdf_parse", "grobid_parse" or "latex_parse".
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from futex.corpus.document import Document
from futex.corpus.formats import s2orc_standoff
from futex.corpus.formats.captions import CaptionedOutline
from futex.corpus.formats.formulas import formula_text
from futex.corpus.formats.spans import Span, in_order, replaced
from futex.corpus.json_records import Record, entries, json_records, nested, objects, scalar, text_field, text_list
from futex.corpus.numbering import NumberedOutline, split_number
from futex.corpus.paper import MAX_DEPTH, Paper, Unit, distinct, known, squeeze
from futex.corpus.references import arxiv_key, doi_in, doi_key, own_keys, reference_key, s2_key
from futex.corpus.sources import Source
from futex.errors import InputError

NAME = "s2orc"

_PARSES = ("latex_parse", "pdf_parse", "grobid_parse")
_OF_A_PARSE = (b'"body_text"', b'"bib_entries"', b'"_pdf_hash"', *(f'"{parse}"'.encode() for parse in _PARSES))
_LIKE_CORD_19 = re.compile(rb'\{\s*"paper_id"\s*:\s*"\w{1,60}",\s*"metadata"\s*:\s*\{\s*"title"')
_YEAR = re.compile(r"[12]\d{3}")
_ANNEX = re.compile(r"annex|appendi", re.IGNORECASE)


def recognises(head: bytes, name: str = "") -> bool:
    if not head.lstrip().startswith(b"{"):
        return False
    older = b'"paper_id"' in head and (any(mark in head for mark in _OF_A_PARSE) or bool(_LIKE_CORD_19.search(head)))
    return older or s2orc_standoff.recognises(head)


def read(source: Source) -> Iterator[Document]:
    for where, record in json_records(source.stream, source.name):
        yield Document(s2orc_standoff.paper(record, where) if "content" in record else _paper(record, where))


def _paper(record: Record, where: str) -> Paper:
    paper_id = scalar(record, "paper_id", where)
    if not paper_id:
        raise InputError(f'{where}: the paper has no "paper_id"')
    parse = _parse(record, where)
    about = {**nested(record, "metadata", where), **record}
    title = squeeze(text_field(about, "title", where))
    keys = _own_keys(about, paper_id, title, where)
    return Paper(
        id=paper_id,
        title=title,
        abstract=_abstract(record, parse, where),
        body=_body(parse, where, innermost_first=paper_id.startswith("PMC")),
        references=_references(parse, keys, where),
        metadata=known(
            year=_year(scalar(about, "year", where)),
            venue=squeeze(text_field(about, "venue", where) or text_field(about, "journal", where)),
            authors=_authors(about, where),
            aliases=keys,
        ),
    )


def _parse(record: Record, where: str) -> Record:
    """Where the text is: under the parser that found the most reliable one, or at the top."""
    parses = [nested(record, key, where) for key in _PARSES]
    return next((parse for parse in parses if parse.get("body_text")), next(filter(None, parses), record))


# --- what the paper is


def _own_keys(about: Record, paper_id: str, title: str, where: str) -> list[str]:
    identifiers = {
        "doi": scalar(about, "doi", where),
        "pmid": scalar(about, "pubmed_id", where),
        "pmc": scalar(about, "pmc_id", where) or (paper_id if paper_id.startswith("PMC") else ""),
        "arxiv": scalar(about, "arxiv_id", where),
    }
    return [*own_keys(**identifiers, title=title), *filter(None, [s2_key(paper_id)])]


def _year(written: str) -> int | None:
    year = _YEAR.match(written)
    return int(year[0]) if year else None


def _authors(about: Record, where: str) -> list[str]:
    names = (
        [text_field(author, "first", where), *text_list(author, "middle", where), text_field(author, "last", where)]
        for author in objects(about, "authors", where)
    )
    return [" ".join(filter(None, name)) for name in names if any(name)]


def _abstract(record: Record, parse: Record, where: str) -> str:
    """As the publisher gives it, else as it was parsed; ":::" is a line break."""
    for holder in (nested(record, "metadata", where), record, parse):
        written = holder.get("abstract")
        is_text = isinstance(written, str)
        blocks = [holder] if is_text else objects(holder, "abstract", where)
        texts = [text_field(block, "abstract" if is_text else "text", where) for block in blocks]
        if any(texts):
            return squeeze(" ".join(texts).replace(":::", " "))
    return ""


# --- body


def _body(parse: Record, where: str, innermost_first: bool) -> Unit:
    outline = CaptionedOutline(_captions(parse, where))
    blocks = [*objects(parse, "body_text", where), *_annexes(parse, where)]
    paths = [_path(text_field(block, "section", where)) for block in blocks]
    if _parents_come_last(paths, innermost_first):
        paths = [path[::-1] for path in paths]
    opened: tuple[str, Sequence[str]] = ("", ())
    for block, path in zip(blocks, paths, strict=True):
        number = scalar(block, "sec_num", where)
        if path and (number, path) != opened:
            _open_section(outline, number, path, opened[1])
            opened = (number, path)
        outline.mentioning(_text(block, where), _mentions(block, where))
    return outline.body()


def _annexes(parse: Record, where: str) -> list[Record]:
    """Of the back matter, what is more than acknowledgements and statements."""
    back = objects(parse, "back_matter", where)
    return [block for block in back if _ANNEX.match(text_field(block, "section", where))]


def _path(section: str) -> list[str]:
    """ "Methods ::: Cells" → both headings; most releases have only the innermost."""
    parts = section.replace(":::", "::").split("::", MAX_DEPTH)[:MAX_DEPTH]
    return [heading for part in parts if (heading := squeeze(part))]


def _parents_come_last(paths: Iterable[Sequence[str]], innermost_first: bool) -> bool:
    """Parses of JATS write the section after its subsections; either way there are fewer sections than subsections."""
    nested_paths = [path for path in paths if len(path) > 1]
    first, last = len({path[0] for path in nested_paths}), len({path[-1] for path in nested_paths})
    return innermost_first if first == last else last < first


def _open_section(outline: NumberedOutline, number: str, path: Sequence[str], before: Sequence[str]) -> None:
    if len(path) == 1:
        outline.numbered(number, path[0])
        return
    differ = (i for i, (new, old) in enumerate(zip(path, before, strict=False)) if new != old)
    changed = min(next(differ, len(before)), len(path) - 1)
    for depth, heading in enumerate(path[changed:], changed + 1):
        outline.numbered("", split_number(heading)[1], depth)


def _text(block: Record, where: str) -> str:
    """The paragraph with its formulas in the place of the marks that were put for them."""
    text = text_field(block, "text", where)
    formulas = in_order(objects(block, "eq_spans", where), len(text))
    return replaced(text, formulas, lambda span: _formula(span, where)) if formulas else text


def _formula(span: Span, where: str) -> str:
    written = text_field(span.record, "latex", where) or text_field(span.record, "raw_str", where)
    return formula_text(written or text_field(span.record, "text", where))


def _captions(parse: Record, where: str) -> dict[str, str]:
    floats = entries(parse, "ref_entries", where)
    return {key: text_field(item, "text", where) for key, item in floats.items() if _is_float(item)}


def _is_float(item: Record) -> bool:
    return item.get("type") in ("figure", "table") or item.get("type_str") in ("figure", "table")


def _mentions(block: Record, where: str) -> list[str]:
    return [scalar(span, "ref_id", where) for span in objects(block, "ref_spans", where)]


# --- references


def _references(parse: Record, own: Sequence[str], where: str) -> tuple[str, ...]:
    keys = (_reference(entry, where) for entry in entries(parse, "bib_entries", where).values())
    return tuple(distinct(keys, without=own))


def _reference(entry: Record, where: str) -> str | None:
    identifiers = _other_ids(entry, where)
    return (
        doi_key(identifiers.get("doi", ""))
        or doi_in(text_field(entry, "raw_text", where))
        or reference_key(pmid=identifiers.get("pmid"), title=text_field(entry, "title", where))
        or arxiv_key(identifiers.get("arxiv", ""))
        or s2_key(scalar(entry, "link", where))
    )


def _other_ids(entry: Record, where: str) -> dict[str, str]:
    """The first identifier of each kind, by the kind in small letters."""
    table = nested(entry, "other_ids", where)
    found = {kind.lower(): text_list(table, kind, where) for kind in table}
    return {kind: identifiers[0] for kind, identifiers in found.items() if identifiers}

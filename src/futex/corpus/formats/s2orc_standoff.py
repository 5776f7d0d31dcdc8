"""The newer layout of S2ORC: one text, and where in it the parts of the paper are.

    {"corpusid", "externalids": {"doi", "pubmed", ...},
     "content": {"text", "annotations": {"title": '[{"start": 1, "end": 140}]', "paragraph": '[...]', ...}}}

The lists of spans are JSON inside JSON, and not all of them can be trusted (see `spans`).
"""

from dataclasses import dataclass

from futex.corpus.formats.captions import CaptionedOutline
from futex.corpus.formats.spans import Span, in_order, inside
from futex.corpus.json_records import Record, json_value, nested, objects, scalar, text_field
from futex.corpus.paper import Paper, Unit, distinct, known, squeeze
from futex.corpus.references import doi_in, doi_key, own_keys, s2_key, title_key
from futex.errors import InputError

_BODY = ("abstract", "sectionheader", "paragraph")


def recognises(head: bytes) -> bool:
    return b'"corpusid"' in head and b'"content"' in head


@dataclass(frozen=True, slots=True)
class _Annotated:
    """A text and the annotations of its parts."""

    text: str
    annotations: Record
    where: str

    def records(self, kind: str) -> list[Record]:
        written = self.annotations.get(kind)
        if isinstance(written, str):
            written = json_value(text_field(self.annotations, kind, self.where).encode(), f"{self.where}, {kind}")
        return objects({kind: written}, kind, self.where)

    def spans(self, kind: str) -> list[Span]:
        return in_order(self.records(kind), len(self.text))

    def of(self, span: Span) -> str:
        return squeeze(self.text[span.start : span.end])

    def first(self, kind: str) -> str:
        return next(map(self.of, self.spans(kind)), "")

    def attribute(self, span: Span, key: str) -> str:
        return scalar(nested(span.record, "attributes", self.where), key, self.where)


def paper(record: Record, where: str) -> Paper:
    corpus_id = scalar(record, "corpusid", where)
    if not corpus_id:
        raise InputError(f'{where}: the paper has no "corpusid"')
    content = nested(record, "content", where)
    parts = _Annotated(text_field(content, "text", where), nested(content, "annotations", where), where)
    title = parts.first("title")
    keys = _own_keys(nested(record, "externalids", where), corpus_id, title, where)
    return Paper(
        id=corpus_id,
        title=title,
        abstract=" ".join(map(parts.of, parts.spans("abstract"))),
        body=_body(parts),
        references=tuple(distinct(_references(parts), without=keys)),
        metadata=known(venue=parts.first("venue"), authors=_authors(parts), aliases=keys),
    )


def _own_keys(external: Record, corpus_id: str, title: str, where: str) -> list[str]:
    """The names of the identifiers are written in small letters or not, depending on the release."""
    found = {name.lower(): scalar(external, name, where) for name in external}
    identifiers = {
        "doi": found.get("doi", ""),
        "pmid": found.get("pubmed", ""),
        "pmc": found.get("pubmedcentral", ""),
        "arxiv": found.get("arxiv", ""),
    }
    return [*own_keys(**identifiers, title=title), *filter(None, [s2_key(corpus_id)])]


def _authors(parts: _Annotated) -> list[str]:
    authors = parts.spans("author")
    first, last = (inside(authors, parts.spans(kind)) for kind in ("authorfirstname", "authorlastname"))
    return distinct(" ".join(map(parts.of, [*given, *family])) for given, family in zip(first, last, strict=True))


def _body(parts: _Annotated) -> Unit:
    outline = CaptionedOutline(_captions(parts))
    records = [{**record, "kind": kind} for kind in _BODY for record in parts.records(kind)]
    blocks = in_order(records, len(parts.text))  # of all kinds at once: the abstract is no part of the body
    mentions = inside(blocks, in_order([*parts.records("figureref"), *parts.records("tableref")], len(parts.text)))
    for block, mentioned in zip(blocks, mentions, strict=True):
        if block.record["kind"] == "sectionheader":
            outline.numbered(parts.attribute(block, "n"), parts.of(block))
        elif block.record["kind"] == "paragraph":
            outline.mentioning(parts.of(block), (parts.attribute(span, "ref_id") for span in mentioned))
    return outline.body()


def _captions(parts: _Annotated) -> dict[str, str]:
    figures = parts.spans("figure")
    captions = inside(figures, parts.spans("figurecaption"))
    return {
        parts.attribute(figure, "id") or f"figure {number}": " ".join(map(parts.of, found))
        for number, (figure, found) in enumerate(zip(figures, captions, strict=True))
    }


def _references(parts: _Annotated) -> list[str | None]:
    cited = parts.spans("bibentry")
    titles = inside(cited, parts.spans("bibtitle"))
    return [_reference(parts, entry, found) for entry, found in zip(cited, titles, strict=True)]


def _reference(parts: _Annotated, entry: Span, titles: list[Span]) -> str | None:
    return (
        doi_key(parts.attribute(entry, "doi"))
        or doi_in(parts.of(entry))
        or title_key(next(map(parts.of, titles), ""))
        or s2_key(parts.attribute(entry, "matched_paper_id"))
    )

"""Markdown with headings. Listings, tables and footnotes are left out; a picture's text is its caption.

The title is that of the front matter, or the only heading of the first level.
"""

import html
import re
from collections.abc import Iterator

from futex.corpus.document import Document
from futex.corpus.manuscript import Manuscript
from futex.corpus.paper import Paper, known, squeeze
from futex.corpus.references import own_keys
from futex.corpus.sources import Source
from futex.corpus.text_files import describes_folder, extension, fallback_id, whole_text

NAME = "markdown"

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*")
_RULE = re.compile(r" {0,3}([-*_])[ \t]*+(?:\1[ \t]*+){2,}+")
_ITEM = re.compile(r"\s{0,40}(?:[-*+]|\d{1,9}[.)])[ \t]+")
_LEFT_OUT = re.compile(r"\s{0,40}(?:\||\[[^\]]{1,100}\]:)")
_QUOTE = re.compile(r"^(?: {0,3}> ?)++")  # possessive: no way back is remembered
_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,3}){0,5}\.?\s+")

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_INLINE = (
    (re.compile(r"\[\^[^\[\]]{1,100}\]"), ""),
    (re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])"), r"\1"),
    (re.compile(r"<(https?://[^<>\s]*)>"), r"\1"),
    (re.compile(r"</?[A-Za-z][^<>]*>"), ""),
    (re.compile(r"(?<!\\)(?:\*+(?=\S)|(?<=\S)\*+|`+|~~)"), ""),
    (re.compile(r"(?<![\\\w])_++(?=\S)|(?<=[^\s_])(?<!\\)_++(?!\w)"), ""),
    (re.compile(r"\\([!-/:-@\[-`{-~])"), r"\1"),
)
_FIELD = re.compile(r"([A-Za-z]+):[ \t]*(.*)")
_BLOCK_SIGN = re.compile(r"^[|>][-+\d]{0,2}$")
"""What YAML writes before a text on lines of its own."""


def recognises(head: bytes, name: str = "") -> bool:
    """By its name only: any text could be Markdown."""
    return extension(name) in (".md", ".markdown") and not describes_folder(name)


def read(source: Source) -> Iterator[Document]:
    fields, lines = _front_matter(_COMMENT.sub("", whole_text(source)).split("\n"))
    blocks = [(level, text) for level, written in _blocks(lines) if (text := plain(written)) or level]
    title = plain(fields.get("title", ""))
    if not title and [level for level, _ in blocks if level][:1] == [1] and sum(level == 1 for level, _ in blocks) == 1:
        title = next(text for level, text in blocks if level == 1)
        blocks = [block for block in blocks if block[0] != 1]
    manuscript = Manuscript(top_level=min((level for level, _ in blocks if level), default=1))
    for level, text in blocks:
        if level:
            manuscript.heading(level, _NUMBER.sub("", text, count=1))
        else:
            manuscript.paragraph(text)
    yield Document(
        Paper(
            id=fallback_id(source),
            title=title,
            abstract=plain(fields.get("abstract", "")) or manuscript.abstract,
            body=manuscript.body(),
            metadata=known(aliases=own_keys(title=title)),
        )
    )


def plain(written: str) -> str:
    """One paragraph without links, emphasis and other marks."""
    if not written:
        return ""
    for marks, text in _INLINE:
        written = marks.sub(text, written)
    return squeeze(html.unescape(written))


def _front_matter(lines: list[str]) -> tuple[dict[str, str], list[str]]:
    """Texts of the YAML at the head of the file, and what follows it."""
    if lines[0].strip() != "---":
        return {}, lines
    end = next((i for i, line in enumerate(lines[1:], start=1) if line.strip() in ("---", "...")), 0)
    fields: dict[str, list[str]] = {}
    name = ""
    for line in lines[1:end]:
        if field := _FIELD.match(line):
            name = field[1].lower()
            fields[name] = [_BLOCK_SIGN.sub("", field[2].strip())]
        elif line.startswith((" ", "\t")) and name:
            fields[name].append(line.strip())
    texts = {name: _unquoted(" ".join(parts).strip()) for name, parts in fields.items()}
    return texts, lines[end + 1 :] if end else lines


def _unquoted(text: str) -> str:
    return text[1:-1] if text[:1] in ("'", '"') and text[1:].endswith(text[0]) else text


def _blocks(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Headings with their levels, and paragraphs with level 0, both still with their marks."""
    paragraph: list[str] = []
    is_list = ended = False
    for marked in _without_listings(lines):
        line = _QUOTE.sub("", marked, count=1)
        item = _ITEM.match(line)
        if paragraph and not ended and (underline := _UNDERLINE.fullmatch(line)):
            yield 1 if "=" in underline[1] else 2, " ".join(paragraph)
            paragraph = []
        elif heading := _HEADING.fullmatch(line):
            yield 0, " ".join(paragraph)
            yield len(heading[1]), (heading[2] or "").rstrip("# \t")
            paragraph = []
        elif not line.strip() or _RULE.fullmatch(line) or _LEFT_OUT.match(line):
            ended = True
        else:
            goes_on = not ended or (is_list and (item is not None or line[0].isspace()))
            if not goes_on or not paragraph:
                yield 0, " ".join(paragraph)
                paragraph, is_list = [], False
            paragraph.append(line[item.end() :] if item else line)
            is_list, ended = is_list or item is not None, False
    yield 0, " ".join(paragraph)


def _without_listings(lines: list[str]) -> Iterator[str]:
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        elif mark:
            fence = mark[1]
        else:
            yield line

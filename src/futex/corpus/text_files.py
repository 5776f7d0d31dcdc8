"""Whole files of text: read up to a size, decoded, without characters that no text has; and what their names tell."""

import re

from futex.corpus.content import content_of
from futex.corpus.sources import Source
from futex.corpus.streams import COMPRESSED
from futex.errors import DamagedPaper, printable

MAX_LINES = 1_000_000
"""A line takes up to a hundred bytes of memory, and as few as one in a file."""

_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_LINE_ENDS = re.compile(r"\r\n?")
_NO_TEXT = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ufeff\ufffe\uffff]")
_ABOUT_FOLDERS = frozenset(
    {"readme", "license", "licence", "copying", "notice", "changelog", "changes", "contributing"}
)


def whole_text(source: Source, max_bytes: int | None = None) -> str:
    """The text of a file that holds one paper."""
    return bounded_lines(decoded(content_of(source.stream, source.name, max_bytes)), source.name)


def bounded_lines(text: str, where: str) -> str:
    """The text, if one can look at each of its lines."""
    if text.count("\n") > MAX_LINES:
        raise DamagedPaper(f"{where}: more than {MAX_LINES:,} lines; split it into one paper a file")
    return text


def decoded(content: bytes) -> str:
    """UTF-8, or what Windows and older programs wrote; it never fails, for a wrong letter is better than no paper."""
    if content.startswith(_UTF16_MARKS):
        text = content.decode("utf-16", "replace")
    else:
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError:
            text = content.decode("cp1252", "replace")
    return _NO_TEXT.sub("", _LINE_ENDS.sub("\n", text))


def fallback_id(source: Source) -> str:
    """For a paper that has no id of its own: the name of its file."""
    return printable(file_stem(source))


def file_stem(source: Source) -> str:
    """`paper` out of `folder/paper.tex` or the like, as other files have it that belong to this one."""
    if not source.file:
        return stem(source.name)
    return _without_extension(_uncompressed(re.split(r"[/\\]", source.file)[-1]))


def stem(name: str) -> str:
    """`paper` out of `folder/paper.tex`, `papers.zip:folder/paper.tex.gz` or whatever messages call it."""
    return _without_extension(_file_name(name))


def _without_extension(file_name: str) -> str:
    before, _, after = file_name.rpartition(".")
    return file_name if not before or after.isdigit() else before  # arXiv packs its sources as 1706.03762.gz


def extension(name: str) -> str:
    """`.txt`, also for a compressed file."""
    file_name = _file_name(name).lower()
    return file_name[file_name.rfind(".") :] if "." in file_name else ""


def describes_folder(name: str) -> bool:
    """Whether a file by its name is about the files around it, and no paper itself."""
    return stem(name).lower() in _ABOUT_FOLDERS


def _file_name(name: str) -> str:
    return _uncompressed(re.split(r"[/\\:]", name)[-1])


def _uncompressed(file_name: str) -> str:
    for suffix in COMPRESSED:
        if file_name.lower().endswith(suffix):
            return file_name[: -len(suffix)]
    return file_name

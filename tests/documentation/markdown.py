"""What our Markdown pages hold: code in blocks, code in lines, links; each with the line of the page it stands in."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
WRITTEN_BY_A_PROGRAM = {"docs/results.md"}
"""`make experiments` writes it; docs/commands/ has a test of its own."""
PAGES = sorted(
    str(path.relative_to(ROOT))
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"))
    if str(path.relative_to(ROOT)) not in WRITTEN_BY_A_PROGRAM
)
INDENTED = "indented"
"""The language of a block without a fence: a block of commands."""


class Part(NamedTuple):
    page: str
    line: int
    kind: str
    """`link`, `span`, or the language of a block."""
    text: str

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


def parts_of(page: str) -> list[Part]:
    return list(_parts(page, (ROOT / page).read_text(encoding="utf-8")))


def _parts(page: str, text: str) -> Iterator[Part]:
    line = 1
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        line = token.map[0] + 1 if token.map else line
        if token.type == "fence":
            yield Part(page, line + 1, token.info or "output", token.content)
        elif token.type == "code_block":
            yield Part(page, line, INDENTED, token.content)
        elif token.type == "inline":
            yield from _parts_of_a_paragraph(page, line, token.children)


def _parts_of_a_paragraph(page: str, line: int, children) -> Iterator[Part]:
    for child in children:
        if child.type == "code_inline":
            yield Part(page, line, "span", child.content)
        elif child.type in ("link_open", "image"):
            yield Part(page, line, "link", str(child.attrs.get("href") or child.attrs["src"]))
        elif child.type == "html_inline":
            yield from (Part(page, line, "link", source) for source in re.findall(r'src="([^"]+)"', child.content))
        line += child.type == "softbreak"


def anchors_of(page: Path) -> set[str]:
    """What a link may point at within a page: its headings, as forges write them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}

r"""LaTeX source as tokens, so that nothing after this looks at characters again.

A token is a string, and its first character tells what it is: a backslash starts a command, SPECIAL characters stand
alone, a space is any white space, PARAGRAPH a blank line, VERBATIM the start of text to be taken as it is, "#" a
parameter of a macro; anything else is text. Comments and listings are gone.

>>> list(tokens(r"\emph{It} is 5\% % or so"))
['\\emph', '{', 'It', '}', ' ', 'is', ' ', '5', '\\%', ' ']
"""

import re
from collections.abc import Iterator

PARAGRAPH = "\n"
VERBATIM = "\x02"

_LONGEST = 200
"""Characters of a text: a macro without braces around its argument takes one, and the rest is copied."""
_LISTINGS = r"(?:[vV]erbatim|lstlisting|minted|comment|filecontents)\*?"
_TOKEN = re.compile(
    rf"""
      \\(?P<link>url|nolinkurl|path|href)[ ]*\{{(?P<address>[^{{}}\n]*)\}}
    | \\(?:verb|lstinline)\*?(?P<quote>[^A-Za-z\s*\[{{])(?P<quoted>[^\n]{{0,200}}?)(?P=quote)
    | \\begin[ ]*\{{(?P<listing>{_LISTINGS})\}}
    | (?P<word>\\[A-Za-z@]+)[ \t]*+(?:\n(?![ \t]*\n)[ \t]*+)?
    | (?P<symbol>\\.)
    | (?P<paragraph>[ \t]*+(?:%[^\n]*+)?\n[ \t]*+\n\s*+)
    | (?P<comment>%[^\n]*+(?:\n[ \t]*+)?)
    | (?P<space>\s++)
    | (?P<itself>\#{{1,{_LONGEST}}}+[1-9]?|[{{}}$&~^_\[\]]|[^\\{{}}$&~^_\#%\[\]\s]{{1,{_LONGEST}}}+)
    """,
    re.VERBOSE | re.DOTALL,
)


def tokens(text: str) -> Iterator[str]:
    """The tokens of a file, up to a lone backslash at its end."""
    unclosed: set[str] = set()
    position = 0
    while match := _TOKEN.match(text, position):
        position = match.end()
        match match.lastgroup:
            case "itself" | "word":
                yield match[match.lastgroup]
            case "space":
                yield " "
            case "symbol":
                yield "\\ " if match["symbol"][1].isspace() else match["symbol"]
            case "paragraph":
                yield PARAGRAPH
            case "address":
                yield from (f"\\{match['link']}", "{", VERBATIM + match["address"], "}")
            case "quoted":
                yield VERBATIM + match["quoted"]
            case "listing":
                position = _after_listing(match["listing"], text, position, unclosed)
                yield " "


def _after_listing(name: str, text: str, start: int, unclosed: set[str]) -> int:
    """Where a listing ends. If there is no end, it is looked for only once: many beginnings must not cost much."""
    end = rf"\end{{{name}}}"
    found = text.find(end, start) if name not in unclosed else -1
    if found < 0:
        unclosed.add(name)
        return start
    return found + len(end)

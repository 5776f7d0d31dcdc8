"""A tokenizer.json from a stranger: it may not blow texts up, nor search them with patterns that never end."""

import base64
import math
from pathlib import Path
from typing import Any

from futex.errors import ModelError
from futex.json_files import values_in

KNOWN_PATTERNS = frozenset({" {2,}", r"\s+", " +", r"\n", "``", "''"})
"""Regular expressions that published encoders' tokenizers bring along. Others could take minutes for a line."""

MAX_GROWTH = 64
"""How many times longer the replacements of a tokenizer, one after the other, may make a text."""

MAX_SPECIAL = 16
"""Special tokens around a text and around a pair, together; encoders have up to seven."""

MAX_PADDING = 2**16
"""Tokens that texts may be filled up to. We fill up nothing, but transformers tries it out."""


def check_tokenizer(tokenizer: dict[str, Any], path: Path) -> None:
    """Looks at whatever is done to a text, one step after the other. The vocabulary does nothing: it is looked up."""
    parts = [value for name, value in tokenizer.items() if name not in ("model", "added_tokens", "decoder")]
    inside = list(values_in(parts))
    for name, value in inside:
        if name == "Regex" and value not in KNOWN_PATTERNS:
            raise ModelError(f"{path} brings a pattern of its own, {str(value)[:40]!r}: none is ever run")
        if name in ("Fixed", "pad_to_multiple_of") and isinstance(value, int) and value > MAX_PADDING:
            raise ModelError(f"{path} fills texts up to {value:,} tokens: no encoder needs that")
    if sum(name == "SpecialToken" for name, _ in inside) > MAX_SPECIAL:
        raise ModelError(f"{path} puts more than {MAX_SPECIAL} special tokens around texts: no encoder needs that")
    try:
        growth = math.prod(_growth(value) for _, value in inside if isinstance(value, dict))
    except ValueError as error:
        raise ModelError(f"{path} has a damaged table of characters: {error}") from error
    if growth > MAX_GROWTH:
        raise ModelError(f"{path} makes texts more than {MAX_GROWTH} times longer: no encoder needs that")


def _growth(step: dict[str, Any]) -> int:
    """The longest text that takes the place of one character."""
    match step.get("type"):
        case "Replace":
            return max(1, len(str(step.get("content"))))
        case "Prepend":
            return 1 + len(str(step.get("prepend")))
        case "Precompiled":
            return max(1, _longest_replacement(str(step.get("precompiled_charsmap") or "")))
        case _:
            return 1


def _longest_replacement(charsmap: str) -> int:
    """SentencePiece's table: the length of a search tree, the tree, and all replacements with a zero after each."""
    table = base64.b64decode(charsmap)
    return max(map(len, table[4 + int.from_bytes(table[:4], "little") :].split(b"\0")))

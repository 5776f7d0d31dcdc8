"""What kinds of values a plan or a profile may have: files of the user are checked before hours of work."""

from collections.abc import Callable
from typing import Any, NamedTuple

from futex.errors import InputError


class Shape(NamedTuple):
    words: str
    fits: Callable[[Any], bool]

    def check(self, where: str, value: Any) -> None:
        """Or one clear line."""
        if not self.fits(value):
            raise InputError(f"{where} must be {self.words}, not {value!r}")


def _list_of(shape: Shape, value: Any) -> bool:
    return isinstance(value, list) and all(map(shape.fits, value))


TEXT = Shape("a text", lambda value: isinstance(value, str))
COUNT = Shape("a number from 1 on", lambda value: type(value) is int and value > 0)
SHARE = Shape("a share above 0 and up to 1", lambda value: isinstance(value, int | float) and 0 < value <= 1)
TABLE = Shape("a table like { name = … }", lambda value: isinstance(value, dict))
ANY_TEXTS = Shape("a list of texts", lambda value: _list_of(TEXT, value))
TEXTS = Shape("a list of one text or more", lambda value: value != [] and _list_of(TEXT, value))
COUNTS = Shape("a list of one number or more, each from 1 on", lambda value: value != [] and _list_of(COUNT, value))
TABLES = Shape("one table or more, like [[rows]]", lambda value: value != [] and _list_of(TABLE, value))
PLOT = Shape('"dots" or "lines"', lambda value: value in ("dots", "lines"))

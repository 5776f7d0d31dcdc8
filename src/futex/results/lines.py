"""Results as text files that grow line by line."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from futex.corpus.streams import compressing
from futex.evaluation.predictions import Prediction
from futex.files import growing

Write = Callable[[Prediction], None]


@contextmanager
def writing_lines(path: Path, as_text: Callable[[Prediction], str], header: str = "") -> Iterator[Write]:
    """What `as_text` makes of each prediction, flushed at once; compressed as the extension says."""
    with growing(path) as part, part.open("wb") as file, compressing(path, file) as out:
        out.write(header.encode())

        def write(prediction: Prediction) -> None:
            out.write(as_text(prediction).encode())
            out.flush()
            file.flush()

        yield write


def unbroken(identifier: str) -> str:
    """An id for formats that part their fields by blanks, end texts at a NUL or put ids in angle brackets.

    >>> unbroken("Lung cancer"), unbroken("http://a.org/caf%C3%A9")
    ('Lung%20cancer', 'http://a.org/caf%C3%A9')
    """
    return "".join(quote(sign) if sign.isspace() or sign < " " or sign in "<>" else sign for sign in identifier)

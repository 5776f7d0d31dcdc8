"""A file for each paper, as Annif keeps subjects beside documents.

- `.tsv`: lines `<uri>`, tab, label, tab, score. Annif reads the first two columns.
- `.key`: the labels alone, one a line.

Only labels that apply, where the predictions say which.

Ids of papers may be anything, names of files may not: see `file_name`.
"""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from futex.corpus.paper import squeeze
from futex.evaluation.predictions import Prediction
from futex.files import growing_folder
from futex.results.lines import Write, unbroken
from futex.results.rows import chosen

MAX_NAME = 200
"""Most file systems allow 255 bytes, extension included."""


def tsv_lines(prediction: Prediction) -> str:
    return "".join(
        f"<{unbroken(label['id'])}>\t{squeeze(label['name'])}\t{label['score']:.6g}\n" for label in chosen(prediction)
    )


def key_lines(prediction: Prediction) -> str:
    return "".join(f"{squeeze(label['name'])}\n" for label in chosen(prediction))


@contextmanager
def writing(path: Path, suffix: str, as_text: Callable[[Prediction], str]) -> Iterator[Write]:
    with growing_folder(path, suffix) as folder:
        taken: set[str] = set()

        def write(prediction: Prediction) -> None:
            name = file_name(prediction["paper"])
            if name.casefold() in taken:  # some file systems do not tell "a" from "A"
                name = f"{name}-{_digest(prediction['paper'])}"
            taken.add(name.casefold())
            (folder / f"{name}{suffix}").write_text(as_text(prediction), encoding="utf-8", newline="\n")

        yield write


def file_name(paper: str) -> str:
    """The id with all but letters, digits and .-_ percent-encoded; `urllib.parse.unquote` gives it back.

    >>> file_name("10.1371/journal.pbio.1"), file_name("../x"), file_name(".hidden")
    ('10.1371%2Fjournal.pbio.1', '%2E.%2Fx', '%2Ehidden')
    """
    name = quote(paper, safe="").replace("~", "%7E")
    if name.startswith("."):
        name = f"%2E{name[1:]}"
    return name if len(name) <= MAX_NAME else f"{name[:MAX_NAME]}-{_digest(paper)}"


def _digest(paper: str) -> str:
    return hashlib.sha256(paper.encode()).hexdigest()[:16]

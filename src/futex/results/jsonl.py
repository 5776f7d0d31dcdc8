"""One JSON object a paper, with all the evidence."""

import json
from contextlib import AbstractContextManager
from pathlib import Path

from futex.results.lines import Write, writing_lines


def writing(path: Path) -> AbstractContextManager[Write]:
    return writing_lines(path, lambda prediction: json.dumps(prediction, ensure_ascii=False) + "\n")

"""Files of text as the readers get them."""

import io

from futex.corpus.sources import Source


def source(content, name, **beside):
    """`beside` are files of the same folder by name, with `__` for the dot."""
    files = {key.replace("__", "."): text.encode() for key, text in beside.items()}
    stream = io.BytesIO(content.encode() if isinstance(content, str) else content)
    return Source(name, io.BufferedReader(stream), beside=files.get)

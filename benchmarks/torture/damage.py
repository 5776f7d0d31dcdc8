"""Files that were whole, and are no longer."""

import random
from collections.abc import Callable
from pathlib import Path

Damage = Callable[[Path, random.Random], None]


def truncate(file: Path, rng: random.Random) -> None:
    with file.open("r+b") as opened:
        opened.truncate(rng.randrange(file.stat().st_size))


def flip_a_bit(file: Path, rng: random.Random) -> None:
    content = bytearray(file.read_bytes())
    content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    file.write_bytes(content)


def delete(file: Path, rng: random.Random) -> None:
    file.unlink()


DAMAGES: dict[str, Damage] = {"truncated": truncate, "flipped": flip_a_bit, "deleted": delete}


def damage_one(folder: Path, damage: Damage, rng: random.Random) -> Path | None:
    """Any file with something in it, each as likely as any other; None if there is none yet."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.stat().st_size)
    if not files:
        return None
    chosen = rng.choice(files)
    damage(chosen, rng)
    return chosen

"""The recipe: every choice of a run in one small, serialisable value. `paper` holds the choices of the paper."""

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints

from futex.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How to rank. Defaults are the paper's (docs/fidelity.md tells where each comes from)."""

    name: str = "paper"
    plm: str = "embedded"
    pooling: Literal["auto", "cls", "mean"] = "auto"
    """[CLS] as in the paper; "auto" uses the pooling a checkpoint declares for itself."""
    max_length: int = 512
    scoring: Literal["modules", "names", "transfer"] = "modules"
    """By the paper's modules, or without them by how a paper names its labels in its full text (`naming/`): with no
    gold at all, or weighed as the gold of other collections teaches (`naming/transfer.py`)."""
    match_within: Literal["abstract", "full"] = "abstract"

    network: bool = True
    metapath: str = "P->P<-P"
    triples: int | None = None
    """None: the paper's 45,000 on a GPU, on a CPU what ten CPU-minutes pay for."""
    min_linked_papers: int = 20
    bi_encoder: Literal["original", "fine-tuned"] = "original"

    hierarchy: bool = True

    self_training: bool = True
    pseudo_labels: int = 5
    min_papers_per_word: int = 5
    trees: int = 3
    leaf_labels: int = 100
    beam: int = 10

    seed: int = 0

    def __post_init__(self) -> None:
        if self.scores_names:
            for setting, value in BY_NAMES.items():
                object.__setattr__(self, setting, value)

    @property
    def scores_names(self) -> bool:
        return self.scoring != "modules"

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON; `from_dict` takes it back."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Recipe":
        """Check names and types: a recipe file is user input."""
        if not isinstance(values, Mapping):
            raise InputError('a recipe is an object of settings and their values, as in {"plm": "embedded"}')
        known = {field.name for field in fields(cls)}
        if unknown := set(values) - known:
            raise InputError(f"the recipe has no setting {sorted(unknown)[0]!r}: it has {', '.join(sorted(known))}")
        hints = get_type_hints(cls)
        for name, value in values.items():
            _check(name, value, hints[name])
        recipe = cls(**values)
        if ignored := [name for name, value in values.items() if getattr(recipe, name) != value]:
            raise InputError(f"the recipe scores names, where {ignored[0]!r} cannot be chosen: take it out")
        return recipe

    @classmethod
    def load(cls, name_or_path: str) -> "Recipe":
        """`best`, `transfer` or `paper`, or the recipe in a TOML or JSON file."""
        if name_or_path in RECIPES:
            return RECIPES[name_or_path]
        path = Path(name_or_path)
        if path.suffix not in (".toml", ".json"):
            raise InputError(f"no recipe {name_or_path!r}: choose {', '.join(RECIPES)}, or give a .toml or .json file")
        try:
            text = path.read_text(encoding="utf-8")
            return cls.from_dict(tomllib.loads(text) if path.suffix == ".toml" else json.loads(text))
        except FileNotFoundError:
            raise InputError(f"no such recipe file: {path}") from None
        except (OSError, ValueError, RecursionError) as error:
            raise InputError(f"cannot read the recipe {path}: {error}") from error
        except InputError as error:
            raise InputError(f"{path}: {error}") from error

    def but(self, **changes: Any) -> "Recipe":
        """The same recipe with some settings changed; None leaves a setting alone."""
        return replace(self, **{name: value for name, value in changes.items() if value is not None})


OF_MODULES = (
    *("metapath", "triples", "min_linked_papers", "bi_encoder", "hierarchy"),
    *("pseudo_labels", "min_papers_per_word", "trees", "leaf_labels", "beam"),
)
BY_NAMES: dict[str, Any] = {"match_within": "full", "network": False, "self_training": False} | {
    field.name: field.default for field in fields(Recipe) if field.name in OF_MODULES
}
"""What scoring by names means for other settings; nothing asks for those of modules."""

LEAST = {"seed": 0, "max_length": 6} | dict.fromkeys(
    ("triples", "min_linked_papers", "pseudo_labels", "min_papers_per_word", "trees", "leaf_labels", "beam"), 1
)
"""The lowest value of each number. RoBERTa puts four tokens around a pair of texts, each of which has one at least."""

MAX_SEED = 2**32 - 1
"""numpy takes any seed, torch none from 2**64 on."""


def _check(name: str, value: Any, hint: Any) -> None:
    allowed = get_args(hint)
    if allowed and all(isinstance(choice, str) for choice in allowed):
        fits = value in allowed
    else:
        kinds = allowed or (hint,)
        fits = isinstance(value, kinds) and not (isinstance(value, bool) and bool not in kinds)
    if fits and name in LEAST and value is not None:
        fits = value >= LEAST[name] and (name != "seed" or value <= MAX_SEED)
    if not fits:
        if name in LEAST:
            choices = f"a whole number from {LEAST[name]} {f'to {MAX_SEED}' if name == 'seed' else 'on'}"
        else:
            choices = " or ".join(allowed) if allowed else {bool: "true or false", str: "a text"}[hint]
        raise InputError(f"the recipe's {name!r} cannot be {value!r}: it takes {choices}")


RECIPES: dict[str, Recipe] = {
    "paper": Recipe(),
    "best": Recipe(name="best", scoring="names"),
    "transfer": Recipe(name="transfer", scoring="transfer"),
}
DEFAULT = RECIPES["best"]

ABLATIONS: dict[str, dict[str, bool]] = {
    "futex": {},
    "futex-no-network": {"network": False},
    "futex-no-hierarchy": {"hierarchy": False},
    "futex-no-self-training": {"self_training": False},
}
"""FuTex and its ablations (Table 3), by what they change in the recipe."""


def cache_folder() -> Path:
    """Where embeddings, pair scores and fine-tuned models are kept between runs: $FUTEX_CACHE or ~/.cache/futex."""
    if chosen := os.environ.get("FUTEX_CACHE"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "futex"

"""What each experiment does, read from TOML: one file an experiment, and one with the profiles (how much work).

The files lie in `experiments/` of the repository, and inside the package once it is installed.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from futex.errors import InputError
from futex.experiments.jobs import is_random
from futex.naming.factors import ALL_FACTORS

PROFILES = "profiles.toml"
PACKAGED, REPOSITORY = Path(__file__).parent / "toml", Path(__file__).parents[3] / "experiments"


@dataclass(frozen=True, slots=True)
class Plan:
    name: str
    title: str
    caption: str
    kind: str
    """How it is done: a key of `KINDS` in `running.py`."""
    wants: Mapping[str, Any]
    """The rest of the file, which that kind of experiment understands."""

    @property
    def is_of_the_paper(self) -> bool:
        return self.name.startswith(("table", "figure"))

    @property
    def names_systems(self) -> bool:
        """Whether its rows are systems of the paper, which come with a checkpoint each."""
        return self.is_of_the_paper and "rows" in self.wants

    def __getitem__(self, setting: str) -> Any:
        try:
            return self.wants[setting]
        except KeyError:
            raise InputError(f"the experiment {self.name} lacks {setting!r}") from None


@dataclass(frozen=True, slots=True)
class System:
    """A row that is wanted: a method, how it reads, and what the paper published for it."""

    method: str
    title: str
    block: str = ""
    adapted: str = ""
    """What it does with a PLM that is not its own, said beside its scores."""
    text: str | None = None
    length: int = 512
    plm: str | None = None
    """Another one than all others have."""
    factors: tuple[str, ...] = ALL_FACTORS
    training: int | None = None
    """Papers whose gold it sees; drawn from those that are not ranked."""
    recipe: Mapping[str, int] = field(default_factory=dict)
    """Settings of FuTex's recipe that it changes."""
    published: Mapping[str, list[str]] = field(default_factory=dict)
    """Corpus → a value for each metric, as the paper prints it."""

    @property
    def settings(self) -> dict[str, Any]:
        """As a `Job` takes them."""
        chosen = {"plm": self.plm} if self.plm else {}
        return chosen | {
            "text": self.text,
            "length": self.length,
            "factors": tuple(self.factors),
            "training": self.training,
            "test_share": 1.0 if self.training else 0.5,
            "recipe": tuple(sorted(self.recipe.items())),
        }


@dataclass(frozen=True, slots=True)
class Profile:
    """How much work: what a table costs is seeds times triples and papers."""

    name: str
    seeds: int = 5
    seeds_of: Mapping[str, int] = field(default_factory=dict)
    triples: int | None = None
    """What methods fine-tune on; None leaves it to them."""
    triples_of: Mapping[str, int] = field(default_factory=dict)
    plm_of: Mapping[str, str] = field(default_factory=dict)
    """Folders with the checkpoints of methods, where no hub has them."""
    papers: Mapping[str, int] = field(default_factory=dict)
    """Experiments that take only so many papers, from the first."""
    papers_of: Mapping[str, int] = field(default_factory=dict)
    """Methods that rank only so many papers, and are not tested against others."""

    def seeds_for(self, method: str) -> int:
        return self.seeds_of.get(method, self.seeds) if is_random(method) else 1

    def triples_for(self, method: str) -> int | None:
        return self.triples_of.get(method, self.triples)


def all_plans() -> dict[str, Plan]:
    """By name, tables first, what is not in the paper last."""
    paths = (path for path in _folder().glob("*.toml") if path.name != PROFILES)
    plans = [read_plan(path) for path in paths]
    return {
        plan.name: plan
        for plan in sorted(plans, key=lambda plan: (not plan.is_of_the_paper, plan.name[0] != "t", plan.name))
    }


def plans_named(name: str) -> list[Plan]:
    """`all` of the paper, one by its name, or one from a file of the user's."""
    if name.endswith(".toml"):
        return [read_plan(Path(name))]
    plans = all_plans()
    if name != "all" and name not in plans:
        raise InputError(f"no experiment {name!r}: choose all, {', '.join(plans)}, or give a .toml file")
    return [plan for plan in plans.values() if plan.is_of_the_paper] if name == "all" else [plans[name]]


def read_plan(path: Path) -> Plan:
    wants = _toml(path)
    try:
        return Plan(path.stem, wants.pop("title"), wants.pop("caption"), wants.pop("kind"), wants)
    except KeyError as error:
        raise InputError(f"{path}: an experiment needs {error.args[0]!r}") from error


def profile_named(name: str) -> Profile:
    """One of `profiles.toml`, or the only one of a file of the user's."""
    if name.endswith(".toml"):
        return _profile(Path(name).stem, _toml(Path(name)))
    profiles = _toml(_folder() / PROFILES)
    if name not in profiles:
        raise InputError(f"no profile {name!r}: choose {', '.join(profiles)}, or give a .toml file")
    return _profile(name, profiles[name])


def systems(plan: Plan) -> Iterator[System]:
    for row in plan["rows"]:
        yield _made(System, row, plan.name)


def _profile(name: str, values: dict[str, Any]) -> Profile:
    profile: Profile = _made(Profile, {"name": name} | values, name)
    return profile


def _made(kind: type, values: Mapping[str, Any], where: str) -> Any:
    known = [one.name for one in fields(kind)]
    if unknown := set(values) - set(known):
        raise InputError(f"{where}: no setting {sorted(unknown)[0]!r}; there is {', '.join(known)}")
    try:
        return kind(**values)
    except TypeError as error:
        raise InputError(f"{where}: {error}") from error


def _folder() -> Path:
    return PACKAGED if PACKAGED.is_dir() else REPOSITORY


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"no such file: {path}") from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {path}: {error}") from error

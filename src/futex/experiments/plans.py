"""What each experiment does, read from TOML: one file an experiment, and one with the profiles (how much work).

The files lie in `experiments/` of the repository, and inside the package once it is installed.
"""

import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from futex.config import Recipe
from futex.errors import InputError
from futex.evaluation.gold import Gold
from futex.evaluation.metrics import evaluate
from futex.experiments.jobs import is_known, is_random
from futex.experiments.panels import number_of
from futex.experiments.results import is_of_the_paper, place_of
from futex.experiments.shapes import ANY_TEXTS, COUNT, COUNTS, PLOT, SHARE, TABLE, TABLES, TEXT, TEXTS, Shape
from futex.naming.factors import ALL_FACTORS
from futex.ranking import Ranking

PROFILES = "profiles.toml"
METRICS = {"metrics": TEXTS, "plotted": TEXTS}
NEEDED: Mapping[str, Mapping[str, Shape]] = {
    "sizes": {"published": TABLE},
    "comparison": {"head": TEXT, **METRICS, "plot": PLOT, "rows": TABLES},
    "cases": {"cases": COUNT, "rows": TABLES},
    "supervised": {**METRICS, "test_share": SHARE, "sizes": COUNTS, "published": TEXT},
    "timing": {"training": ANY_TEXTS, "rows": TABLES},
    "curve": {**METRICS, "triples": COUNT, "looks": COUNT, "sizes": COUNTS, "dev": COUNT},
}
"""Without what an experiment of each kind would come to nothing, perhaps after hours."""
OPTIONAL = {"rows": TABLES, "papers": COUNT, "against": TEXT, "better_than": TEXT, "differences": TEXTS}
IN_ROWS = dict.fromkeys(("method", "title", "block", "adapted", "text", "plm"), TEXT) | {
    "length": COUNT,
    "factors": ANY_TEXTS,
    "training": COUNT,
    "recipe": TABLE,
    "published": TABLE,
}
IN_RECIPES = sorted({one.name for one in fields(Recipe)} - {"name", "plm", "seed", "triples"})
"""What a row may change; the others have a place of their own."""
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
        return is_of_the_paper(self.name)

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
    return {plan.name: plan for plan in sorted(plans, key=lambda plan: place_of(plan.name))}


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
    _check_shapes(str(path), wants, dict.fromkeys(("title", "caption", "kind"), TEXT))
    try:
        plan = Plan(path.stem, wants.pop("title"), wants.pop("caption"), wants.pop("kind"), wants)
    except KeyError as error:
        raise InputError(f"{path}: an experiment needs {error.args[0]!r}") from error
    _check(plan)
    return plan


def _check(plan: Plan) -> None:
    """Better now than after hours of work."""
    _check_names(plan.name, "kind", [plan.kind], NEEDED)
    for setting, shape in NEEDED[plan.kind].items():
        shape.check(f"{plan.name}: {setting}", plan[setting])
    _check_shapes(plan.name, plan.wants, OPTIONAL)
    for row in plan.wants.get("rows", []):
        _check_shapes(f"{plan.name}, row {row.get('title')!r}", row, IN_ROWS)
    metrics, rows = plan.wants.get("metrics", []), list(systems(plan)) if "rows" in plan.wants else []
    _check_names(plan.name, "metrics", metrics, _measured())
    _check_names(plan.name, "plotted", plan.wants.get("plotted", []), metrics)
    for system in rows:
        _check_system(f"{plan.name}, row {system.title!r}", system, len(metrics))
    if plan.wants.get("plot") == "lines":
        for system in rows:
            number_of(system.title)
    methods = [system.method for system in rows]
    if "against" in plan.wants:
        _check_names(plan.name, "against", [plan["against"]], methods)
    if plan.kind == "timing":
        _check_names(plan.name, "training", plan["training"], methods)
    if "better_than" in plan.wants:
        _check_names(plan.name, "better_than", [plan["better_than"]], [system.title for system in rows])
        _check_names(plan.name, "differences", plan["differences"], _measured())


def _check_shapes(where: str, values: Mapping[str, Any], shapes: Mapping[str, Shape]) -> None:
    for setting, shape in shapes.items():
        if setting in values:
            shape.check(f"{where}: {setting}", values[setting])


def _check_system(where: str, system: System, columns: int) -> None:
    _check_names(where, "factors", system.factors, ALL_FACTORS)
    _check_names(where, "recipe", system.recipe, IN_RECIPES)
    try:
        Recipe.from_dict(system.recipe)
    except InputError as error:
        raise InputError(f"{where}: {error}") from error
    for corpus, values in system.published.items():
        TEXTS.check(f"{where}: published {corpus}", values)
        if len(values) != columns:
            raise InputError(f"{where}: published {corpus} has {len(values)} values, but there are {columns} metrics")


def _check_names(where: str, setting: str, named: Collection[str], known: Collection[str]) -> None:
    for name in named:
        if name not in known:
            raise InputError(f"{where}: {setting} cannot have {name!r}: choose {', '.join(dict.fromkeys(known))}")


def _measured() -> tuple[str, ...]:
    """Every metric there is."""
    return evaluate({"paper": Ranking.of({"label": 1.0})}, Gold({"paper": ["label"]})).metrics


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
    _check_shapes(name, values, {"name": TEXT, "seeds": COUNT, "triples": COUNT})
    for setting in ("seeds_of", "triples_of", "plm_of", "papers", "papers_of"):
        shape = TEXT if setting == "plm_of" else COUNT
        _check_table(f"{name}: {setting}", getattr(profile, setting), shape, of_methods=setting != "papers")
    return profile


def _check_table(where: str, values: Any, shape: Shape, *, of_methods: bool) -> None:
    TABLE.check(where, values)
    for name, value in values.items():
        if of_methods and not is_known(name):
            raise InputError(f"{where}: there is no method {name!r}")
        shape.check(f"{where} of {name}", value)


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
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"cannot read {path}: {error}") from error

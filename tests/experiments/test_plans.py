"""The files that say what each experiment does."""

import pytest

from futex.baselines.methods import METHODS
from futex.config import ABLATIONS, RECIPES
from futex.errors import InputError
from futex.evaluation.metrics import Measure
from futex.experiments.plans import Profile, all_plans, plans_named, profile_named, read_plan, systems
from futex.experiments.running import KINDS

PLANS = all_plans()


def test_every_table_and_figure_with_numbers_has_its_plan():
    of_the_paper = [*(f"table{i}" for i in range(1, 7)), "figure1", "figure5", "figure6", "figure7"]
    assert list(PLANS) == [*of_the_paper, "beyond", "larger", "learning_curve"]
    assert [plan.name for plan in plans_named("all")] == of_the_paper


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_plans_name_what_exists(plan):
    assert plan.kind in KINDS
    metrics = plan.wants.get("metrics", [])
    assert all(str(Measure.parse(metric)) == metric for metric in metrics)
    assert set(plan.wants.get("plotted", [])) <= set(metrics)
    for system in systems(plan) if "rows" in plan.wants else ():
        assert all(len(values) == len(metrics) for values in system.published.values())
        assert set(system.recipe) <= set(RECIPES["paper"].as_dict())
        if system.text and system.method in METHODS:
            assert system.text in METHODS[system.method].texts


def test_the_main_comparison_names_every_method_there_is():
    wanted = {system.method for system in systems(PLANS["table2"])} | {s.method for s in systems(PLANS["table3"])}
    assert set(METHODS) | set(ABLATIONS) <= wanted


def test_a_value_of_the_paper_stands_beside_its_row():
    specter = [system for system in systems(PLANS["table2"]) if system.method == "specter"]
    assert [system.published["MAG-CS"][0] for system in specter] == ["0.7599**", "0.7582**"]


def test_profiles_say_how_much_work():
    assert profile_named("paper").seeds_for("futex") == 5
    assert profile_named("paper").seeds_for("specter") == 1  # the same every time
    quick = profile_named("quick")
    assert quick.triples_for("futex") is not None
    assert quick.seeds_for("futex") >= 2  # one seed cannot be tested
    assert set(quick.papers) <= set(PLANS)


def test_files_of_the_user_are_read_and_checked(tmp_path):
    (tmp_path / "mine.toml").write_text("seeds = 2\ntriples = 9\n")
    assert profile_named(str(tmp_path / "mine.toml")) == Profile("mine", seeds=2, triples=9)
    (tmp_path / "mine.toml").write_text("seed = 2\n")
    with pytest.raises(InputError, match="no setting 'seed'"):
        profile_named(str(tmp_path / "mine.toml"))
    (tmp_path / "mine.toml").write_text('title = "Mine"\n')
    with pytest.raises(InputError, match="needs 'caption'"):
        read_plan(tmp_path / "mine.toml")
    with pytest.raises(InputError, match="choose all, table1"):
        plans_named("table9")
    with pytest.raises(InputError, match="no such file"):
        plans_named(str(tmp_path / "none.toml"))

"""The files that say what each experiment does."""

import pytest

from futex.baselines.methods import METHODS
from futex.config import ABLATIONS
from futex.errors import InputError
from futex.experiments.plans import NEEDED, Profile, all_plans, plans_named, profile_named, read_plan, systems
from futex.experiments.running import KINDS

PLANS = all_plans()


def test_every_table_and_figure_with_numbers_has_its_plan():
    of_the_paper = [*(f"table{i}" for i in range(1, 7)), "figure1", "figure5", "figure6", "figure7"]
    assert list(PLANS) == [*of_the_paper, "beyond", "larger", "learning_curve", "transfer"]
    assert [plan.name for plan in plans_named("all")] == of_the_paper


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_systems_read_what_their_methods_can(plan):
    """All else was checked when the plan was read."""
    for system in systems(plan) if "rows" in plan.wants else ():
        if system.text and system.method in METHODS:
            assert system.text in METHODS[system.method].texts


def test_it_is_known_of_every_kind_what_it_needs():
    assert NEEDED.keys() == KINDS.keys()


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
    (tmp_path / "mine.toml").write_text(f"rows = {'[' * 5000}{']' * 5000}\n")
    with pytest.raises(InputError, match=r"cannot read .*mine\.toml"):
        read_plan(tmp_path / "mine.toml")
    with pytest.raises(InputError, match="choose all, table1"):
        plans_named("table9")
    with pytest.raises(InputError, match="no such file"):
        plans_named(str(tmp_path / "none.toml"))


MINE = """
title = "Mine"
caption = ""
kind = "comparison"
head = "method"
metrics = ["P@1", "P@5"]
plot = "dots"
plotted = ["P@5"]
against = "futex"
better_than = "ours"
differences = ["P@5"]

[[rows]]
method = "best"
title = "ours"
factors = ["frequency"]
published."MAG-CS" = ["0.5", "0.4"]

[[rows]]
method = "futex"
title = "3"
recipe.trees = 5
"""


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ('kind = "comparison"', 'kind = "comparisn"', "mine: kind cannot have 'comparisn': choose sizes, comparison"),
        ('["P@1", "P@5"]', '["P@10", "P@5"]', "metrics cannot have 'P@10': choose P@1, P@3"),
        ('plotted = ["P@5"]', 'plotted = ["P@3"]', "plotted cannot have 'P@3': choose P@1, P@5"),
        ('plotted = ["P@5"]', "", "lacks 'plotted'"),
        ('differences = ["P@5"]', "", "lacks 'differences'"),
        ('against = "futex"', 'against = "futx"', "against cannot have 'futx': choose best, futex"),
        ('better_than = "ours"', 'better_than = "our"', "better_than cannot have 'our': choose ours, 3"),
        ('["0.5", "0.4"]', '["0.5"]', "row 'ours': published MAG-CS has 1 values, but there are 2 metrics"),
        ('published."MAG-CS" = ["0.5", "0.4"]', "published = 3", "published must be a table"),
        ('["frequency"]', '["frequncy"]', "row 'ours': factors cannot have 'frequncy': choose frequency"),
        ("recipe.trees", "recipe.treees", "row '3': recipe cannot have 'treees'"),
        ("recipe.trees", "recipe.seed", "row '3': recipe cannot have 'seed'"),
        ("trees = 5", "trees = 0", "row '3': the recipe's 'trees' cannot be 0"),
        ('plot = "dots"', 'plot = "lines"', "needs rows whose titles are numbers, not 'ours'"),
        ('plot = "dots"', 'plot = "bars"', """plot must be "dots" or "lines", not 'bars'"""),
        ('["0.5", "0.4"]', "[0.5, 0.4]", r"row 'ours': published MAG-CS must be a list of one text or more, not \[0.5"),
        ('title = "3"', "title = 3", "row 3: title must be a text, not 3"),
        ('["frequency"]', '"frequency"', "row 'ours': factors must be a list of texts, not 'frequency'"),
        ("recipe.trees = 5", 'training = "50"', "row '3': training must be a number from 1 on, not '50'"),
        ('plotted = ["P@5"]', "plotted = []", r"plotted must be a list of one text or more, not \[\]"),
        ('head = "method"', 'head = "method"\npapers = "9"', "papers must be a number from 1 on, not '9'"),
        ('title = "Mine"', "title = 3", r"mine.toml: title must be a text, not 3"),
    ],
)
def test_a_plan_of_the_user_is_refused_before_anything_runs(tmp_path, right, wrong, message):
    (tmp_path / "mine.toml").write_text(MINE)
    assert read_plan(tmp_path / "mine.toml").name == "mine"
    (tmp_path / "mine.toml").write_text(MINE.replace(right, wrong))
    with pytest.raises(InputError, match=message):
        read_plan(tmp_path / "mine.toml")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"rows": "[]"}, r"rows must be one table or more, like \[\[rows\]\], not \[\]"),
        ({"rows": "[1]"}, "rows must be one table or more"),
        ({"test_share": "2"}, "test_share must be a share above 0 and up to 1, not 2"),
        ({"sizes": "[]"}, "sizes must be a list of one number or more, each from 1 on"),
        ({"published": "{}"}, "published must be a text"),
    ],
)
def test_values_of_another_kind_are_refused(tmp_path, wrong, message):
    right = {"title": "''", "caption": "''", "kind": "'supervised'", "metrics": "['P@5']", "plotted": "['P@5']"}
    right |= {"test_share": "0.5", "sizes": "[10]", "published": "''"}
    (tmp_path / "mine.toml").write_text("\n".join(f"{name} = {value}" for name, value in (right | wrong).items()))
    with pytest.raises(InputError, match=message):
        read_plan(tmp_path / "mine.toml")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("plm_of = { futex = 3 }", "mine: plm_of of futex must be a text, not 3"),
        ("seeds = 0", "mine: seeds must be a number from 1 on, not 0"),
        ("seeds_of = { futex = 0 }", "mine: seeds_of of futex must be a number from 1 on"),
        ("papers_of = { futx = 3 }", "mine: papers_of: there is no method 'futx'"),
        ("papers = 3", "mine: papers must be a table"),
    ],
)
def test_a_profile_of_the_user_is_checked(tmp_path, line, message):
    (tmp_path / "mine.toml").write_text(line)
    with pytest.raises(InputError, match=message):
        profile_named(str(tmp_path / "mine.toml"))

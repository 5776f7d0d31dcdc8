import pytest

from futex.labels.label import Label, LabelSpace
from futex.labels.report import TOO_LONG, Name, report


def report_on(*labels: Label, found=None):
    return report(LabelSpace(labels), found)


def hierarchy(**broader: str):
    """A report on labels that are given as label="its broader labels"."""
    return report_on(*(Label(name, name, broader=tuple(above.split())) for name, above in broader.items()))


def test_counts():
    cat = Label("1", "Cat", ("Puss", "Moggy"), "An animal.", type="organism")
    made = report_on(cat, Label("2", "Dog", broader=("1",)))
    assert (made.labels, made.names, made.with_description, made.routine) == (2, 4, 1, 1)
    assert (made.top_labels, made.depth) == (1, 2)
    assert (made.papers, made.labels_found, made.frequent_names) == (None, None, None)


def test_depth_is_the_longest_way_down():
    assert hierarchy(a="", b="a", c="b a", d="c", e="a").depth == 4
    assert hierarchy(c="b", b="a", a="").depth == 3
    assert hierarchy(a="", b="").depth == 1


def test_deep_hierarchies_do_not_exhaust_the_stack():
    labels = [Label(str(i), "x", broader=(str(i - 1),) if i else ()) for i in range(50_000)]
    assert report_on(*labels).depth == 50_000


def test_circles_and_missing_broader_labels():
    made = hierarchy(top="", a="top c", b="a", c="b", leaf="c gone", own="own", fine="top gone")
    assert made.in_circles == ("a", "b", "c", "own")
    assert made.missing_broader == ("gone",)
    assert made.depth == 2
    assert made.top_labels == 1


def test_a_label_between_two_circles_is_in_none():
    assert hierarchy(a="b", b="a", between="a", c="between d", d="c").in_circles == ("a", "b", "c", "d")


def test_names_are_shared_when_they_look_alike_in_a_text():
    made = report_on(
        Label("1", "Acute Abdomen"), Label("2", "Abdomen, Acute"), Label("3", "X", ("acute-abdomen",))
    )  # fmt: skip
    assert made.shared_names == (Name("Acute Abdomen", ("1", "2", "3")),)


def test_a_name_with_several_forms_is_listed_once():
    made = report_on(Label("1", "Abdomen, Acute"), Label("2", "abdomen, acute"))
    assert made.shared_names == (Name("Abdomen, Acute", ("1", "2")),)


@pytest.mark.parametrize("name", ["–", "( )", "word " * (TOO_LONG + 1)])
def test_labels_that_can_never_be_matched(name):
    made = report_on(Label("1", name), Label("2", name, ("cat",)), Label("3", "word " * TOO_LONG))
    assert made.never_matched == ("1",)


@pytest.mark.parametrize("name", ["It", "THE", "as well as", "pH", "7", "2019", "C#"])
def test_everyday_names(name):
    made = report_on(Label("1", "Cat", (name,)), Label("2", "Other cats"), Label("3", "Well-Being"))
    assert [found.name for found in made.everyday_names] == [name]


def test_names_that_are_too_frequent_in_a_corpus():
    space = [
        Label("1", "Time", ("times",)),
        Label("2", "Cat"),
        Label("3", "Passing time", ("TIME",)),
        Label("4", "Dog"),
    ]
    found = [{"1": {"time", "Times"}, "3": {"time"}}, {"1": {"Time"}, "2": {"cat"}}, {}, {}, {"2": ["cats"]}]
    made = report_on(*space, found=found)
    assert (made.papers, made.labels_found) == (5, 3)
    assert made.frequent_names == (Name("Time", ("1", "3"), 0.4),)


def test_no_papers_no_frequent_names():
    assert report_on(Label("1", "Time"), found=[]).frequent_names == ()


def test_many_labels_with_one_name_are_reported_in_linear_time():
    made = report_on(*(Label(str(i), "x") for i in range(50_000)))
    assert len(made.shared_names[0].labels) == 50_000

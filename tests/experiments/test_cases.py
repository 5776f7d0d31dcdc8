"""Which papers the case study shows, and where it says that a label is named."""

from futex.candidates import Matcher, mentions
from futex.corpus.paper import Paper, section
from futex.experiments.cases import IN_ABSTRACT, IN_TEXT, NOWHERE, Case
from futex.labels.label import Label, LabelSpace

LABELS = LabelSpace([Label("L", "lung"), Label("M", "Mice", synonyms=("mouse",)), Label("B", "brain")])
PAPER = Paper(
    "d1", "The lung", "Of a mouse.", section("", ["A mouse has a brain that is smaller than you might think."])
)
CASE = Case(
    "d1",
    "The lung",
    frozenset("LB"),
    {label: found[0] for label, found in mentions(PAPER, Matcher(LABELS), "full").items()},
)


def test_a_name_counts_where_it_stands_first():
    assert [CASE.place(label) for label in ("L", "M", "B", "other")] == [IN_ABSTRACT, IN_ABSTRACT, IN_TEXT, NOWHERE]


def test_true_labels_that_only_the_full_text_names_come_first_then_true_labels_then_ids():
    assert CASE.worth(["B"]) < CASE.worth(["L", "M"]) < CASE.worth(["M"])
    other = Case("d2", "", CASE.gold, CASE.mentions)
    assert CASE.worth(["B"]) < other.worth(["B"]) < CASE.worth(["L"])

"""Which papers the case study shows, and where it says that a label is named."""

from futex.candidates import Matcher, mentions
from futex.corpus.paper import Paper, section
from futex.experiments.cases import IN_ABSTRACT, IN_TEXT, NOWHERE, Case, study
from futex.experiments.lab import Lab
from futex.experiments.plans import Plan, Profile
from futex.experiments.units import Units
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


def test_a_method_is_not_blamed_for_papers_that_the_profile_kept_from_it(folder, corpus):
    """Both find the two true labels that each abstract names, whether thirty papers are ranked or, by one, ten."""
    rows = [{"method": "specter", "title": "SPECTER"}, {"method": "lexical", "title": "Lexical"}]
    table4 = Plan("table4", "", "", "cases", {"cases": 12, "rows": rows})
    lab = Lab(corpus, Units(folder / "units", folder / "cache"), "fake", Profile("few", papers_of={"lexical": 10}))
    found = study(table4, lab)
    in_abstract = found.panels[0].series[0]
    assert dict(zip(in_abstract.x, in_abstract.y, strict=True)) == {
        "all true labels": 2.0,
        "SPECTER, top 5": 2.0,
        "Lexical, top 5": 2.0,
    }
    assert len(found.table.rows) == 10
    assert found.notes[1:] == ("These are of the 10 papers with gold that all methods have ranked.",)

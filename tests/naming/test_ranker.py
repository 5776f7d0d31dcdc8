"""How a paper names a label, on numbers worked out by hand."""

import math
from random import Random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from futex.config import RECIPES
from futex.corpus.paper import Paper, section
from futex.evidence import Explainer
from futex.labels.label import Label, LabelSpace
from futex.naming.factors import ALL_FACTORS, ROUTINE, Among, in_its_place, product
from futex.naming.probability import EVEN, STEEPNESS
from futex.naming.ranker import NameRanker
from futex.pipeline import FuTex

LABELS = LabelSpace([Label("A", "asthma"), Label("L", "lung"), Label("S", "stem cell"), Label("M", "mouse", ("mice",))])
BODY = section("", ["The lung of mice has stem cells, and stem cells are in the lung of a mouse as well."])
PAPERS = [
    Paper("d1", "On asthma", "The lung.", BODY),
    Paper("d2", "Mice", "Of mice and others."),
    Paper("d3", "A", "B"),
]


MICE = 22
"""Papers at large with "mouse"; "mice" stands in fewer, "lung" and "asthma" in less than a tenth of them."""


def scored(name, plm=None, papers=PAPERS, labels=LABELS):
    """Scores as they are before they become probabilities."""
    ranker = NameRanker(labels, plm)
    counts = ranker.look(papers)
    ranker.learn(counts)
    ranking = ranker.conclude(papers, counts)[name]
    return {label: EVEN * (shown / (1 - shown)) ** (1 / STEEPNESS) for label, shown in ranking}


def rarity(papers_with, common=0):
    """In a corpus of 3 papers, and 122 at large."""
    return (1 + math.log(126 / (papers_with + common + 0.5))) / (1 + math.log(126))


def test_place_frequency_specificity_and_length_multiply():
    assert scored("d1") == pytest.approx(
        {
            "A": 1.5 * math.log(2) * rarity(1),  # once, in the title
            "L": 1.5 * math.log(4) * rarity(1),  # three times, once of them in the abstract
            "S": 1.0 * math.log(3) * rarity(1) * 1.2,  # two words
            "M": 1.0 * math.log(3) * rarity(2, MICE),  # in two papers
        }
    )
    assert scored("d2") == pytest.approx({"M": 2.0 * math.log(3) * rarity(2, MICE)})
    assert scored("d3") == {}


def test_what_is_given_however_common_loses_nothing_by_being_common():
    """Each paper names both, the cell once more; but a mouse that was studied is a label by routine."""
    labels = LabelSpace([Label("C", "cell"), Label("D051379", "Mice", ("mouse",))])
    papers = [Paper(f"d{n}", "", "A cell, a cell and a mouse.") for n in range(9)]
    first = {}
    for factors in (ALL_FACTORS, set(ALL_FACTORS) - {ROUTINE}):
        ranker = NameRanker(labels, None, factors)
        counts = ranker.look(papers)
        ranker.learn(counts)
        first[ROUTINE in factors] = ranker.conclude(papers, counts)["d0"].labels[0]
    assert first == {True: "D051379", False: "C"}


def test_what_other_labels_are_named_after_is_too_general():
    """The case it was made for: both are named as often, but two other labels are kinds of lymphocytes."""
    labels = LabelSpace(Label(name, name) for name in ("Lymphocytes", "Thymus", "T-Lymphocytes", "B-Lymphocytes"))
    papers = [Paper("d", "", "Lymphocytes in the thymus: the thymus of a lymphocyte.")]
    scores = scored("d", None, papers, labels)
    assert scores["Lymphocytes"] / scores["Thymus"] == pytest.approx(3**-0.1)


def test_what_papers_at_large_speak_of_says_little_in_a_small_corpus():
    """The case it was made for: a single paper that names both once."""
    labels = LabelSpace([Label("C", "Culture"), Label("A", "Asthma")])
    scores = scored("d", None, [Paper("d", "", "A culture of asthma.")], labels)
    assert scores["C"] / scores["A"] == pytest.approx((1 + math.log(124 / 36.5)) / (1 + math.log(124 / 1.5)))


def test_what_is_given_by_routine_may_be_as_general_as_it_likes():
    labels = LabelSpace(
        [Label("D051379", "Mice"), Label("S", "Stem"), Label("T", "Mice, Nude"), Label("B", "Mice Ear")]
    )
    papers = [Paper("d", "", "Mice on a stem.")]
    alone = LabelSpace([labels["D051379"], labels["S"]])
    assert scored("d", None, papers, labels)["D051379"] == scored("d", None, papers, alone)["D051379"]


class Directions:
    """A PLM that knows two directions: texts with "lung", and all others."""

    def embed(self, texts):
        return np.array([[3.0, 0.0] if "lung" in text else [0.0, 2.0] for text in texts], np.float32)


def test_the_plm_weighs_mildly():
    """e^(1 + 1) for what both the abstract and the best paragraphs are like, e^0 for the rest, less their mean."""
    without, with_plm = scored("d1"), scored("d1", Directions())
    factors = {label: with_plm[label] / without[label] for label in without}
    others = math.exp(-2 / 4)
    assert factors == pytest.approx({"A": others, "L": math.exp(2 - 2 / 4), "S": others, "M": others})


def test_what_is_given_by_routine_keeps_its_place_whatever_the_plm_thinks():
    """Of the three others, whose mean is 2/3 now, one is like the text. The mouse stays between the other two."""
    labels = LabelSpace([*(LABELS[label] for label in "ALS"), Label("D051379", "mouse", ("mice",))])
    without, with_plm = scored("d1", labels=labels), scored("d1", Directions(), labels=labels)
    mouse = without.pop("D051379")
    factors = {label: with_plm[label] / without[label] for label in without}
    others = math.exp(-2 / 3)
    assert factors == pytest.approx({"A": others, "L": math.exp(2 - 2 / 3), "S": others})
    assert without["A"] < mouse < without["S"] < without["L"]
    assert with_plm["D051379"] / mouse == pytest.approx(others)


def test_what_is_given_by_routine_and_named_most_stays_first():
    """The PLM's favourite becomes e times as strong, but passes only what the PLM knows."""
    labels = LabelSpace([Label("A", "asthma"), Label("L", "lung"), Label("D051379", "mouse")])
    paper = Paper("d", "The lung", "Asthma and asthma, a lung, a mouse, a mouse, a mouse, a mouse.")
    assert list(scored("d", None, [paper], labels)) == ["D051379", "L", "A"]
    assert list(scored("d", Directions(), [paper], labels)) == ["D051379", "L", "A"]


def test_without_any_factor_all_labels_score_alike():
    [counts] = NameRanker(LABELS, None).look([Paper("d", "", "Asthma of the lung, the lung.")])
    among = Among(np.ones(2), np.zeros(2, np.int64))
    assert product((), counts, among).tolist() == [1, 1]


def test_what_is_below_or_above_all_others_stays_as_far_below_or_above():
    """Half of the lowest is half of it afterwards, and twice the highest twice."""
    kept = in_its_place(np.array([0.25, 8.0]), np.array([0.5, 4.0]), np.array([1.0, 2.0]))
    assert kept.tolist() == pytest.approx([0.5, 4.0])


@given(st.lists(st.floats(0.1, 10), min_size=1), st.lists(st.floats(0.1, 10), min_size=1), st.randoms())
@example([0.1], [math.nextafter(0.1, 1)] * 2, Random(0))  # as logarithms they are the same
def test_the_place_among_others_stays(scores, before, random):
    after = [score * random.uniform(0.2, 5) for score in before]
    kept = in_its_place(np.array(scores), np.array(before), np.array(after))
    nearly = 1 + 1e-9
    for score, new in zip(scores, kept, strict=True):
        assert sum(new > other * nearly for other in after) <= sum(score * nearly >= other for other in before)
        assert sum(new * nearly < other for other in after) <= sum(score <= other * nearly for other in before)


def test_only_the_best_three_paragraphs_count():
    paragraphs = ["All about the lung, the lung, the lung and nothing but the lung."] * 2
    others = ["Nothing of the kind stands here, nor anywhere else in this text."] * 8
    paper = Paper("d", "Lung", "Words of asthma.", section("", [*paragraphs, *others]))
    without, with_plm = scored("d", None, [paper]), scored("d", Directions(), [paper])
    factors = {label: with_plm[label] / without[label] for label in without}
    # The abstract has no "lung", two of the best three paragraphs have; all of them that have not are like asthma.
    assert factors["L"] / factors["A"] == pytest.approx(math.exp((0 + 2 / 3) - (1 + 1)))


def test_a_recipe_without_modules(papers, labels, tmp_path):
    model = FuTex(RECIPES["best"].but(plm="fake"))
    rankings = model.fit_rank(papers, labels)
    assert model.rank(papers) == rankings
    model.save_pretrained(tmp_path / "model")
    assert FuTex.from_pretrained(tmp_path / "model").rank(papers) == rankings
    suggestion = Explainer(model).suggestions(papers[0], rankings[papers[0].id], top=1)[0]
    assert suggestion.source == "matching"
    assert {piece["kind"] for piece in suggestion.evidence} >= {"name"}


def test_it_works_without_any_plm(papers, labels, tmp_path):
    model = FuTex(RECIPES["best"].but(plm="none"))
    rankings = model.fit_rank(papers, labels)
    model.save_pretrained(tmp_path / "model")
    assert FuTex.from_pretrained(tmp_path / "model").rank(papers) == rankings
    assert Explainer(model).suggestions(papers[0], rankings[papers[0].id], top=1)[0].evidence

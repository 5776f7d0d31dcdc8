from collections.abc import Collection
from math import log, log2
from random import Random

import ir_measures
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from ir_measures import P, Qrel, R, ScoredDoc, nDCG

from futex.errors import InputError
from futex.evaluation.gold import Gold
from futex.evaluation.metrics import Measure, evaluate, inverse_propensities
from futex.ranking import Ranking

KS = (1, 3, 5)
LABELS = [f"l{i}" for i in range(8)]
PAPERS = [f"d{i}" for i in range(6)]


def ranked(*labels: str) -> Ranking:
    return Ranking(labels, tuple(float(-place) for place in range(len(labels))))


golds = st.dictionaries(st.sampled_from(PAPERS), st.frozensets(st.sampled_from(LABELS)), min_size=1).map(Gold)
rankings = st.dictionaries(
    st.sampled_from(PAPERS), st.lists(st.sampled_from(LABELS), unique=True).map(lambda labels: ranked(*labels))
)


class TestByHand:
    """Five papers: d4 is not ranked and d5 has no label, but both count in |D| = 5.

    N_A = 3, N_B = 2, N_C = N_D = 1, C = (ln 5 - 1) · 2.5^0.55 = 0.60944 · 1.65526 = 1.00878, so that 1/p_l is
        A  1 + 1.00878 · 4.5^-0.55 = 1 + 1.00878 · 0.43725 = 1.44109
        B  1 + 1.00878 · 3.5^-0.55 = 1 + 1.00878 · 0.50207 = 1.50648
        C, D  1 + 1.00878 · 2.5^-0.55 = ln 5               = 1.60944
    Discounts at places 1, 2, 3: 1, 1/log2(3) = 0.63093, 0.5.
    d1 hits at places 1 (A) and 3 (B), d2 at place 2 (A), d3 has nothing.
    """

    gold = Gold({"d1": "AB", "d2": "A", "d3": "ACD", "d4": "B", "d5": ""})
    rankings = {"d1": ranked("A", "X", "B"), "d2": ranked("X", "A"), "d3": ranked(), "d5": ranked("A")}  # noqa: RUF012

    @pytest.mark.parametrize(
        ("metric", "by_hand"),
        [
            ("P@1", 1 / 3),  # (1 + 0 + 0) / 3
            ("P@3", 1 / 3),  # (2/3 + 1/3 + 0) / 3
            ("P@5", 0.2),  # (2/5 + 1/5 + 0) / 3: open places are misses
            ("R@1", 1 / 6),  # (1/2 + 0 + 0) / 3
            ("R@3", 2 / 3),  # (2/2 + 1/1 + 0/3) / 3
            ("R@5", 2 / 3),
            ("NDCG@3", 0.51688),  # ((1 + 0.5) / (1 + 0.63093) + 0.63093 / 1 + 0) / 3 = (0.91972 + 0.63093) / 3
            ("NDCG@5", 0.51688),
            # A of d1 ÷ (B of d1 + A of d2 + C of d3) = 1.44109 / (1.50648 + 1.44109 + 1.60944)
            ("PSP@1", 0.31624),
            # ((A + B) + A) ÷ ((A + B) + A + (C + D + A)) = 4.38866 / (2.94757 + 1.44109 + 4.65997)
            ("PSP@3", 0.48501),
            # d1: 1.44109 + 1.50648 · 0.5 = 2.19433, at best 1.50648 + 1.44109 · 0.63093 = 2.41571
            # d2: 1.44109 · 0.63093 = 0.90923, at best 1.44109
            # d3: 0, at best 1.60944 + 1.60944 · 0.63093 + 1.44109 · 0.5 = 3.34543
            ("PSN@3", 0.43092),  # 3.10356 / 7.20223
            ("rawPSP@1", 0.48036),  # 1.44109 / 1 / 3
            ("rawPSP@3", 0.48763),  # (2.94757 / 3 + 1.44109 / 3 + 0) / 3
            ("rawPSN@3", 0.75156),  # (2.19433 / 1.63093 + 0.90923 / 1 + 0) / 3 = (1.34545 + 0.90923) / 3
        ],
    )
    def test_mean(self, metric: str, by_hand: float) -> None:
        assert evaluate(self.rankings, self.gold).mean(metric) == pytest.approx(by_hand, abs=1e-5)

    def test_rewards(self) -> None:
        expected = {"A": 1.44109, "B": 1.50648, "C": log(5), "D": log(5)}
        assert inverse_propensities(self.gold) == pytest.approx(expected, abs=1e-5)

    def test_papers_without_gold_or_ranking_are_left_out(self) -> None:
        evaluation = evaluate(self.rankings, self.gold)
        assert evaluation.papers == 3
        assert evaluation.paper_ids == ("d1", "d2", "d3")

    def test_as_dict_is_ready_for_json(self) -> None:
        evaluation = evaluate(self.rankings, self.gold)
        as_dict = evaluation.as_dict()
        assert tuple(as_dict) == ("papers", *evaluation.metrics)
        assert {type(value) for value in as_dict.values()} == {int, float}


def test_the_order_of_the_metrics_and_no_twins_at_1() -> None:
    metrics = evaluate({"d": ranked("A")}, Gold({"d": "A"}), ks=[5, 1, 3, 3]).metrics
    assert " ".join(metrics) == (
        "P@1 P@3 P@5 NDCG@3 NDCG@5 R@1 R@3 R@5 PSP@1 PSP@3 PSP@5 PSN@3 PSN@5 "
        "rawPSP@1 rawPSP@3 rawPSP@5 rawPSN@3 rawPSN@5"
    )
    at_2 = evaluate({"d": ranked("A")}, Gold({"d": "A"}), ks=[2]).metrics
    assert " ".join(at_2) == "P@2 NDCG@2 R@2 PSP@2 PSN@2 rawPSP@2 rawPSN@2"


@pytest.mark.parametrize("papers", [1, 2])
def test_a_tiny_gold_gives_every_label_the_same_reward(papers: int) -> None:
    # ln 1 and ln 2 are below 1: C would be negative, and rare labels would earn less than frequent ones.
    assert set(inverse_propensities(Gold({f"d{i}": "A" for i in range(papers)})).values()) == {1.0}


@given(rankings, golds)
def test_agrees_with_ir_measures(rankings: dict[str, Ranking], gold: Gold) -> None:
    papers = [paper for paper in rankings if gold.get(paper)]
    run = [ScoredDoc(paper, label, score) for paper in papers for label, score in rankings[paper]]
    assume(run)
    qrels = [Qrel(paper, label, 1) for paper in papers for label in gold[paper]]
    oracle = ir_measures.calc_aggregate([m @ k for m in (P, nDCG, R) for k in KS], qrels, run)
    evaluation = evaluate(rankings, gold)
    for measure, expected in oracle.items():
        if str(measure) != "nDCG@1":
            assert evaluation.mean(str(measure).upper()) == pytest.approx(expected, abs=1e-9)
    assert evaluation.mean("P@1") == pytest.approx(oracle[nDCG @ 1], abs=1e-9)


def brute_force(rankings: dict[str, Ranking], gold: Gold, k: int) -> dict[str, float]:
    """The appendix, and its normalised form, in plain loops."""

    def reward(label: str) -> float:
        n = sum(label in labels for labels in gold.values())
        return float(1 + max(0.0, (log(len(gold)) - 1) * 2.5**0.55) * (n + 1.5) ** -0.55)

    papers = [paper for paper in rankings if gold.get(paper)]
    psp = psn = best_psp = best_psn = raw_psp = raw_psn = 0.0
    for paper in papers:
        paper_psn = ideal = 0.0
        for i, label in enumerate(rankings[paper].labels[:k], start=1):
            if label in gold[paper]:
                psp += reward(label)
                raw_psp += reward(label) / k
                paper_psn += reward(label) / log2(i + 1)
        for i, best in enumerate(sorted(map(reward, gold[paper]), reverse=True)[:k], start=1):
            best_psp += best
            best_psn += best / log2(i + 1)
            ideal += 1 / log2(i + 1)
        psn += paper_psn
        raw_psn += paper_psn / ideal
    means = {"PSP": psp / best_psp, "PSN": psn / best_psn}
    return means | {"rawPSP": raw_psp / len(papers), "rawPSN": raw_psn / len(papers)}


@given(rankings, golds)
def test_propensity_scores_agree_with_brute_force(rankings: dict[str, Ranking], gold: Gold) -> None:
    assume(any(gold.get(paper) for paper in rankings))
    evaluation = evaluate(rankings, gold)
    for k in KS:
        expected = brute_force(rankings, gold, k)
        if k == 1:
            assert expected["PSN"] == pytest.approx(expected["PSP"])
            assert expected["rawPSN"] == pytest.approx(expected["rawPSP"])
        for name, mean in expected.items():
            if Measure(name, k) in evaluation.measures:
                assert evaluation.mean(Measure(name, k)) == pytest.approx(mean, abs=1e-12)


@given(golds)
def test_a_perfect_ranking_is_perfect(gold: Gold) -> None:
    assume(any(gold.values()))
    rewards = inverse_propensities(gold)
    evaluation = evaluate(
        {paper: Ranking.of({label: rewards[label] for label in labels}) for paper, labels in gold.items()}, gold
    )
    for metric in ("P@1", "NDCG@3", "NDCG@5", "PSP@1", "PSP@3", "PSP@5", "PSN@3", "PSN@5"):
        assert evaluation.mean(metric) == pytest.approx(1)


@given(rankings, golds, st.data())
def test_no_ranking_is_better_for_a_lost_hit(rankings: dict[str, Ranking], gold: Gold, data: st.DataObject) -> None:
    hits = [(paper, label) for paper in rankings for label in rankings[paper].labels if label in gold.get(paper, ())]
    assume(hits)
    paper, lost = data.draw(st.sampled_from(hits))
    poorer = rankings | {paper: ranked(*(label for label in rankings[paper].labels if label != lost))}
    before, after = evaluate(rankings, gold), evaluate(poorer, gold)
    for metric in before.metrics:
        if metric.startswith(("P@", "NDCG@", "R@")):
            assert after.mean(metric) <= before.mean(metric) + 1e-12


@given(rankings, golds, st.randoms(use_true_random=False))
def test_the_order_of_papers_and_labels_changes_nothing(
    rankings: dict[str, Ranking], gold: Gold, random: Random
) -> None:
    assume(any(gold.get(paper) for paper in rankings))

    def shuffled(keys: Collection[str]) -> list[str]:
        return random.sample(sorted(keys), len(keys))

    other_gold = Gold({paper: shuffled(gold[paper]) for paper in shuffled(gold)})
    other_rankings = {paper: rankings[paper] for paper in shuffled(rankings)}
    assert evaluate(other_rankings, other_gold).as_dict() == evaluate(rankings, gold).as_dict()


def test_contributions_are_rows_of_papers() -> None:
    evaluation = evaluate(TestByHand.rankings, TestByHand.gold)
    column = evaluation.column("R@3")
    np.testing.assert_array_equal(evaluation.numerators[:, column], [1, 1, 0])
    np.testing.assert_array_equal(evaluation.denominators[:, column], [1, 1, 1])


def test_labels_beyond_gold_are_misses() -> None:
    assert evaluate({"d": ranked("unheard of", "A")}, Gold({"d": "A"})).mean("P@1") == 0


class TestErrors:
    gold = Gold({"d1": "A", "d2": "B", "d3": ""})

    @pytest.mark.parametrize("text", ["F1", "P", "P@0", "P@", "P@-1", "P@x", "p@5", "MAP@5", "P@5 ", "P@99999"])
    def test_unknown_measure(self, text: str) -> None:
        with pytest.raises(InputError) as caught:
            Measure.parse(text)
        assert str(caught.value) == (
            f"unknown measure {text!r}; "
            "give one of P@k, NDCG@k, R@k, PSP@k, PSN@k, rawPSP@k, rawPSN@k, with k from 1 to 9999"
        )

    @pytest.mark.parametrize("text", ["P@1", "NDCG@5", "R@100", "PSP@3", "rawPSN@9999"])
    def test_a_measure_is_read_as_it_is_written(self, text: str) -> None:
        assert str(Measure.parse(text)) == text

    def test_a_measure_that_was_not_taken(self) -> None:
        evaluation = evaluate({"d1": ranked("A")}, self.gold, ks=[1])
        with pytest.raises(InputError) as caught:
            evaluation.mean("P@7")
        assert str(caught.value) == "P@7 was not measured; take one of P@1, R@1, PSP@1, rawPSP@1"

    def test_no_paper_in_common(self) -> None:
        with pytest.raises(InputError) as caught:
            evaluate({"d3": ranked("A"), "d4": ranked("A")}, self.gold)
        assert str(caught.value) == (
            "none of the 2 ranked papers has a label among the 3 papers of gold; check that both use the same paper ids"
        )

    @pytest.mark.parametrize(("ks", "shown"), [((), "[]"), ((3, 0), "[0, 3]")])
    def test_no_place_to_look_at(self, ks: tuple[int, ...], shown: str) -> None:
        with pytest.raises(InputError) as caught:
            evaluate({"d1": ranked("A")}, self.gold, ks=ks)
        assert str(caught.value) == f"cannot evaluate at k = {shown}; give at least one k, each 1 or more"

    def test_a_label_ranked_twice(self) -> None:
        with pytest.raises(InputError) as caught:
            evaluate({"d1": ranked("A", "B", "A")}, self.gold)
        assert str(caught.value) == "the ranking of paper 'd1' has a label twice; rank each label once"

import numpy as np
import pytest
from scipy import stats

from futex.errors import InputError
from futex.evaluation import bootstrap
from futex.evaluation.bootstrap import Difference, confidence, paired_difference
from futex.evaluation.gold import Gold
from futex.evaluation.metrics import Evaluation, evaluate
from futex.ranking import Ranking


def ranked(*labels: str) -> Ranking:
    return Ranking(labels, tuple(float(-place) for place in range(len(labels))))


def evaluation_of(rankings: list[Ranking], gold_labels: str = "AB") -> Evaluation:
    gold = Gold({f"d{i}": gold_labels for i in range(len(rankings))})
    return evaluate(dict(zip(gold, rankings, strict=True)), gold)


def mixed(papers: int, seed: int = 7) -> Evaluation:
    """Papers with one to five of many labels, rankings that are right now and then."""
    rng = np.random.default_rng(seed)
    labels = [f"l{i}" for i in range(40)]
    frequency = 1 / np.arange(1, 41)
    chances = frequency / frequency.sum()
    gold = Gold({f"d{i}": rng.choice(labels, rng.integers(1, 6), replace=False, p=chances) for i in range(papers)})
    return evaluate({paper: ranked(*rng.choice(labels, 5, replace=False, p=chances)) for paper in gold}, gold)


def test_equal_papers_leave_no_doubt() -> None:
    evaluation = evaluation_of([ranked("A", "X", "B")] * 20)
    for metric, (low, high) in confidence(evaluation).items():
        assert low == pytest.approx(evaluation.mean(metric), abs=1e-12)
        assert high == pytest.approx(evaluation.mean(metric), abs=1e-12)


def test_a_big_sample_has_the_normal_interval() -> None:
    # 3,000 papers of which 900 have a hit: 0.3 ± 1.96 · √(0.3 · 0.7 / 3000) = 0.3 ± 0.0164
    evaluation = evaluation_of([ranked("A")] * 900 + [ranked("X")] * 2100)
    low, high = confidence(evaluation, resamples=4000)["P@1"]
    assert low == pytest.approx(0.3 - 0.0164, abs=0.001)
    assert high == pytest.approx(0.3 + 0.0164, abs=0.001)


@pytest.mark.parametrize("metric", ["NDCG@5", "PSP@3", "PSN@5"])
def test_agrees_with_scipy_on_means_and_ratios_of_sums(metric: str) -> None:
    evaluation = mixed(400)
    column = evaluation.column(metric)
    oracle = stats.bootstrap(
        (evaluation.numerators[:, column], evaluation.denominators[:, column]),
        lambda numerators, denominators, axis: numerators.sum(axis) / denominators.sum(axis),
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=4000,
        random_state=np.random.default_rng(1),
    )
    width = oracle.confidence_interval.high - oracle.confidence_interval.low
    assert confidence(evaluation, resamples=4000)[metric] == pytest.approx(oracle.confidence_interval, abs=width / 20)


def test_the_same_papers_have_the_same_interval_every_time() -> None:
    assert confidence(mixed(50)) == confidence(mixed(50))


def test_chunks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation = mixed(50)
    whole = confidence(evaluation, resamples=101)
    monkeypatch.setattr(bootstrap, "_WEIGHTS_AT_ONCE", 7 * 50)
    in_chunks = confidence(evaluation, resamples=101)
    for metric in evaluation.metrics:
        assert in_chunks[metric] == pytest.approx(whole[metric], abs=1e-12)


class TestPairedDifference:
    def test_none(self) -> None:
        evaluation = mixed(50)
        for metric in evaluation.metrics:
            assert paired_difference(evaluation, evaluation, metric) == Difference(0, 0, 0)

    def test_one_hit_more_on_every_paper_is_certain_however_papers_vary(self) -> None:
        a = evaluation_of([ranked("A", "X", "X2"), ranked("A", "B")] * 10)
        b = evaluation_of([ranked("X", "X2"), ranked("X", "B")] * 10)
        difference = paired_difference(a, b, "P@3")
        assert (difference.mean, difference.low, difference.high) == pytest.approx((1 / 3, 1 / 3, 1 / 3))

    def test_a_big_sample_has_the_normal_interval(self) -> None:
        # a alone hits 60 papers, b alone 40, 900 neither: the difference is 0.02 with standard error
        # √((0.06 + 0.04 - 0.02²) / 1000) = 0.00998.
        hit, miss = ranked("A"), ranked("X")
        a = evaluation_of([hit] * 60 + [miss] * 940)
        b = evaluation_of([miss] * 60 + [hit] * 40 + [miss] * 900)
        difference = paired_difference(a, b, "P@1", resamples=20_000)
        assert difference.mean == pytest.approx(0.02)
        assert difference.low == pytest.approx(0.02 - 1.96 * 0.00998, abs=0.001)
        assert difference.high == pytest.approx(0.02 + 1.96 * 0.00998, abs=0.001)

    def test_other_papers(self) -> None:
        with pytest.raises(InputError) as caught:
            paired_difference(mixed(50), mixed(51), "P@1")
        assert str(caught.value) == (
            "the two evaluations are not over the same papers (50 and 51); "
            "rank the same papers both times and evaluate with the same gold"
        )

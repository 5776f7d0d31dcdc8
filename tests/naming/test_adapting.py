"""A few reviewed papers change how names are weighed."""

import math

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

from futex.config import RECIPES, Recipe
from futex.corpus.paper import Paper, section
from futex.errors import InputError
from futex.labels.label import Label, LabelSpace
from futex.naming.counts import Counts
from futex.naming.features import FEATURES, Experience, Known, features, places
from futex.naming.forest import LEAF, SMALLEST_LEAF, Forest, _best_split
from futex.naming.fusion import Fusion
from futex.naming.ranker import NameRanker
from futex.naming.regression import PENALTY, Regression
from futex.pipeline import FuTex


def some_features(rows: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(rows, len(FEATURES)))


def test_regression_is_that_of_scikit_learn():
    x = some_features(300) * np.arange(1, len(FEATURES) + 1) + 3
    applies = np.random.default_rng(1).random(300) < 1 / (1 + np.exp(-x[:, 0] + 3))
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    theirs = LogisticRegression(C=1 / PENALTY, tol=1e-8, max_iter=1000).fit(z, applies)
    ours = Regression.fit(x, applies)
    assert ours.log_odds(x) == pytest.approx(theirs.decision_function(z), abs=1e-3)
    assert Regression.from_dict(ours.as_dict()) == ours


def test_a_node_is_split_where_its_sides_are_purest():
    """Ten labels, of which those in bin 3 and above of the second column apply; the first column tells nothing."""
    bins = np.array([[i % 2, i // 2] for i in range(10)] * SMALLEST_LEAF)
    assert _best_split(bins, bins[:, 1] >= 3) == (1, 2)
    assert _best_split(bins[:, :1], bins[:, 1] >= 3) is None  # 2 of 5 on both sides, as before
    assert _best_split(bins, np.ones(len(bins), bool)) is None
    few = bins[: 2 * SMALLEST_LEAF - 1]
    assert _best_split(few, few[:, 1] >= 3) is None


def test_trees_see_what_counts_only_together():
    """Neither feature says anything alone: the exclusive or, which no weighted sum can tell."""
    x, new = some_features(2000), some_features(500, seed=1)
    forest = Forest.fit(x, (x[:, 0] > 0) ^ (x[:, 1] > 0))
    apply = (new[:, 0] > 0) ^ (new[:, 1] > 0)
    assert np.mean((forest.probabilities(new) > 0.5) == apply) > 0.75
    regression = Regression.fit(x, (x[:, 0] > 0) ^ (x[:, 1] > 0))
    assert np.mean((regression.log_odds(new) > 0) == apply) < 0.6


def test_a_forest_is_as_good_as_that_of_scikit_learn():
    def sample(seed):
        x = some_features(1500, seed)
        return x, np.random.default_rng(seed).random(1500) < 1 / (1 + np.exp(2 - 2 * x[:, 0] * (x[:, 1] > 0)))

    (x, applies), (new, truth) = sample(0), sample(1)
    theirs = RandomForestClassifier(100, min_samples_leaf=SMALLEST_LEAF, max_features=1 / 3, random_state=0)
    loss = log_loss(truth, theirs.fit(x, applies).predict_proba(new))
    assert log_loss(truth, Forest.fit(x, applies).probabilities(new)) == pytest.approx(loss, rel=0.02)


def test_the_rate_of_a_leaf_is_a_share_and_every_tree_counts_alike():
    x = np.zeros((1, len(FEATURES)))
    x[0, 2] = 7.0
    forest = Forest(  # the first tree asks whether feature 2 is at most 7; the second is a leaf
        roots=np.array([0, 1]),
        feature=np.array([2, LEAF, LEAF, LEAF]),
        threshold=np.array([7.0, 0, 0, 0]),
        left=np.array([2, LEAF, LEAF, LEAF]),
        rate=np.array([0, 0.5, 0.1, 0.9]),
    )
    assert forest.probabilities(x) == pytest.approx([(0.1 + 0.5) / 2])
    assert forest.probabilities(x + 1) == pytest.approx([(0.9 + 0.5) / 2])


def test_regression_and_forest_are_fused_at_equal_weight():
    x = some_features(400)
    fusion = Fusion.fit(x, x[:, 0] > 0.5)
    odds = np.log(np.clip(share := fusion.forest.probabilities(x), 0.001, 0.999)) - np.log1p(
        -np.clip(share, 0.001, 0.999)
    )
    assert fusion.probabilities(x) == pytest.approx(1 / (1 + np.exp(-(fusion.regression.log_odds(x) + odds) / 2)))


def test_experience_is_a_smoothed_log_odds_without_the_paper_itself():
    experience = Experience(named=np.array([3.0, 1.0]), given=np.array([2.0, 0.0]))
    usual = (2 + 1) / (4 + 2)  # 1/2: its log odds are 0
    rates = [(2 + 5 * usual) / (3 + 5), (0 + 5 * usual) / (1 + 5)]
    labels = np.array([0, 1], np.int32)
    expected = [[math.log(rate / (1 - rate)), math.log1p(times)] for rate, times in zip(rates, [2, 0], strict=True)]
    assert experience.of(labels) == pytest.approx(np.array(expected))
    without = (1 + 5 * usual) / (2 + 5)
    own = experience.of(labels, np.array([True, False]))
    assert own[0] == pytest.approx([math.log(without / (1 - without)), math.log1p(1)])


def test_features_say_how_often_a_label_is_named_beside_the_others():
    """A collection may keep the labels that a paper names most, however often that is."""
    counts = Counts.of(
        {
            "labels": [4, 7, 9],
            "mentions": [2, 9, 4],
            "words": [1, 2, 1],
            "letters": [5, 9, 7],
            "in_title": [1, 0, 0],
            "in_abstract": [1, 3, 0],
            "in_headings": [0, 2, 0],
            "paragraphs": [1, 2, 4],
            "sections": [1, 1, 3],
            "most": [1, 4, 1],
            "by_own_name": [2, 0, 1],
            "capitalised": [1, 9, 0],
        }.values()
    )
    known = Known(
        scores=np.array([0.5, 0.2, 0.9]),
        idf=np.array([3.0, 0.1, 1.0]),
        mean_mentions=np.ones(3),
        similarity=np.array([[0.1, 0.6, 0.3], [0.3, 0.5, 0.3], [0.2, 0.4, 0.3]]),
        place=np.zeros((3, 4)),
        experience=np.zeros((3, 2)),
    )
    row = dict(zip(FEATURES, features(counts, known).T, strict=True))
    assert np.exp(row["log rank"]).tolist() == pytest.approx([2, 3, 1])
    assert np.exp(row["log rank by mentions"]).tolist() == pytest.approx([3, 1, 2])
    assert np.exp(row["log rank by mentions and idf"]).tolist() == pytest.approx([1, 3, 2])  # of 6, 0.9 and 4
    assert np.exp(row["log rank by paragraphs"]).tolist() == pytest.approx([3, 2, 1])
    assert np.exp(row["log rank by abstract"]).tolist() == pytest.approx([3, 1, 2])
    assert np.exp(row["log rank by nearest paragraphs"]).tolist() == pytest.approx([1, 2, 3])
    assert np.expm1(row["log mentions in headings"]).tolist() == pytest.approx([0, 2, 0])
    assert row["in abstract"].tolist() == [1, 1, 0]
    assert row["share of its own name"].tolist() == [1, 0, 0.25]
    assert row["share of capitals"].tolist() == [0.5, 1, 0]
    assert row["further words"].tolist() == [0, 1, 0]


def test_what_the_taxonomy_tells_of_a_label():
    labels = [
        Label("A", "a"),
        Label("B", "b", broader=("A",), type="organism"),
        Label("C", "c", broader=("A", "B")),
    ]
    rows = [[0, 1, math.log(3), 0], [1, 2, math.log(2), math.log(5)], [0, 2, 0, math.log(2)]]
    assert places(LabelSpace(labels), np.array([0, 4, 1])) == pytest.approx(np.array(rows))


def test_without_a_plm_nothing_is_more_similar_than_anything_else():
    ranker = NameRanker(LABELS, None)
    counts = ranker.look(PAPERS[:1])
    ranker.learn(counts)
    row = dict(zip(FEATURES, next(ranker._features(PAPERS[:1], counts)).T, strict=True))
    assert not any(row[name].any() for name in FEATURES if name.startswith("similar") or "by nearest" in name)


LABELS = LabelSpace([Label("H", "humans"), Label("M", "mouse"), Label("G", "gene"), Label("N", "noise")])


def paper(name, *found):
    return Paper(name, "A title", f"About {' and '.join(found)}.", section("", [" ".join(found) * 3 + " word" * 10]))


PAPERS = [paper(str(i), *names) for i, names in enumerate([("humans", "noise", "gene"), ("mouse", "noise")] * 10)]
GIVEN = {p.id: {"H", "G"} if "humans" in p.abstract else {"M"} for p in PAPERS}


def test_labels_that_reviewers_never_give_sink():
    model = FuTex(RECIPES["best"].but(plm="none")).fit(PAPERS, LABELS)
    new = paper("new", "noise", "humans")
    before = dict(model.rank([new])["new"])
    model.adapt(PAPERS, GIVEN)
    after = dict(model.rank([new])["new"])
    assert before["N"] > 0.2 * before["H"]
    assert after["N"] < 0.2 < 0.8 < after["H"]
    assert all(0 <= probability <= 1 for probability in after.values())


def test_an_adapted_model_is_saved(tmp_path):
    model = FuTex(RECIPES["best"].but(plm="none")).fit(PAPERS, LABELS)
    model.adapt(PAPERS, GIVEN)
    model.save_pretrained(tmp_path / "model")
    assert FuTex.from_pretrained(tmp_path / "model").rank(PAPERS) == model.rank(PAPERS)


def test_only_names_can_be_adapted(papers, labels):
    model = FuTex(Recipe(plm="fake", network=False)).fit(papers, labels)
    with pytest.raises(InputError, match="recipe best"):
        model.adapt(papers, {})
    with pytest.raises(InputError, match="same ids"):
        FuTex(RECIPES["best"].but(plm="none")).fit(papers, labels).adapt(papers, {"x": {"y"}})


def test_papers_that_nobody_reviewed_teach_nothing():
    one, other = (FuTex(RECIPES["best"].but(plm="none")).fit(PAPERS, LABELS) for _ in range(2))
    one.adapt(PAPERS[:12], GIVEN)
    other.adapt(PAPERS, {paper.id: GIVEN[paper.id] for paper in PAPERS[:12]})
    assert one.rank(PAPERS) == other.rank(PAPERS)


def test_reviewed_papers_that_name_no_label_teach_nothing():
    model = FuTex(RECIPES["best"].but(plm="none")).fit(PAPERS, LABELS)
    with pytest.raises(InputError, match="name no label"):
        model.adapt([Paper("d", "A title", "About nothing.")], {"d": {"H"}})

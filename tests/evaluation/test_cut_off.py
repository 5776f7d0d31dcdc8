"""Labels above a cut-off against scikit-learn, and the interval of their F1."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_fscore_support
from sklearn.preprocessing import MultiLabelBinarizer

from futex.evaluation.cut_off import evaluate_cut_off
from futex.evaluation.gold import Gold

SETS = st.sets(st.sampled_from("ABCDEF"))
PAPERS = st.lists(st.tuples(SETS, SETS.filter(bool)), min_size=1, max_size=8)


@given(PAPERS)
def test_as_scikit_learn_does_it(papers):
    chosen = {str(i): sorted(labels) for i, (labels, _) in enumerate(papers)}
    gold = Gold({str(i): sorted(labels) for i, (_, labels) in enumerate(papers)})
    binary = MultiLabelBinarizer(classes=list("ABCDEF")).fit([])
    expected = precision_recall_fscore_support(
        binary.transform([gold[paper] for paper in chosen]),
        binary.transform(list(chosen.values())),
        average="samples",
        zero_division=0,
    )
    found = evaluate_cut_off(chosen, gold)
    assert (found.precision, found.recall, found.f1) == pytest.approx(expected[:3])


def test_papers_without_gold_do_not_count():
    gold = Gold({"d1": ["A"]})
    assert evaluate_cut_off({"d2": ["A"]}, gold) is None
    assert evaluate_cut_off({"d1": ["A"], "d2": ["B", "C"]}, gold).labels == 1


def test_the_interval_holds_the_mean():
    gold = Gold({str(i): ["A"] for i in range(50)})
    found = evaluate_cut_off({str(i): ["A"] if i % 2 else ["B"] for i in range(50)}, gold)
    low, high = found.f1_interval
    assert low < found.f1 == 0.5 < high
    assert np.isclose(high - low, 2 * 1.96 * np.sqrt(0.25 / 50), atol=0.05)  # the normal approximation

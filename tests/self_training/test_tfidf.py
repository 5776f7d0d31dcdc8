"""Eq. (10) by hand and against scikit-learn."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from futex.self_training.tfidf import TfIdf, count_words


def fitted(texts, min_papers=1):
    vectorizer = TfIdf(min_papers)
    vectorizer.fit_transform(count_words(texts))
    return vectorizer


def test_by_hand():
    """ "a" stands in 2 of 3 texts, twice in the first: 2 · ln(3/2)."""
    vectorizer = fitted(["a a b", "a c", "c"])
    x = vectorizer.transform(["a a b"]).toarray()[0]
    assert vectorizer.words == ("a", "c", "b")  # the commonest first
    np.testing.assert_allclose(x, [2 * math.log(3 / 2), 0, math.log(3)])


def test_words_of_fewer_than_five_papers_are_removed():
    vectorizer = fitted(["rare common"] * 4 + ["common"], min_papers=5)
    assert vectorizer.words == ("common",)


def test_letters_only_and_no_case():
    assert fitted(["IL-2 and Naïve_T cells, p53!"]).words == ("and", "cells", "il", "naïve", "p", "t")


def test_unknown_words_and_empty_texts_give_empty_rows():
    x = fitted(["a b"]).transform(["", "zzz"])
    assert (x.shape, x.nnz) == ((2, 2), 0)


@given(st.lists(st.lists(st.sampled_from("abcd"), max_size=8).map(" ".join), min_size=1, max_size=8), st.integers(1, 3))
def test_equals_scikit_learn(texts, min_papers):
    vectorizer = fitted(texts, min_papers)
    counts = CountVectorizer(token_pattern=r"[a-z]+", vocabulary=list(vectorizer.words) or ["x"]).transform(texts)
    papers = (CountVectorizer(token_pattern=r"[a-z]+", vocabulary=list("abcd")).transform(texts) > 0).sum(axis=0)
    expected = {w for w, n in zip("abcd", np.asarray(papers).ravel(), strict=True) if n >= min_papers}
    assert set(vectorizer.words) == expected
    if vectorizer.words:
        np.testing.assert_allclose(vectorizer.transform(texts).toarray(), counts.toarray() * vectorizer.idf)

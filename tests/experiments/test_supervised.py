"""Parabel on growing training sets never sees a paper that it is measured on."""

import pytest
from experiments.tiny_corpus import read

from futex.errors import InputError
from futex.experiments.jobs import Job, held_out, perform, training_ids
from futex.experiments.supervised import crossing


def test_training_sets_grow_and_never_touch_the_test_papers(folder, monkeypatch):
    corpus, seen = read(folder, limit=12), []
    monkeypatch.setattr(
        "futex.experiments.jobs.SupervisedParabel",
        lambda labels, training, gold, seed: seen.append({paper.id for paper in training}) or Ranks(),
    )
    for size in (3, 10, 24):
        outcome = perform(Job(method="parabel", training=size), corpus, folder)
        assert outcome.rankings.keys() == held_out(corpus, 0.5)
    assert [len(ids) for ids in seen] == [3, 10, 24]
    assert seen[0] < seen[1] < seen[2]
    assert not seen[2] & held_out(corpus, 0.5)
    assert seen[2] - {paper.id for paper in corpus.papers}  # papers behind the limit train too


class Ranks:
    def rank(self, papers, candidates):
        return {paper.id: None for paper in papers}


def test_more_papers_than_there_are_cannot_train(folder):
    corpus = read(folder, limit=12)
    assert len(training_ids(corpus, held_out(corpus, 0.5))) == 24
    with pytest.raises(InputError, match="24 with gold are left beside those ranked; give a smaller --limit"):
        perform(Job(method="parabel", training=25), corpus, folder)


def test_where_the_lines_cross_is_told():
    supervised = {10: 0.2, 100: 0.3, 1000: 0.4}
    assert "between 10 and 100" in crossing("P@5", supervised, 0.25)
    assert "up to 1,000 training papers Parabel stays below" in crossing("P@5", supervised, 0.5)
    assert "from 10 training papers on" in crossing("P@5", supervised, 0.1)
    assert "between 100 and 1,000" in crossing("P@5", supervised, 0.4)

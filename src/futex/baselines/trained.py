"""The systems that are trained on links, by name; torch is loaded when one of them is built, and not before."""

from collections.abc import Sequence

from futex.baselines.setting import Setting
from futex.corpus.paper import Paper
from futex.labels.label import LabelSpace
from futex.ranking import Ranker


def micol(papers: Sequence[Paper], labels: LabelSpace, setting: Setting) -> Ranker:
    from futex.baselines.micol import cross_encoder

    return cross_encoder(papers, labels, setting)


def micol_bi_encoder(papers: Sequence[Paper], labels: LabelSpace, setting: Setting) -> Ranker:
    from futex.baselines.micol import bi_encoder

    return bi_encoder(papers, labels, setting)


def plm_gat(papers: Sequence[Paper], labels: LabelSpace, setting: Setting) -> Ranker:
    from futex.baselines import gat

    return gat.plm_gat(papers, labels, setting)


def graphformers(papers: Sequence[Paper], labels: LabelSpace, setting: Setting) -> Ranker:
    from futex.baselines import graphformers

    return graphformers.graphformers(papers, labels, setting)

"""MICoL (Zhang et al., WWW 2022): contrastive learning on titles and abstracts of papers that metadata link."""

from collections.abc import Sequence

from torch import Tensor
from torch.nn.functional import normalize

from futex.baselines.link_prediction import learn_links
from futex.baselines.links import Network
from futex.baselines.node_encoder import Graph, NodeEncoder, trainable_plm, tuned_plm
from futex.baselines.setting import Setting
from futex.corpus.citations import MetaPath
from futex.corpus.paper import Paper
from futex.errors import InputError
from futex.hierarchy.bi_encoder import BiEncoder
from futex.labels.label import LabelSpace
from futex.network.contrastive import affordable, tuned_once
from futex.network.cross_encoder import CrossEncoder
from futex.network.triples import abstract, sample_triples
from futex.plm.cache import CachedPLM
from futex.plm.checkpoints import load_plm
from futex.plm.dropout import Dropout
from futex.ranking import Ranker

TEMPERATURE = 0.05
"""τ of the Bi-Encoder's loss, as in the public code."""


def cross_encoder(papers: Sequence[Paper], labels: LabelSpace, setting: Setting) -> Ranker:
    """wᵀ PLM([CLS] d [SEP] l [SEP]), learnt by −log softmax over (d, d⁺) and (d, d⁻): Eq. (3) on abstracts."""
    graph = Network(papers, setting.metapath, setting.seed).graph  # or says what is missing
    path, plm = MetaPath.parse(setting.metapath), load_plm(setting.plm, setting.cache)
    count = setting.triples or affordable(plm, graph, path, setting.seed, abstract)
    triples = sample_triples(graph, path, count + max(1, count // 10), setting.seed, abstract).triples
    if not triples:
        raise InputError(
            f"all papers are linked by {setting.metapath}, so none is a negative: choose another --metapath"
        )
    tuned = tuned_once(plm, triples[:count], triples[count:], setting.seed, setting.cache)
    return CrossEncoder(CachedPLM(tuned, setting.cache), labels)


def bi_encoder(papers: Sequence[Paper], labels: LabelSpace, setting: Setting) -> Ranker:
    """cos(h_d, h_l) of a PLM that learnt to tell d⁺ from the others of a batch."""
    network, plm = Network(papers, setting.metapath, setting.seed), trainable_plm(setting)
    encoder = DocumentEncoder(plm)
    learn_links("micol", encoder, plm, network, setting, abstract, neighbours=0)
    return BiEncoder(CachedPLM(tuned_plm(plm, encoder), setting.cache), labels, "abstract")


class DocumentEncoder(NodeEncoder):
    """The PLM alone; s_ij = cos(d_i, d_j⁺) / τ."""

    def forward(self, graph: Graph, dropout: Dropout | None = None) -> Tensor:
        return self.states(graph.texts, dropout)

    def similarity(self, rows: Tensor, others: Tensor) -> Tensor:
        return super().similarity(normalize(rows), normalize(others)) / TEMPERATURE

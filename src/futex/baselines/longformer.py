"""Longformer: the full text as one line of up to 4,096 tokens, by cosine with the label (§4.1, Fig. 1)."""

import logging
from collections.abc import Sequence

from futex.baselines.setting import Setting
from futex.corpus.paper import Paper
from futex.errors import ModelError
from futex.hierarchy.bi_encoder import BiEncoder
from futex.labels.label import LabelSpace
from futex.plm.cache import CachedPLM
from futex.plm.checkpoints import load_plm
from futex.plm.protocol import PLM, Array
from futex.ranking import Ranker

log = logging.getLogger(__name__)

LENGTHS = (512, 1024, 2048, 4096)
LABEL_LENGTH = 512


def longformer_ranker(papers: Sequence[Paper], labels: LabelSpace, setting: Setting) -> Ranker:
    from futex.plm.longformer import LongEncoder, read_long
    from futex.plm.transformer import TransformerPLM

    plm = load_plm(setting.plm, setting.cache)
    if not isinstance(plm, TransformerPLM):
        raise ModelError(f"{setting.plm} cannot be made a Longformer: name a transformer, as in --plm embedded")
    if plm.model.config.model_type != "longformer":
        log.info("%s is not a Longformer: converting it into one", setting.plm)
    encoder = LongEncoder(plm.model)
    long, short = (
        CachedPLM(read_long(plm, encoder, length), setting.cache) for length in (setting.length, LABEL_LENGTH)
    )
    return LinearText(long, short, labels)


class LinearText(BiEncoder):
    """Ranks by cos(h_d, h_l), h_d of title, abstract and paragraphs in reading order as one text."""

    def __init__(self, plm: PLM, label_plm: PLM, labels: LabelSpace) -> None:
        super().__init__(label_plm, labels, "full")
        self._long_plm = plm

    def embed(self, papers: Sequence[Paper]) -> list[Array]:
        return list(self._long_plm.embed([paper.full_text() for paper in papers]))

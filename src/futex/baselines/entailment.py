"""0SHOT-TC: does the abstract entail "this document is about {name}."? (Yin et al., 2019)"""

import logging
from collections.abc import Sequence
from pathlib import Path

from futex.baselines.setting import Setting
from futex.corpus.paper import Paper
from futex.hierarchy.bi_encoder import BiEncoder
from futex.labels.label import Label, LabelSpace
from futex.network.cross_encoder import CrossEncoder
from futex.plm.cache import CachedPLM
from futex.plm.names import is_hub_id, split_bf16
from futex.ranking import Ranker

log = logging.getLogger(__name__)


def entailment_ranker(papers: Sequence[Paper], labels: LabelSpace, setting: Setting) -> Ranker:
    """Title and abstract with each hypothesis, by an NLI model; by their cosine where the PLM is none."""
    if _has_nli_head(setting.plm):
        from futex.plm.nli import load_nli

        return CrossEncoder(CachedPLM(load_nli(setting.plm), setting.cache), hypotheses(labels))
    log.info("%s has no NLI head: ranking by similarity to the prompt sentence", setting.plm)
    return BiEncoder(setting.cached_plm(), hypotheses(labels), "abstract")


def hypotheses(labels: LabelSpace) -> LabelSpace:
    """The labels, each with its hypothesis for a text."""
    return LabelSpace(Label(label.id, f"this document is about {label.name}.") for label in labels.values())


def _has_nli_head(plm: str) -> bool:
    _, plm = split_bf16(plm)
    if not Path(plm, "config.json").exists() and not is_hub_id(plm):
        return False
    from futex.plm.nli import is_classifier

    return is_classifier(plm)

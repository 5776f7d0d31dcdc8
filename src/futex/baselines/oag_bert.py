"""OAG-BERT: cosine of text and label, as for any encoder (§4.1), in the space of its pooled states."""

import logging
from collections.abc import Sequence
from pathlib import Path

from futex.baselines.encoders import cosine_ranker
from futex.baselines.setting import Setting
from futex.corpus.paper import Paper
from futex.errors import ModelError
from futex.labels.label import LabelSpace
from futex.plm.checkpoints import OAG_BERT_CONFIG
from futex.ranking import Ranker

log = logging.getLogger(__name__)

CHECKPOINT = "oagbert-v2"


def oag_bert_ranker(papers: Sequence[Paper], labels: LabelSpace, setting: Setting) -> Ranker:
    if setting.plm == CHECKPOINT and not Path(CHECKPOINT).is_dir():
        raise ModelError(
            f"{CHECKPOINT} is on no model hub: unpack the archive of its authors (the page of THUDM/OAG-BERT on GitHub "
            f"says where it is) and give the folder with --plm FOLDER, or use --plm embedded"
        )
    if not Path(setting.plm, OAG_BERT_CONFIG).exists():
        log.info("%s is not an OAG-BERT: ranking by the cosine of its own vectors", setting.plm)
    return cosine_ranker(papers, labels, setting)

"""Network-aware contrastive fine-tuning (§3.1, Eq. 3) with the paper's optimiser, schedule and batch size (§4.1)."""

import logging
import math
from collections.abc import Sequence
from pathlib import Path

from futex.network.learning import BATCH, learn, schedule_for
from futex.plm.protocol import TrainablePLM, Trainer, Triple
from futex.progress import in_words

log = logging.getLogger(__name__)

PAPER_TRIPLES = 45_000
CHANCE = math.log(2)
"""The loss of Eq. (3) where both paragraphs score alike."""

TITLE = "Fine-tuning on linked papers"


def finetune(
    plm: TrainablePLM,
    triples: Sequence[Triple],
    dev: Sequence[Triple],
    *,
    seed: int,
    checkpoint: Path | None = None,
    writes: bool = True,
) -> TrainablePLM:
    """Fine-tune on the triples and return the Cross-Encoder with the lowest loss on the dev triples.

    With a `checkpoint` folder, a run that was killed goes on where it last looked at the dev loss.
    """
    trainer = plm.trainer(schedule_for(len(triples), seed))
    if checkpoint is None or not checkpoint.exists():
        _announce(trainer, triples)
    history = learn(trainer, triples, dev, title=TITLE, checkpoint=checkpoint, writes=writes)
    log.info("fine-tuned on %d triples; dev loss %s", len(triples), " → ".join(f"{loss:.3f}" for loss in history))
    if writes and min(history) >= CHANCE:
        log.warning(
            "the Cross-Encoder guesses no better than chance (dev loss %.3f, chance is %.3f): give it more --triples, "
            "or do without it by --method futex-no-network",
            *(min(history), CHANCE),
        )
    return trainer.best()


def _announce(trainer: Trainer, triples: Sequence[Triple]) -> None:
    each = trainer.seconds_per_triple(triples[:BATCH])
    log.info(
        "fine-tuning on %d triples will take about %s here; the paper's %d would take %s",
        len(triples),
        in_words(each * len(triples)),
        PAPER_TRIPLES,
        in_words(each * PAPER_TRIPLES),
    )

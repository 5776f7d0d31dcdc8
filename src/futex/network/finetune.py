"""Network-aware contrastive fine-tuning (§3.1, Eq. 3) with the paper's optimiser, schedule and batch size (§4.1)."""

import json
import logging
import math
import shutil
from collections.abc import Sequence
from pathlib import Path

from futex.files import write_text
from futex.plm.protocol import Schedule, TrainablePLM, Trainer, Triple
from futex.progress import task

log = logging.getLogger(__name__)

BATCH = 8
WARMUP_STEPS = 100
EVALUATIONS = 10
PAPER_TRIPLES = 45_000


def finetune(
    plm: TrainablePLM, triples: Sequence[Triple], dev: Sequence[Triple], *, seed: int, checkpoint: Path | None = None
) -> TrainablePLM:
    """Fine-tune on the triples and return the Cross-Encoder with the lowest loss on the dev triples.

    With a `checkpoint` folder, a run that was killed goes on where it last looked at the dev loss.
    """
    steps = math.ceil(len(triples) / BATCH)
    trainer = plm.trainer(Schedule(steps=steps, warmup=min(WARMUP_STEPS, max(1, steps // 10)), seed=seed))
    done, history = _resume(trainer, checkpoint)
    if not done:
        _announce(trainer, triples)
    look_at = {math.ceil(steps * (i + 1) / EVALUATIONS) for i in range(EVALUATIONS)}
    with task("Fine-tuning on linked paragraphs", total=len(triples)) as advance:
        advance(done * BATCH)
        for step in range(done, steps):
            batch = triples[step * BATCH : (step + 1) * BATCH]
            loss = trainer.step(batch)
            advance(len(batch), f"loss {loss:.3f}" + (f", dev {history[-1]:.3f}" if history else ""))
            if step + 1 in look_at:
                _look(trainer, dev, history)
                _save(trainer, checkpoint, step + 1, history)
    log.info("fine-tuned on %d triples; dev loss %s", len(triples), " → ".join(f"{loss:.3f}" for loss in history))
    return trainer.best()


def _look(trainer: Trainer, dev: Sequence[Triple], history: list[float]) -> None:
    """Measure the dev loss; the lowest so far is the checkpoint to keep."""
    batches = [dev[start : start + BATCH] for start in range(0, len(dev), BATCH)]
    history.append(sum(trainer.loss(batch) * len(batch) for batch in batches) / len(dev))
    if history[-1] <= min(history):
        trainer.keep()


def _announce(trainer: Trainer, triples: Sequence[Triple]) -> None:
    each = trainer.seconds_per_triple(triples[:BATCH])
    log.info(
        "fine-tuning on %d triples will take about %s here; the paper's %d would take %s",
        len(triples),
        in_words(each * len(triples)),
        PAPER_TRIPLES,
        in_words(each * PAPER_TRIPLES),
    )


def in_words(seconds: float) -> str:
    """A duration for people: 40 s, 12 min, 3.5 h."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _save(trainer: Trainer, checkpoint: Path | None, step: int, history: list[float]) -> None:
    """Write a new state beside the old one, then point to it, so that one whole state always exists."""
    if checkpoint is None:
        return
    state = checkpoint / f"step-{step}"
    state.mkdir(parents=True, exist_ok=True)
    trainer.save(state)
    write_text(checkpoint / "progress.json", json.dumps({"step": step, "history": history}))
    for old in checkpoint.glob("step-*"):
        if old != state:
            shutil.rmtree(old)


def _resume(trainer: Trainer, checkpoint: Path | None) -> tuple[int, list[float]]:
    if checkpoint is None or not (checkpoint / "progress.json").exists():
        return 0, []
    progress = json.loads((checkpoint / "progress.json").read_text())
    trainer.load(checkpoint / f"step-{progress['step']}")
    log.info("going on with fine-tuning at step %d", progress["step"])
    return progress["step"], progress["history"]

"""The loop around any training: steps, looks at the loss on held-out items, and a state to go on from after a kill."""

import logging
import math
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from futex.errors import ModelError
from futex.files import alone_in, checksums, read_note, write_note
from futex.plm.protocol import Learner, Schedule
from futex.progress import task

log = logging.getLogger(__name__)

BATCH = 8
WARMUP_STEPS = 100
EVALUATIONS = 10

Item = TypeVar("Item")
Model = TypeVar("Model")


def schedule_for(items: int, seed: int) -> Schedule:
    """The paper's settings (§4.1) for one pass over so many items; short runs warm up for a tenth of their steps."""
    steps = math.ceil(items / BATCH)
    return Schedule(steps=steps, warmup=min(WARMUP_STEPS, max(1, steps // 10)), seed=seed)


def learn(
    learner: Learner[Item],
    items: Sequence[Item],
    dev: Sequence[Item],
    *,
    title: str,
    checkpoint: Path | None = None,
    writes: bool = True,
    looks: int = EVALUATIONS,
    at_look: Callable[[int], None] | None = None,
) -> list[float]:
    """Learn from the items in batches, and keep the weights with the lowest loss on the dev items.

    With a `checkpoint` folder, a run that was killed goes on where it last looked at the dev loss. Of several processes
    that learn together all read it, and one writes. Gives the loss of every look; `at_look` is called each time with
    the number of items learnt from so far.
    """
    done, history = _resume(learner, checkpoint)
    steps = math.ceil(len(items) / BATCH)
    look_at = {math.ceil(steps * (i + 1) / looks) for i in range(looks)}
    with task(title, total=len(items), done=done * BATCH) as advance:
        for step in range(done, steps):
            batch = items[step * BATCH : (step + 1) * BATCH]
            loss = learner.step(batch)
            advance(len(batch), f"loss {loss:.3f}" + (f", dev {history[-1]:.3f}" if history else ""))
            if step + 1 in look_at:
                _look(learner, dev, history)
                if at_look:
                    at_look(min((step + 1) * BATCH, len(items)))
                _save(learner, checkpoint if writes else None, step + 1, history)
    return history


def learnt_once(
    cache: Path | None,
    key: str,
    learn: Callable[[Path | None], Model],
    save: Callable[[Model, Path], None],
    load: Callable[[Path], Model],
) -> Model:
    """What the key stands for has the same weights every time, so they are looked up before they are learnt.

    Of several processes that want them, one learns and the others wait. To look them up takes no right to write.
    """
    if cache is None:
        return learn(None)
    folder = cache / "fine-tuned" / key
    if not _is_done(folder):
        with alone_in(folder):
            if not _is_done(folder):  # another process may have learnt it in the meantime
                learnt = learn(folder / "checkpoint")
                shutil.rmtree(folder / "plm", ignore_errors=True)
                save(learnt, folder / "plm")
                write_note(folder / "done", checksums(folder / "plm"))
                shutil.rmtree(folder / "checkpoint", ignore_errors=True)
    return load(folder / "plm")


def _is_done(folder: Path) -> bool:
    return bool(read_note(folder / "done") == checksums(folder / "plm"))


def _look(learner: Learner[Item], dev: Sequence[Item], history: list[float]) -> None:
    """Measure the dev loss; the lowest so far is the checkpoint to keep."""
    batches = [dev[start : start + BATCH] for start in range(0, len(dev), BATCH)]
    history.append(sum(learner.loss(batch) * len(batch) for batch in batches) / len(dev))
    if not math.isfinite(history[-1]):
        raise ModelError(f"training went astray, its loss is {history[-1]}: try another --seed or another --plm")
    if history[-1] <= min(history):
        learner.keep()


def _save(learner: Learner[Any], checkpoint: Path | None, step: int, history: list[float]) -> None:
    """Write a new state beside the old one, then point to it, so that one whole state always exists."""
    if checkpoint is None:
        return
    state = checkpoint / f"step-{step}"
    state.mkdir(parents=True, exist_ok=True)
    learner.save(state)
    write_note(checkpoint / "progress.json", {"step": step, "history": history, "files": checksums(state)})
    for old in checkpoint.glob("step-*"):
        if old != state:
            shutil.rmtree(old)


def _resume(learner: Learner[Any], checkpoint: Path | None) -> tuple[int, list[float]]:
    """A state that was altered is as good as none."""
    progress = read_note(checkpoint / "progress.json") if checkpoint is not None else None
    if checkpoint is None or not progress:
        return 0, []
    state = checkpoint / f"step-{progress['step']}"
    if progress["files"] != checksums(state):
        log.warning("%s is damaged: training begins anew", state)
        return 0, []
    learner.load(state)
    log.info("going on with training at step %d", progress["step"])
    return progress["step"], progress["history"]

"""Fine-tuning on all GPUs of a machine, a process each, started for this step only and gone after it.

    job/plm/           the PLM, as `save` writes it        ┐
    job/triples.jsonl  those to learn from                 ├ what the processes are given
    job/dev.jsonl      those to look at                    │
    job/job.json       seed, checkpoint folder             ┘
    job/tuned/         the Cross-Encoder                   ← what the first of them writes

The processes find each other by torchrun, and accelerate gives each its device. Each runs `finetune` on its share of
every batch (`plm.share`); the first one tells how far they are, a line a step on its standard output.
"""

import json
import logging
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

from futex.errors import ModelError
from futex.json_files import read_object
from futex.network.finetune import TITLE, finetune
from futex.plm.checkpoints import load_folder
from futex.plm.protocol import TrainablePLM, Triple
from futex.progress import Advance, show_with, task

log = logging.getLogger(__name__)


def finetune_on_devices(
    plm: TrainablePLM,
    triples: Sequence[Triple],
    dev: Sequence[Triple],
    *,
    seed: int,
    checkpoint: Path | None = None,
    processes: int | None = None,
) -> TrainablePLM:
    """`finetune` by a process for each visible GPU, or by so many processes."""
    count = processes or _devices_for(plm)
    if count > 1 and find_spec("accelerate") is None:
        log.warning("fine-tuning uses one of %d GPUs: for all, pip install 'futex[gpus]'", count)
        count = 1
    if count == 1:
        return finetune(plm, triples, dev, seed=seed, checkpoint=checkpoint)
    with tempfile.TemporaryDirectory(prefix="futex-") as folder:
        job = Path(folder)
        plm.save(job / "plm")
        _write_triples(job / "triples.jsonl", triples)
        _write_triples(job / "dev.jsonl", dev)
        where = None if checkpoint is None else str(checkpoint.resolve())
        (job / "job.json").write_text(json.dumps({"seed": seed, "checkpoint": where}), encoding="utf-8")
        _run(job, count, len(triples))
        return load_folder(job / "tuned")


def _run(job: Path, count: int, triples: int) -> None:
    """Start the processes and show how far they are; when one dies, torchrun ends the others."""
    log.info("fine-tuning on %d triples by %d processes", triples, count)
    launcher = ["torch.distributed.run", "--standalone", "--nproc-per-node", str(count), "-m", __name__, str(job)]
    with (job / "errors.txt").open("w+", encoding="utf-8", errors="replace") as errors:
        with (
            task(TITLE, total=triples) as advance,
            subprocess.Popen([sys.executable, "-m", *launcher], stdout=subprocess.PIPE, stderr=errors) as started,
        ):
            assert started.stdout is not None
            try:
                for line in started.stdout:
                    with suppress(ValueError, TypeError):  # a library may print something, too
                        advance(*json.loads(line))
            except BaseException:
                started.terminate()
                raise
        if started.returncode:
            errors.seek(0)
            raise ModelError(
                f"fine-tuning by {count} processes ended early ({_reason(errors.read())}); start it again to go on "
                "from its last look at the dev loss, or on one GPU: CUDA_VISIBLE_DEVICES=0"
            )


def _reason(errors: str) -> str:
    """What a process raised, or else how it died."""
    raised = re.findall(r"^(?:\[rank\d+\]: )?((?:\w+\.)*\w*(?:Error|Exception)\b.*)$", errors, re.MULTILINE)
    died = re.findall(r"exitcode\s*: (-?\d+)", errors)
    if died and died[-1].startswith("-"):
        return f"one was ended by signal {died[-1][1:]}"
    return raised[0][:200] if raised else "one died"


def _write_triples(path: Path, triples: Sequence[Triple]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(triple) + "\n" for triple in triples)


def _read_triples(path: Path) -> list[Triple]:
    with path.open(encoding="utf-8") as file:
        return [Triple(*json.loads(line)) for line in file]


@contextmanager
def _told(title: str, total: int | None, done: int) -> Iterator[Advance]:
    """Progress for the process that started us. It fails when that one is gone, and then we end, too."""
    print(json.dumps([done]), flush=True)
    yield lambda steps=1, note="": print(json.dumps([steps, note]), flush=True)


def _devices_for(plm: TrainablePLM) -> int:
    """One, where nothing needs torch, which takes long to import and must not be forked."""
    if "torch" not in sys.modules:
        return 1
    from futex.plm.share import devices_for

    return devices_for(plm)


def work(job: Path) -> None:
    """One of the processes."""
    from futex.plm.share import Share, leave

    first = Share.join().index == 0
    if first:
        show_with(_told)
    given = read_object(job / "job.json")
    checkpoint = None if given["checkpoint"] is None else Path(given["checkpoint"])
    triples, dev = _read_triples(job / "triples.jsonl"), _read_triples(job / "dev.jsonl")
    plm = load_folder(job / "plm")
    tuned = finetune(plm, triples, dev, seed=given["seed"], checkpoint=checkpoint, writes=first)
    if first:
        tuned.save(job / "tuned")
    leave()


if __name__ == "__main__":
    work(Path(sys.argv[1]))

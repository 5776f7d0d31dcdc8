"""Damaged and hostile files through every reader: each must end in papers (or labels) or in one clear line.

    cd tests && python -m fuzzing [--seconds 60] [--seed 0] [--only hostile]

Prints how many files of each kind were tried and how they ended, with the worst time and the peak of memory. A
traceback, a message of several lines, a file that takes longer than a minute or more than 1 GB: exit code 1, and what
did it is kept in `build/fuzzing`.
"""

import argparse
import logging
import multiprocessing
import os
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from futex.corpus.reading import read_documents
from futex.errors import InputError
from futex.labels.store import read_labels
from fuzzing import hostile
from fuzzing.mutations import damaged
from fuzzing.patience import PATIENCE, patience
from fuzzing.seeds import ARCHIVES, LABELS, PAPERS, Seed

KEPT = Path(__file__).parents[2] / "build" / "fuzzing"
MEMORY = 1e9
Read = Callable[[Path, str | None, Callable[[str], None]], int]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60, help="how long to damage files of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=["damaged", "hostile"])
    parser.add_argument("--case", help="only the hostile files whose name holds this")
    options = parser.parse_args()
    logging.disable()
    faults = 0
    if options.only != "hostile":
        pdfs = [seed for seed in PAPERS if seed.format == "pdf"]  # each starts a process: slow, so apart
        others = [seed for seed in PAPERS if seed.format != "pdf"]
        kinds = [("papers", others, papers), ("PDFs", pdfs, papers)]
        kinds += [("archives", ARCHIVES, papers), ("vocabularies", LABELS, labels)]
        for kind, seeds, read in kinds:
            faults += in_a_process(lambda s=seeds, r=read: damage(s, r, options), kind)
    if options.only != "damaged":
        faults += attack(options.case or "")
    sys.exit(bool(faults))


def papers(path: Path, format: str | None, on_skip: Callable[[str], None]) -> int:
    return sum(1 for _ in read_documents(str(path), format=format, workers=1, on_skip=on_skip))


def labels(path: Path, format: str | None, on_skip: Callable[[str], None]) -> int:
    return len(read_labels(path, format))


# --- damaged files, many in one process


def damage(seeds: list[Seed], read: Read, options) -> int:
    rnd, ends, slowest = random.Random(options.seed), {seed.name: Counter() for seed in seeds}, 0.0
    until = time.monotonic() + options.seconds
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < until:
            seed = rnd.choice(seeds)
            path = Path(folder, seed.name)
            path.write_bytes(damaged(seed.content, rnd))
            start = time.monotonic()
            ends[seed.name][ending(path, a_format(seed, seeds, rnd), read)] += 1
            slowest = max(slowest, time.monotonic() - start)
            if ends[seed.name]["FAULT"]:
                break
    for name, counts in ends.items():
        print(
            f"  {name:20} {counts.total():7,} tried: " + ", ".join(f"{n:,} {end}" for end, n in sorted(counts.items()))
        )
    total = sum(counts.total() for counts in ends.values())
    print(f"  {total:,} in all, the slowest took {slowest:.1f} s")
    return sum(counts["FAULT"] for counts in ends.values())


def a_format(seed: Seed, seeds: list[Seed], rnd: random.Random) -> str | None:
    """Mostly its own, sometimes recognised by content, sometimes another's."""
    return rnd.choice([seed.format, seed.format, seed.format, None, rnd.choice(seeds).format])


def ending(path: Path, format: str | None, read: Read) -> str:
    messages: list[str] = []
    try:
        with patience():
            found = read(path, format, messages.append)
        end = "read" if found else "empty"
    except InputError as error:
        messages.append(str(error))
        end = "refused"
    except BaseException as error:
        return fault(path, f"{type(error).__name__}: {error}")
    if unclear := [message for message in messages if not message.isprintable()]:
        return fault(path, f"not one clear line: {unclear[0]!r}")
    return end


def fault(path: Path, what: str) -> str:
    KEPT.mkdir(parents=True, exist_ok=True)
    kept = KEPT / path.name
    kept.write_bytes(path.read_bytes() if path.stat().st_size < 1e7 else b"")
    print(f"FAULT {kept}: {what}", flush=True)
    return "FAULT"


# --- hostile files, each in a process of its own


def attack(wanted: str) -> int:
    faults = 0
    cases = [case for case in hostile.CASES if wanted in case.name]
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, case.file)
            writer = multiprocessing.get_context("fork").Process(target=case.write, args=(path,))
            writer.start()  # making the file may take more memory than reading it may
            writer.join()
            faults += in_a_process(lambda c=case, p=path: one_attack(c, p), case.name)
    print(f"  {len(cases)} hostile files, {faults} faults")
    return faults


def one_attack(case: hostile.Case, path: Path) -> int:
    messages: list[str] = []
    start = cpu_seconds()
    try:
        found = (labels if case.labels else papers)(path, None, messages.append)
        end = f"{found} read"
    except InputError as error:
        messages.append(str(error))
        end = "refused"
    seconds = cpu_seconds() - start
    told = messages[0].replace(str(path.parent), "")[:90] if messages else ""
    print(f"  {case.name:34} {seconds:5.1f} s  {end}  {told}", flush=True)
    return sum(not message.isprintable() for message in messages) + (seconds > PATIENCE)


def cpu_seconds() -> float:
    """Of this process and its children: what else runs on the machine does not count."""
    return sum(os.times()[:4])


def in_a_process(work: Callable[[], int], name: str) -> int:
    """Runs it in a fork, so that its memory is its own; a crash is a fault."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            faults = work()
        except BaseException as error:
            print(f"FAULT {name}: {type(error).__name__}: {error}", flush=True)
            faults = 1
        sys.stdout.flush()
        own, theirs = (
            resource.getrusage(who).ru_maxrss * 1024 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        )
        print(f"    {name}: peak memory {(own + theirs) / 1e6:,.0f} MB" + " FAULT: too much" * (own + theirs > MEMORY))
        sys.stdout.flush()
        os._exit(bool(faults) or own + theirs > MEMORY)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        print(f"FAULT {name}: killed by signal {os.WTERMSIG(status)}")
    return int(status != 0)


if __name__ == "__main__":
    main()

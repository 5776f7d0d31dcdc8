"""Runs that are killed, starved of disk and damaged, and must end with the bytes of an undisturbed run.

    python benchmarks/torture [--runs 200] [--seed 0] [--kinds "killed" "EIO at rename"] [--only 17]

Each run is killed at a random moment and, but for the first kind, disturbed in another way too; then it is started
again until it ends. A start may end well or with exit code 1 and one clear line. A traceback, a start that hangs, a run
that never ends or other predictions: exit code 1, and the folder of the case is kept with its story. --only plays one
case again, with the same seed.
"""

import starting  # isort: skip  (first: it keeps libraries from starting threads)

import argparse
import random
import shutil
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path

from cases import CALLS, KINDS, Case, Setting
from corpus import make_corpus
from faults import Fault
from starting import End, Start, in_a_fork

CHECKPOINT = "CHECKPOINT"
WAYS = {
    "paper, tiny BERT": ["--recipe", "paper", "--plm", CHECKPOINT, "--triples", "40"],
    "paper, fake PLM": ["--recipe", "paper", "--plm", "fake", "--triples", "40"],
    "best, static PLM": ["--recipe", "best", "--plm", f"static:{CHECKPOINT}"],
    "best, no PLM": ["--recipe", "best", "--plm", "none"],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--papers", type=int, default=72)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS), metavar="KIND")
    parser.add_argument("--settings", nargs="+", choices=WAYS, default=list(WAYS), metavar="SETTING")
    parser.add_argument("--only", type=int, metavar="NUMBER")
    parser.add_argument("--trust-forks", action="store_true", help="do not compare them with a fresh process")
    parser.add_argument("--folder", type=Path, default=Path("build/torture"))
    options = parser.parse_args()
    starting.warm_up()
    settings = undisturbed(options)
    cases: dict[str, list[Case]] = defaultdict(list)
    for number in range(options.runs) if options.only is None else [options.only]:
        kind = options.kinds[number % len(options.kinds)]
        cases[kind].append(play(number, kind, settings, options))
    show(cases)
    sys.exit(any(case.went_wrong for played in cases.values() for case in played))


def undisturbed(options: argparse.Namespace) -> list[Setting]:
    """Each setting as it should end."""
    inputs = options.folder.resolve() / "inputs"
    inputs.mkdir(parents=True, exist_ok=True)
    for old in options.folder.glob("case-*"):
        shutil.rmtree(old)
    in_a_fork(lambda: make_corpus(inputs, options.papers, options.seed))
    corpus = ["run", str(inputs / "papers.jsonl"), "--labels", str(inputs / "labels.jsonl")]
    ways = {name: [word.replace(CHECKPOINT, str(inputs / "checkpoint")) for word in WAYS[name]] for name in WAYS}
    return [measured(Setting(name, [*corpus, *ways[name]]), options) for name in options.settings]


def measured(setting: Setting, options: argparse.Namespace) -> Setting:
    """What a fork of ours predicts is what `futex` predicts; how long it takes, and how often it turns to the disk."""
    case = Case(options.folder / "undisturbed", setting, random.Random())
    begin = time.monotonic()
    ends_well(case.start(), setting)
    seconds, predictions = time.monotonic() - begin, case.predictions
    if not options.trust_forks and fresh_predictions(setting, options.folder / "fresh") != predictions:
        sys.exit(f"{setting.name}: two undisturbed runs differ")
    counted = Case(options.folder / "undisturbed", setting, random.Random())
    counters = {call: Fault(counted.folder, call) for call in CALLS}

    def count() -> None:
        for counter in counters.values():
            counter.install()

    ends_well(counted.start(count), setting)
    largest = max(path.stat().st_size for path in counted.folder.rglob("*") if path.is_file())
    calls = {call: counter.calls.value for call, counter in counters.items()}
    print(f"{setting.name}: {seconds:.2f} s, {calls}", file=sys.stderr, flush=True)
    return replace(setting, seconds=seconds, calls=calls, largest_file=largest, predictions=predictions)


def ends_well(start: Start, setting: Setting) -> None:
    outcome = start.outcome()
    if outcome.end is not End.DONE:
        sys.exit(f"{setting.name}: an undisturbed run ends with {outcome.end.value}: {outcome.messages}")


def fresh_predictions(setting: Setting, folder: Path) -> bytes:
    """Of a process that owes nothing to this one."""
    shutil.rmtree(folder, ignore_errors=True)
    where = ["--out", str(folder / "run"), "--cache", str(folder / "cache"), "--quiet"]
    command = [sys.executable, "-c", "from futex.cli import main; main()", *setting.arguments, *where]
    subprocess.run(command, check=True)
    return (folder / "run" / "predictions.jsonl").read_bytes()


def play(number: int, kind: str, settings: list[Setting], options: argparse.Namespace) -> Case:
    setting = settings[number // len(options.kinds) % len(settings)]
    case = Case(options.folder / f"case-{number}", setting, random.Random(f"{options.seed} {number}"))
    case.play(kind)
    if not case.went_wrong:
        shutil.rmtree(case.folder)
        return case
    story = [f"{kind}; {setting.name}; seed {options.seed}, case {number}", *case.story]
    story += ["stuck"] * case.is_stuck + ["other predictions"] * case.differs
    (case.folder / "story.txt").write_text("\n".join(story) + "\n")
    print(f"case {number} went wrong, see {case.folder / 'story.txt'}", file=sys.stderr, flush=True)
    return case


def show(cases: Mapping[str, list[Case]]) -> None:
    print("| disturbance | runs | kills | faults | resumes | clear errors | tracebacks | hung | stuck | differing |")
    print("|---" * 10 + "|")
    for kind, played in [*cases.items(), ("all", list(chain(*cases.values())))]:
        ends = [end for case in played for end in case.ends]
        row = [
            len(played),
            sum(case.kills for case in played),
            sum(case.faults for case in played),
            sum(case.starts - 1 for case in played),
            *(ends.count(end) for end in (End.CLEAR_LINE, End.TRACEBACK, End.HUNG)),
            sum(case.is_stuck for case in played),
            sum(case.differs for case in played),
        ]
        print(f"| {kind} | " + " | ".join(map(str, row)) + " |")


if __name__ == "__main__":
    main()

"""A case: one run that is disturbed, started again until it ends, and compared with the undisturbed one."""

import errno
import os
import random
import shutil
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from damage import DAMAGES, damage_one
from faults import CALLS, Fault, limit_file_size
from starting import End, Outcome, Start

PLAIN_STARTS = 3
"""After all disturbances; a run that does not end in one of them is stuck."""

WORKERS = "2"


@dataclass(frozen=True)
class Setting:
    """What is run, and what is known of it undisturbed."""

    name: str
    arguments: list[str]
    seconds: float = 0.0
    calls: dict[str, int] = field(default_factory=dict)
    largest_file: int = 0
    predictions: bytes = b""


class Case:
    """A folder with all that one run leaves on disk, and a count of what happened to it."""

    def __init__(self, folder: Path, setting: Setting, rng: random.Random) -> None:
        self.folder, self.setting, self.rng = folder.resolve(), setting, rng
        self.starts = self.kills = self.faults = 0
        self.ends: list[End] = []
        self.story: list[str] = []
        self.is_stuck = self.differs = False
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "tmp").mkdir(parents=True)

    @property
    def predictions(self) -> bytes:
        path = self.folder / "run" / "predictions.jsonl"
        return path.read_bytes() if path.exists() else b""

    @property
    def went_wrong(self) -> bool:
        return self.is_stuck or self.differs or End.TRACEBACK in self.ends or End.HUNG in self.ends

    def start(self, prepare: Callable[[], None] = lambda: None, out: str = "run") -> Start:
        self.starts += 1

        def set_up() -> None:
            os.environ |= {"OMP_NUM_THREADS": WORKERS, "TMPDIR": str(self.folder / "tmp")}
            prepare()

        where = ["--out", str(self.folder / out), "--cache", str(self.folder / "cache"), "--quiet"]
        return Start([*self.setting.arguments, *where], set_up)

    def note(self, what: str, outcome: Outcome) -> Outcome:
        self.ends.append(outcome.end)
        said = f": {outcome.messages.strip()}" if outcome.messages.strip() else ""
        self.story.append(f"{what} → {outcome.end.value}{said}")
        return outcome

    def play(self, kind: str) -> None:
        """All of the case: disturb it, then let it end."""
        disturbances: list[Callable[[Case], None]] = [KINDS[kind], killed]
        if KINDS[kind] is killed:
            disturbances = [killed] * self.rng.randint(1, 3)
        elif not kind.startswith(tuple(DAMAGES)):  # before any kill there is not much to damage
            self.rng.shuffle(disturbances)
        else:
            disturbances.reverse()
        for disturb in disturbances:
            disturb(self)
        self.is_stuck = not any(self.ends_undisturbed() for _ in range(PLAIN_STARTS))
        self.differs = not self.is_stuck and self.predictions != self.setting.predictions

    def ends_undisturbed(self) -> bool:
        return self.note("undisturbed", self.start().outcome()).end is End.DONE


def killed(case: Case) -> None:
    """SIGKILL to the whole process group at a random moment, an earlier one if it has ended by then."""
    longest = case.setting.seconds
    while True:
        start, moment = case.start(), case.rng.uniform(0, longest)
        if not start.ends_within(moment):
            break
        case.note(f"not killed, as it took less than {moment:.3f} s", start.outcome())
        longest /= 2
    start.kill()
    case.kills += 1
    case.note(f"killed after {moment:.3f} s", start.outcome())


def one_process_killed(case: Case) -> None:
    """The main process or one of those that it started, as the kernel does when memory runs out."""
    start, moment = case.start(), case.rng.uniform(0, case.setting.seconds)
    start.ends_within(moment)
    processes = start.processes()
    if processes:
        victim = case.rng.choice(processes)
        os.kill(victim, signal.SIGKILL)
        case.kills += 1
    case.note(f"one of {len(processes)} processes killed after {moment:.3f} s", start.outcome())
    time.sleep(0.05)  # those that lost their main process end by themselves


def failing(case: Case, call: str, error: int) -> None:
    """A write, fsync or rename fails, an earlier one if there are not that many left to do."""
    most = case.setting.calls[call]
    while most:
        nth = case.rng.randint(1, most)
        fault = Fault(case.folder, call, error, nth, stays=error == errno.ENOSPC)
        outcome = case.start(fault.install).outcome()
        case.note(f"{errno.errorcode[error]} at {call} {nth} of {fault.calls.value}", outcome)
        if fault.happened:
            case.faults += 1
            return
        most = nth // 2


def small_files(case: Case) -> None:
    """No file may become larger than so."""
    size = case.rng.randrange(case.setting.largest_file)
    outcome = case.note(f"files of {size} bytes at most", case.start(limit_file_size(size)).outcome())
    case.faults += outcome.end is not End.DONE


def damaged(case: Case, how: str, where: str) -> None:
    """A file of the run folder or of the cache is damaged between two starts, or after a whole run if there is none."""
    file = damage_one(case.folder / where, DAMAGES[how], case.rng)
    if file is None and case.ends_undisturbed():
        file = damage_one(case.folder / where, DAMAGES[how], case.rng)
    case.faults += file is not None
    case.story.append(f"{how}: {file and file.relative_to(case.folder)}")


def two_at_once(case: Case) -> None:
    """Two of them on one folder, and a third on the same cache."""
    starts = [case.start(), case.start(), case.start(out="other")]
    case.faults += len(starts) - 1
    for start in starts:
        case.note("together with others", start.outcome())


KINDS: dict[str, Callable[[Case], None]] = {
    "killed": killed,
    "one process killed": one_process_killed,
    **{
        f"{name} at {call}": partial(failing, call=call, error=error)
        for call in CALLS
        for name, error in (("ENOSPC", errno.ENOSPC), ("EIO", errno.EIO))
    },
    "file size limit": small_files,
    **{
        f"{how} in the {where}": partial(damaged, how=how, where=where) for how in DAMAGES for where in ("run", "cache")
    },
    "two at once": two_at_once,
}

"""The peak memory of a command and of all processes it starts, and the time it takes."""

import os
import re
import resource
import signal
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

SECONDS_BETWEEN_LOOKS = 0.5
POOLS = re.compile(r"^(Pss|Pss_File): +(\d+) kB", re.MULTILINE)


class Cost(NamedTuple):
    seconds: float
    own: float
    """Peak in GB of what the processes hold for themselves; a page that several share counts once."""
    mapped: float
    """Peak in GB of mapped files, which the system takes back when it needs the room."""
    cpu: float
    """Seconds of computing, of all its processes together."""


def cost_of(command: list[str]) -> Cost:
    """Run a command of our own to its end; it must end well."""
    begin, computed = time.perf_counter(), _cpu()
    own = mapped = 0.0
    with subprocess.Popen(command, start_new_session=True) as process:
        try:
            while True:
                looked = [memory_of(pid) for pid in _group(process.pid)]
                own = max(own, sum(each[0] for each in looked))
                mapped = max(mapped, sum(each[1] for each in looked))
                try:
                    code = process.wait(SECONDS_BETWEEN_LOOKS)
                    break
                except subprocess.TimeoutExpired:
                    continue
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    if code:
        raise subprocess.CalledProcessError(code, command)
    return Cost(time.perf_counter() - begin, own, mapped, _cpu() - computed)


def _cpu() -> float:
    """Seconds that all processes took that we started, and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _group(leader: int) -> list[int]:
    """The processes of a group, by what the system says of each."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if os.getpgid(int(folder.name)) == leader:
                found.append(int(folder.name))
        except ProcessLookupError:
            continue
    return found


def memory_of(pid: int) -> tuple[float, float]:
    """GB of its own and of mapped files: the proportional share of each page (PSS)."""
    try:
        sizes = dict(POOLS.findall(Path(f"/proc/{pid}/smaps_rollup").read_text()))
    except OSError:  # it has just ended
        return 0.0, 0.0
    total, mapped = (int(sizes.get(name, 0)) / 1e6 for name in ("Pss", "Pss_File"))
    return total - mapped, mapped

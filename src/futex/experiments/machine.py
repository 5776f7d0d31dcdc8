"""The machine that we run on, as far as it changes how long things take."""

import os
import platform
from pathlib import Path
from typing import Any


def machine() -> dict[str, Any]:
    return {"cores": os.cpu_count(), "processor": _processor(), "system": platform.system()}


def _processor() -> str:
    """Linux tells its name in a file, other systems through Python."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()

import platform
from pathlib import Path

import pytest

from futex.plm.heap import STEPS_BETWEEN_TRIMS, give_memory_back

BLOCK = 64 * 2**10


def resident() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) * 2**10


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries do not keep what is freed")
def test_what_was_freed_between_things_that_stay_is_given_back_now_and_then():
    blocks = [b"x" * BLOCK for _ in range(2000)]
    staying = blocks[::20]
    del blocks
    before = resident()
    give_memory_back(STEPS_BETWEEN_TRIMS + 1)
    assert resident() > before - 10 * BLOCK
    give_memory_back(2 * STEPS_BETWEEN_TRIMS)
    assert resident() < before - 1500 * BLOCK
    assert len(staying) == 100

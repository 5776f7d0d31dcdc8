"""Many processes, the same results in the same order."""

import itertools
import os

import pytest

from futex import processes
from futex.processes import on_all_cores


def doubled(items):
    return [(2 * item, os.getpid()) for item in items]


def failing(items):
    raise ValueError(items[0])


@pytest.mark.parametrize("count", [0, 1, 5, 100])
@pytest.mark.parametrize("cores", [1, 3])
def test_results_in_order(monkeypatch, count, cores):
    monkeypatch.setattr(processes, "default_workers", lambda: cores)
    assert [result for result, _ in on_all_cores(doubled, range(count), batch=4)] == [2 * i for i in range(count)]


def test_little_work_stays_here_and_much_is_shared(monkeypatch):
    monkeypatch.setattr(processes, "default_workers", lambda: 2)
    here = os.getpid()
    assert {process for _, process in on_all_cores(doubled, range(5), batch=2)} == {here}
    assert here not in {process for _, process in on_all_cores(doubled, range(100), batch=2)}


def test_an_endless_stream_is_read_only_a_little_ahead(monkeypatch):
    monkeypatch.setattr(processes, "default_workers", lambda: 2)
    taken = itertools.count()
    results = on_all_cores(doubled, (next(taken) for _ in itertools.repeat(None)), batch=2)
    assert [next(results)[0] for _ in range(50)] == [2 * i for i in range(50)]
    results.close()
    assert next(taken) < 50 + 2 * (processes.MAX_WAITING + processes.WORTH_IT)  # if one process is slow, at most


def test_an_error_in_a_process_is_raised_here(monkeypatch):
    monkeypatch.setattr(processes, "default_workers", lambda: 2)
    with pytest.raises(ValueError, match="0"):
        list(on_all_cores(failing, range(100), batch=2))


def test_cores_heed_the_environment(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert processes.default_workers() == 1
    monkeypatch.setenv("OMP_NUM_THREADS", "none")
    assert processes.default_workers() >= 1

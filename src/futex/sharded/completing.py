"""Do what is left of a stage, and let no single paper stop it."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext

from futex.errors import FutexError
from futex.progress import Advance, task
from futex.sharded.engine import Engine, Outcome, Stage, Task
from futex.sharded.shelf import State

log = logging.getLogger(__name__)

TRIES = 3
"""Of a shard as a whole, and of a paper by itself before it is given up."""

MOST_POISONED = 8
"""Papers of one shard that are skipped; if more of them kill their worker, it is not the papers. Nor is it if more
shards than this do, and not one gets through."""

Part = tuple[int, int]
"""Papers of a shard, by their positions: the first, and the one behind the last."""


def complete(stage: Stage, engine: Engine, sizes: Sequence[int]) -> None:
    """Compute the shards that are not there, or not whole, or made from something else.

    `sizes` is the number of papers in each shard of the stage.
    """
    left = [Task(number) for number in range(len(sizes)) if _is_left(stage, number)]
    if not left:
        return
    done = sum(sizes) - sum(sizes[one.number] for one in left)
    with _progress(stage, sum(sizes), done) as advance:
        dead = list(_deaths(stage, engine, left, sizes, advance))
        if len(dead) == len(left) > MOST_POISONED:
            raise _hopeless(stage, dead[0])
        for _ in range(TRIES - 1):
            dead = list(_deaths(stage, engine, [outcome.task for outcome in dead], sizes, advance))
        for outcome in dead:
            _complete_without_poison(stage, engine, outcome, sizes, advance)


def _progress(stage: Stage, papers: int, done: int) -> AbstractContextManager[Advance]:
    """A single long task shows its own progress."""
    return nullcontext(lambda steps=1, note="": None) if stage.whole_corpus else task(stage.title, papers, done)


def _is_left(stage: Stage, number: int) -> bool:
    state = stage.place.state(number, stage.key(number))
    if state in (State.DAMAGED, State.MISSING):
        log.warning("%s is %s: computing it again", stage.place.path(number), state.value)
    return state is not State.DONE


def _complete_without_poison(
    stage: Stage, engine: Engine, lost: Outcome, sizes: Sequence[int], advance: Advance
) -> None:
    if stage.whole_corpus:
        raise _hopeless(stage, lost)
    number = lost.task.number
    poisoned = _poisoned(stage, engine, lost, sizes[number])
    for outcome in _deaths(stage, engine, [Task(number, skip=poisoned)], sizes, advance):
        raise _hopeless(stage, outcome)


def _deaths(
    stage: Stage, engine: Engine, tasks: Iterable[Task], sizes: Sequence[int] = (), advance: Advance | None = None
) -> Iterator[Outcome]:
    """Carry out tasks; gives those whose worker died."""
    for outcome in engine.map(stage, tasks):
        if outcome.bug:
            raise RuntimeError(outcome.bug)
        if outcome.fault:
            raise FutexError(outcome.fault)
        if outcome.death:
            yield outcome
        elif advance is not None:
            advance(sizes[outcome.task.number])


def _poisoned(stage: Stage, engine: Engine, lost: Outcome, size: int) -> tuple[int, ...]:
    """Positions of the papers whose workers die, found by halving the shard again and again."""
    log.info("%s: a worker died (%s), looking for the paper in %d", stage.title, lost.death, size)
    found: list[int] = []
    suspects = [(0, size)]
    while suspects:
        dead = _dead_parts(stage, engine, lost, [half for part in suspects for half in _halves(*part)])
        suspects = [part for part in dead if _size(part) > 1]
        alone = [part for part in dead if _size(part) == 1]
        for _ in range(TRIES - 1):  # a machine that went down just now is not the paper's fault
            alone = _dead_parts(stage, engine, lost, alone)
        found += [start for start, _ in alone]
        if len(found) > MOST_POISONED:
            raise _hopeless(stage, lost)
    return tuple(sorted(found))


def _dead_parts(stage: Stage, engine: Engine, lost: Outcome, parts: list[Part]) -> list[Part]:
    trials = [Task(lost.task.number, part=part) for part in parts]
    return [outcome.task.part for outcome in _deaths(stage, engine, trials) if outcome.task.part]


def _halves(start: int, end: int) -> list[Part]:
    middle = (start + end) // 2
    return [(start, middle), (middle, end)] if end - start > 1 else [(start, end)]


def _size(part: Part) -> int:
    return part[1] - part[0]


def _hopeless(stage: Stage, outcome: Outcome) -> FutexError:
    return FutexError(
        f"{stage.title}: workers die again and again ({outcome.death}), at {stage.place.path(outcome.task.number)}; is "
        "there enough memory? What is finished is kept, and the next run goes on from there"
    )

"""Requests that come at the same time are answered together: a batch keeps all cores busy, one paper does not.

While one batch is worked on, the next one gathers. All work is done in one thread, beside the event loop.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, TypeVar

from futex.serve.problems import Problem, shutting_down
from futex.serve.settings import Limits

Item = TypeVar("Item")
Result = TypeVar("Result")

NEWS = 0.2
"""How much the last batch counts in the estimate of what a character takes."""


@dataclass(slots=True, eq=False)
class _Job(Generic[Item, Result]):
    item: Item
    characters: int
    answer: "asyncio.Future[Result]"


class Batcher(Generic[Item, Result]):
    """`work` answers a list of items with a list of the same length."""

    def __init__(
        self,
        work: Callable[[Sequence[Item]], Sequence[Result]],
        executor: Executor,
        limits: Limits,
        on_batch: Callable[[int], object] = lambda size: None,
    ) -> None:
        self._work = work
        self._executor = executor
        self._limits = limits
        self._on_batch = on_batch
        self._jobs: deque[_Job[Item, Result]] = deque()
        self._arrival = asyncio.Event()
        self._seconds_per_character = 0.0
        self._task = asyncio.create_task(self._run())
        self._is_closed = False

    @property
    def waiting(self) -> int:
        return len(self._jobs)

    async def submit(self, item: Item, characters: int) -> Result:
        """The answer, or at once a refusal if it could not come in time."""
        if self._is_closed:
            raise shutting_down()
        wait = self._seconds_per_character * sum(job.characters for job in self._jobs)
        if len(self._jobs) >= self._limits.waiting or wait > self._limits.seconds:
            raise Problem(429, f"{len(self._jobs)} papers are waiting already; try again later", retry_after=wait)
        job: _Job[Item, Result] = _Job(item, characters, asyncio.get_running_loop().create_future())
        self._jobs.append(job)
        self._arrival.set()
        try:
            return await asyncio.wait_for(job.answer, self._limits.seconds)
        except TimeoutError:
            raise Problem(503, f"no answer within {self._limits.seconds:g} seconds", retry_after=wait) from None
        finally:
            with suppress(ValueError):  # taken already
                self._jobs.remove(job)

    async def close(self) -> None:
        """Refuse what comes, answer what is there."""
        self._is_closed = True
        self._arrival.set()
        await self._task

    async def _run(self) -> None:
        while True:
            await self._arrival.wait()
            if len(self._jobs) < self._limits.batch and not self._is_closed:
                await asyncio.sleep(self._limits.batch_pause)
            batch = self._next_batch()
            if batch:
                self._on_batch(len(batch))
                await self._answer(batch)
            if not self._jobs:
                if self._is_closed:
                    return
                self._arrival.clear()

    def _next_batch(self) -> list[_Job[Item, Result]]:
        batch: list[_Job[Item, Result]] = []
        room = self._limits.batch_characters
        while self._jobs and len(batch) < self._limits.batch and (not batch or self._jobs[0].characters <= room):
            job = self._jobs.popleft()
            if not job.answer.done():  # its client may be gone
                batch.append(job)
                room -= job.characters
        return batch

    async def _answer(self, batch: list[_Job[Item, Result]]) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            results = await loop.run_in_executor(self._executor, self._work, [job.item for job in batch])
        except Exception as error:
            await self._one_by_one(batch, error)
            return
        self._learn(loop.time() - began, sum(job.characters for job in batch))
        for job, result in zip(batch, results, strict=True):
            if not job.answer.done():
                job.answer.set_result(result)

    async def _one_by_one(self, batch: list[_Job[Item, Result]], error: Exception) -> None:
        """One item that cannot be answered must not spoil the others' answers."""
        if len(batch) == 1:
            if not batch[0].answer.done():
                batch[0].answer.set_exception(error)
            return
        for job in batch:
            if not job.answer.done():
                await self._answer([job])

    def _learn(self, seconds: float, characters: int) -> None:
        measured = seconds / max(1, characters)
        known = self._seconds_per_character or measured
        self._seconds_per_character = known + NEWS * (measured - known)

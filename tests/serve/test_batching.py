"""Requests that come together are ranked together, off the event loop; what is too much is refused at once."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from serve.running import BIOLOGY, a_paper, a_service, answering

from futex.ranking import Ranking
from futex.serve.answering import Answer, Answerer
from futex.serve.batching import Batcher
from futex.serve.problems import Problem
from futex.serve.settings import Limits

SUGGEST = "/v1/projects/my-run/suggest"


class Gate:
    """Work that waits until it may go on, and remembers its batches."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.reached = threading.Event()
        self.batches: list[list[int]] = []

    def __call__(self, items):
        self.batches.append(list(items))
        self.reached.set()
        assert self.open.wait(20)
        if -1 in items:
            raise ZeroDivisionError
        return [10 * item for item in items]


def batched(scenario, **limits):
    """Runs `scenario(batcher, gate)`; gives the batches."""
    gate = Gate()

    async def main():
        with ThreadPoolExecutor(1) as executor:
            batcher = Batcher(gate, executor, Limits(**{"batch_pause": 0.0, **limits}))
            try:
                await scenario(batcher, gate)
            finally:
                gate.open.set()
                await batcher.close()

    asyncio.run(main())
    return gate.batches


async def first_one_held(batcher, gate):
    """One item is being worked on, and nothing else can be."""
    first = asyncio.create_task(batcher.submit(0, 1))
    await asyncio.to_thread(gate.reached.wait, 20)
    return first


def test_what_comes_meanwhile_makes_one_batch():
    async def scenario(batcher, gate):
        first = await first_one_held(batcher, gate)
        others = [asyncio.create_task(batcher.submit(i, 1)) for i in range(1, 6)]
        await asyncio.sleep(0)
        gate.open.set()
        assert await asyncio.gather(first, *others) == [0, 10, 20, 30, 40, 50]

    assert batched(scenario) == [[0], [1, 2, 3, 4, 5]]


def test_a_batch_has_its_limits():
    async def scenario(batcher, gate):
        first = await first_one_held(batcher, gate)
        others = [asyncio.create_task(batcher.submit(i, i)) for i in (5, 6, 1, 1, 1, 99, 1)]
        await asyncio.sleep(0)
        gate.open.set()
        await asyncio.gather(first, *others)

    assert batched(scenario, batch=3, batch_characters=10) == [[0], [5], [6, 1, 1], [1], [99], [1]]


def test_one_that_fails_does_not_spoil_the_others():
    async def scenario(batcher, gate):
        first = await first_one_held(batcher, gate)
        good, bad = (asyncio.create_task(batcher.submit(item, 1)) for item in (1, -1))
        await asyncio.sleep(0)
        gate.open.set()
        assert await asyncio.gather(first, good) == [0, 10]
        with pytest.raises(ZeroDivisionError):
            await bad

    assert batched(scenario) == [[0], [1, -1], [1], [-1]]


def test_who_has_gone_is_not_answered():
    async def scenario(batcher, gate):
        first = await first_one_held(batcher, gate)
        gone, here = (asyncio.create_task(batcher.submit(i, 1)) for i in (1, 2))
        await asyncio.sleep(0)
        gone.cancel()
        gate.open.set()
        assert await asyncio.gather(first, here) == [0, 20]

    assert batched(scenario) == [[0], [2]]


def test_who_has_gone_when_a_batch_fails_is_not_tried_again():
    async def scenario(batcher, gate):
        bad, gone = (asyncio.create_task(batcher.submit(item, 1)) for item in (-1, 1))
        await asyncio.to_thread(gate.reached.wait, 20)
        gone.cancel()
        await asyncio.sleep(0)
        gate.open.set()
        with pytest.raises(ZeroDivisionError):
            await bad

    assert batched(scenario) == [[-1, 1], [-1]]


def test_a_full_queue_refuses_and_a_late_answer_is_given_up():
    async def scenario(batcher, gate):
        first = await first_one_held(batcher, gate)
        second = asyncio.create_task(batcher.submit(1, 1))
        await asyncio.sleep(0)
        with pytest.raises(Problem) as refused:
            await batcher.submit(2, 1)
        assert refused.value.status_code == 429
        assert int(refused.value.headers["Retry-After"]) >= 1
        with pytest.raises(Problem) as late:
            await second
        assert late.value.status_code == 503
        gate.open.set()
        with pytest.raises(Problem):
            await first

    assert batched(scenario, waiting=1, seconds=0.05) == [[0]]


def test_closing_answers_what_is_there_and_refuses_the_rest():
    async def scenario(batcher, gate):
        first = await first_one_held(batcher, gate)
        second = asyncio.create_task(batcher.submit(1, 1))
        await asyncio.sleep(0)
        closing = asyncio.create_task(batcher.close())
        await asyncio.sleep(0)
        with pytest.raises(Problem) as refused:
            await batcher.submit(2, 1)
        assert refused.value.status_code == 503
        gate.open.set()
        await closing
        assert await asyncio.gather(first, second) == [0, 10]

    batched(scenario)


@pytest.fixture
def held(monkeypatch):
    """All models wait at this gate; it knows the sizes of their batches."""
    gate = Gate()
    answer = Answerer.__call__

    def waiting(self, questions):
        gate([0] * len(questions))
        return answer(self, questions)

    monkeypatch.setattr(Answerer, "__call__", waiting)
    return gate


def waiting_papers(client) -> int:
    (line,) = [line for line in client.get("/metrics").text.splitlines() if line.startswith("futex_papers_waiting{")]
    return int(float(line.split()[-1]))


def test_overload_is_refused_while_health_answers(run_folder, tmp_path, held):
    service = a_service([run_folder], Limits(waiting=3), feedback=tmp_path / "f.sqlite")
    with answering(service) as client, ThreadPoolExecutor(4) as clients:
        asked = [clients.submit(client.post, SUGGEST, data={"text": BIOLOGY})]
        assert held.reached.wait(20)
        asked += [clients.submit(client.post, SUGGEST, data={"text": BIOLOGY}) for _ in range(3)]
        while waiting_papers(client) < 3:
            assert client.get("/health").json() == {"status": "ok"}
        refused = client.post(SUGGEST, data={"text": BIOLOGY})
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) >= 1
        assert client.get("/api/projects/my-run/labels/search", params={"q": "lung"}).status_code == 200
        held.open.set()
        answers = [answer.result().json() for answer in asked]
    assert answers[0]["results"]
    assert answers == [answers[0]] * 4
    assert [len(batch) for batch in held.batches] == [1, 3]


async def fifteen_seconds() -> None:
    """By the clock of the event loop, which is put forward."""
    loop = asyncio.get_running_loop()
    now = loop.time
    loop.time = lambda: now() + 15
    for _ in range(3):  # whoever is waiting for the clock has its turn
        await asyncio.sleep(0)


@pytest.mark.parametrize("path", [SUGGEST, "/api/projects/my-run/classify"])
def test_reading_and_ranking_have_one_time_together(run_folder, tmp_path, monkeypatch, path):
    service = a_service([run_folder], Limits(seconds=20), feedback=tmp_path / "f.sqlite")

    async def read(upload):
        await fifteen_seconds()
        return a_paper(1)

    async def ask(project_id, question):
        await fifteen_seconds()
        return Answer(Ranking(), [])

    with answering(service) as client:
        monkeypatch.setattr(service, "read", read)
        monkeypatch.setattr(service, "ask", ask)
        form = path == SUGGEST
        given = {"data": {"text": "x"}} if form else {"content": b"x", "headers": {"content-type": "text/plain"}}
        answer = client.post(path, **given)
    assert answer.status_code == 503
    assert answer.json()["detail"] == "no answer within 20 seconds; try again later"


def test_while_models_load(run_folder, tmp_path, monkeypatch):
    from futex.serve.project import Project

    gate, load = threading.Event(), Project.load

    def slow_load(self, cache):
        assert gate.wait(20)
        return load(self, cache)

    monkeypatch.setattr(Project, "load", slow_load)
    service = a_service([run_folder], feedback=tmp_path / "f.sqlite")
    with answering(service, loaded=False) as client:
        assert client.get("/health").status_code == 200
        for answer in (
            client.get("/ready"),
            client.post(SUGGEST, data={"text": BIOLOGY}),
            client.get("/api/projects/my-run/papers"),
        ):
            assert answer.status_code == 503
            assert "retry-after" in answer.headers
        assert client.get("/api/projects").json()["projects"][0]["state"] == "loading"
        gate.set()
        assert service.has_loaded.wait(20)
        assert client.get("/ready").status_code == 200


def test_memory_stays_flat(run_folder, monkeypatch, tmp_path):
    from futex.serve import answering as module

    times: list[int] = []
    monkeypatch.setattr(module, "give_memory_back", times.append)
    monkeypatch.setattr(module, "REMEMBERED", 10)
    service = a_service([run_folder], feedback=tmp_path / "f.sqlite")
    with answering(service) as client:
        for i in range(30):
            client.post(SUGGEST, data={"text": f"A mouse, number {i}."})
        plm = service.projects["my-run"].loaded.model.plm
        assert len(plm._vectors._rows) <= 10
    assert times == list(range(1, 31))

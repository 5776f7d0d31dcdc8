"""Everything that lives as long as the service does: projects, readers, the thread of the models."""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from anyio import CapacityLimiter, to_thread

from futex.corpus.paper import Paper
from futex.hierarchy.bi_encoder import BiEncoder
from futex.ranking import Ranking
from futex.serve.answering import Answer, Question
from futex.serve.batching import Batcher
from futex.serve.metrics import Metrics
from futex.serve.parsing import Upload, length_of
from futex.serve.problems import Problem, still_loading
from futex.serve.project import Loaded, Project, Reviewed
from futex.serve.projection import PaperMap, map_file
from futex.serve.reading import Readers
from futex.serve.settings import Settings

log = logging.getLogger(__name__)

Result = TypeVar("Result")


class Service:
    """Made before the event loop runs; `start` and `stop` are called inside it."""

    def __init__(self, projects: Mapping[str, Project], settings: Settings) -> None:
        self.projects = projects
        self.settings = settings
        self.metrics = Metrics()
        self.failure: Exception | None = None
        self.on_failure: Callable[[], None] = lambda: None
        self.has_loaded = threading.Event()
        limits = settings.limits
        self._readers = Readers(limits.readers, limits.reading_seconds, limits.characters)
        self._can_read = False
        self._batchers: dict[str, Batcher[Question, Answer]] = {}
        self._maps: dict[str, PaperMap] = {}

    # --- life

    async def start(self) -> None:
        """Answer at once; load in the background."""
        self._models = ThreadPoolExecutor(max_workers=1, thread_name_prefix="models")
        self._reading = CapacityLimiter(self.settings.limits.readers)
        self._loading = asyncio.create_task(self._load())

    async def stop(self) -> None:
        """Answer what was asked, refuse what comes."""
        self._loading.cancel()
        self._readers.close()
        await asyncio.gather(*(paper_map.stop() for paper_map in self._maps.values()))
        await asyncio.gather(*(batcher.close() for batcher in self._batchers.values()))
        self._models.shutdown(wait=True, cancel_futures=True)
        for project in self.projects.values():
            project.feedback.close()

    async def _load(self) -> None:
        try:
            await asyncio.gather(self._start_readers(), self._load_models())
            log.info("ready: %s", ", ".join(self.projects))
            for project in self.projects.values():
                await to_thread.run_sync(project.load_papers)
        except Exception as failure:
            self.failure = failure
            self.on_failure()
        finally:
            self.has_loaded.set()

    async def _start_readers(self) -> None:
        await to_thread.run_sync(self._readers.start)
        self._can_read = True

    async def _load_models(self) -> None:
        loop = asyncio.get_running_loop()
        for project in self.projects.values():
            loaded = await loop.run_in_executor(self._models, project.load, self.settings.cache)
            self._serve(project, loaded)

    def _serve(self, project: Project, loaded: Loaded) -> None:
        batches = self.metrics.batches.labels(project.id)
        batcher = Batcher(loaded.answer, self._models, self.settings.limits, batches.observe)
        self.metrics.waiting.labels(project.id).set_function(lambda: batcher.waiting)
        self._batchers[project.id] = batcher
        self.metrics.loaded.inc()

    # --- what routes ask for

    def project(self, project_id: str) -> Project:
        if project_id not in self.projects:
            raise Problem(404, f"Project '{project_id}' not found")
        return self.projects[project_id]

    def loaded_project(self, project_id: str) -> Loaded:
        project = self.project(project_id)
        if project.loaded is None or project_id not in self._batchers:
            raise still_loading(f"project '{project_id}'")
        return project.loaded

    def reviewed_project(self, project_id: str) -> Reviewed:
        project = self.project(project_id)
        if project.run is None:
            raise Problem(404, f"project '{project_id}' was started from a model alone; give the folder of its run")
        if project.reviewed is None:
            raise still_loading(f"the corpus of project '{project_id}'")
        return project.reviewed

    @property
    def is_ready(self) -> bool:
        return self._can_read and len(self._batchers) == len(self.projects)

    @asynccontextmanager
    async def in_time(self) -> AsyncIterator[None]:
        """Around all that an answer takes, reading and ranking."""
        seconds = self.settings.limits.seconds
        try:
            async with asyncio.timeout(seconds):
                yield
        except TimeoutError:
            raise Problem(503, f"no answer within {seconds:g} seconds; try again later", retry_after=10) from None

    async def read(self, upload: Upload) -> Paper:
        if not self._can_read:
            raise still_loading("the service")
        if self._reading.statistics().tasks_waiting >= self.settings.limits.waiting:
            raise Problem(429, "many files are waiting to be read already; try again later", retry_after=5)
        try:
            return await to_thread.run_sync(self._readers.read, upload, limiter=self._reading)
        except Problem:
            self.metrics.unreadable.inc()
            raise

    async def read_all(self, uploads: Iterable[Upload]) -> list[Paper]:
        return await _all_or_none(self.read(upload) for upload in uploads)

    async def ask(self, project_id: str, question: Question) -> Answer:
        self.loaded_project(project_id)
        return await self._batchers[project_id].submit(question, length_of(question.paper))

    async def rank_all(self, project_id: str, papers: Sequence[Paper], top: int) -> list[Ranking]:
        answers = await _all_or_none(self.ask(project_id, Question(paper, top)) for paper in papers)
        return [answer.ranking for answer in answers]

    def map_of(self, project_id: str) -> PaperMap:
        """The map of a project's papers, which is begun when somebody first asks for it."""
        corpus = self.reviewed_project(project_id).corpus
        loaded = self.loaded_project(project_id)
        model = loaded.model
        if corpus.texts is None:
            raise Problem(404, "There is no map: the texts of the papers cannot be found.")
        if model.recipe.plm == "none":
            raise Problem(404, "There is no map: this model has no PLM to tell which papers are alike.")
        if project_id not in self._maps:
            encoder = BiEncoder(model.plm, model.labels, "full" if model.recipe.hierarchy else "abstract")
            made_by = f"{model.plm.fingerprint} {model.recipe.hierarchy}"
            path = map_file(self.settings.cache, made_by, corpus.texts.digest, corpus.ids)
            self._maps[project_id] = PaperMap(corpus, encoder, loaded.answer.forget, path, self._models)
        if failure := self._maps[project_id].failure:
            del self._maps[project_id]  # to be tried again by whoever asks next
            raise failure
        return self._maps[project_id]


async def _all_or_none(asked: Iterable[Coroutine[Any, Any, Result]]) -> list[Result]:
    """All results; if one is refused, the others are given up."""
    tasks = [asyncio.create_task(one) for one in asked]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()

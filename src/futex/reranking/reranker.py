"""Rankings → rankings: the best labels of each paper in the order of a language model's grades."""

import logging
from collections import Counter, deque
from collections.abc import Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

from futex.candidates import Finder
from futex.corpus.paper import Paper
from futex.errors import ServiceError, printable
from futex.labels.label import LabelSpace
from futex.ranking import Ranking
from futex.reranking.answers import Answer, AnswerStore
from futex.reranking.endpoint import Endpoint, NoAnswer, Refusal
from futex.reranking.grades import read_grades, regraded
from futex.reranking.question import Question, question
from futex.reranking.spending import Spending

log = logging.getLogger(__name__)

BEST = 20
"""Labels of each paper that are asked about."""

AT_ONCE = 4
GIVE_UP_AFTER = 3
"""Papers in a row without an answer: then the endpoint is not there, and those behind would fare no better."""

Asked = tuple[Paper, Question | None, "Future[Paid] | None"]
"""A paper, what is asked about it, if there is anything to order, and the answer to come, unless money is short."""

Paid = tuple[Answer, bool]
"""An answer, and whether it was paid for just now."""


@dataclass
class Reranker:
    """`Reranker(Endpoint("http://localhost:8000/v1", "some-model")).rerank(papers, rankings, labels, matcher)`.

    A paper that gets no usable answer keeps its ranking, as do all papers once the budget is spent.
    """

    endpoint: Endpoint
    spending: Spending = field(default_factory=Spending)
    cache: Path | None = None
    papers: Counter[str] = field(default_factory=Counter, init=False)
    """How many were re-ranked, and how many not, by the reason."""
    _in_a_row: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._answers = AnswerStore(self.cache)

    def rerank(
        self, papers: Iterable[Paper], rankings: Mapping[str, Ranking], labels: LabelSpace, matcher: Finder
    ) -> Iterator[tuple[str, Ranking]]:
        """The new ranking of each paper, by its id, in the order of the papers."""
        questions = ((paper, self._question(paper, rankings[paper.id], labels, matcher)) for paper in papers)
        with closing(self._ask_all(questions)) as all_asked:
            for paper, asked, coming in all_asked:
                yield paper.id, self._taken(paper, rankings[paper.id], asked, coming)

    def as_dict(self) -> dict[str, Any]:
        """For config.json: who re-ranked how much."""
        return {
            "endpoint": self.endpoint.base,
            "model": self.endpoint.model,
            "labels": BEST,
            "papers": dict(sorted(self.papers.items())),
            "tokens": self.spending.tokens._asdict(),
        }

    def _question(self, paper: Paper, ranking: Ranking, labels: LabelSpace, matcher: Finder) -> Question | None:
        """None where there is nothing to order."""
        best = ranking.top(BEST).labels
        return question(paper, best, labels, matcher) if len(best) > 1 else None

    def _ask_all(self, questions: Iterable[tuple[Paper, Question | None]]) -> Generator[Asked]:
        """Some at once, given back in order.

        Whether a question is asked hangs on the answers that were given back before, never on which thread was faster.
        """
        waiting: deque[Asked] = deque()
        stopped = Event()
        with ThreadPoolExecutor(AT_ONCE) as pool:
            try:
                for paper, asked in questions:
                    if asked is None or self.spending.budget_is_spent:
                        waiting.append((paper, asked, None))
                    else:
                        waiting.append((paper, asked, pool.submit(self._answer, asked, stopped)))
                    if len(waiting) == AT_ONCE:
                        yield waiting.popleft()
                yield from waiting
            finally:
                stopped.set()

    def _answer(self, asked: Question, stopped: Event) -> Paid:
        request = asked.request(self.endpoint.model)
        if kept := self._answers.find(request):
            return kept, False
        answer = self.endpoint.complete(request, stopped)
        self._answers.keep(request, answer)
        return answer, True

    def _taken(self, paper: Paper, ranking: Ranking, asked: Question | None, coming: "Future[Paid] | None") -> Ranking:
        if asked is None or coming is None:
            self.papers["with one label or none" if asked is None else "after the budget"] += 1
            return ranking
        try:
            answer, is_new = coming.result()
        except NoAnswer as problem:
            self._bear(paper, problem)
            return ranking
        self._in_a_row = 0
        self._pay(answer, is_new)
        grades = {asked.labels[i - 1]: grade for i, grade in read_grades(answer.content, len(asked.labels)).items()}
        self.papers["re-ranked" if grades else "with an unusable answer"] += 1
        return regraded(ranking, grades)

    def _bear(self, paper: Paper, problem: NoAnswer) -> None:
        """One paper without an answer, or a few; but if it goes on like this, say so and stop.

        A refusal is an answer to that one paper, and would be the same the next time.
        """
        self.papers["without an answer"] += 1
        self._in_a_row = 0 if isinstance(problem, Refusal) else self._in_a_row + 1
        if self._in_a_row == GIVE_UP_AFTER:
            raise ServiceError(f"{problem}; what was answered is kept: start again with the same words when it works")
        log.warning("%s keeps its ranking: %s", printable(paper.id), problem)

    def _pay(self, answer: Answer, is_new: bool) -> None:
        if answer.tokens:
            self.spending.add(answer.tokens, paid_now=is_new)
        elif self.spending.budget is not None:
            raise ServiceError(f"{self.endpoint.base} does not tell how many tokens it used: leave out --llm-budget")

    def report(self) -> None:
        """What was done, what it cost, and one line if the money did not last."""
        kept = ", ".join(f"{count} {reason}" for reason, count in sorted(self.papers.items()) if reason != "re-ranked")
        others = f" ({kept} keep their ranking)" if kept else ""
        log.info("re-ranked %d papers by %s%s", self.papers["re-ranked"], self.endpoint.model, others)
        log.info("%s; of it now: %s", self.spending, self.spending.now)
        if left := self.papers["after the budget"]:
            log.warning("the budget is spent: %d papers keep their ranking; a higher --llm-budget goes on there", left)

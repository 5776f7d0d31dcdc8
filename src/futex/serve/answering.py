"""Questions to a model and its answers: rankings, and on request everything that led to them.

Only one thread may ask at a time. What a model has computed is forgotten after a while, and freed memory is
given back.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from futex.corpus.paper import Paper
from futex.pipeline import FuTex
from futex.plm.heap import give_memory_back
from futex.plm.later import loaded_now
from futex.ranking import Ranking
from futex.serve.explaining import explain
from futex.serve.schemas import ExplainedLabel

REMEMBERED = 50_000
"""Vectors and scores kept in memory: of labels, and of papers that are likely to be asked about again."""


@dataclass(frozen=True, slots=True)
class Question:
    paper: Paper
    top: int
    explained: bool = False
    ranking: Ranking | None = None
    applying: int | None = None
    """Both known already for papers of the corpus."""


@dataclass(frozen=True, slots=True)
class Answer:
    ranking: Ranking
    explanation: list[ExplainedLabel] | None


class Answerer:
    def __init__(self, model: FuTex) -> None:
        self._model = model
        self._times_answered = 0
        for plm in model.plms():
            loaded_now(plm.uncached)
            plm.leave_no_trace()

    def __call__(self, questions: Sequence[Question]) -> list[Answer]:
        rankings = self._rankings(questions)
        answers = [self._answer(question, ranking) for question, ranking in zip(questions, rankings, strict=True)]
        self.forget()
        self._times_answered += 1
        give_memory_back(self._times_answered)
        return answers

    def forget(self) -> None:
        """All but what was computed last."""
        for plm in self._model.plms():
            plm.forget_all_but(REMEMBERED)

    def _rankings(self, questions: Sequence[Question]) -> list[Ranking]:
        """Papers of different clients may have the same id, so they are numbered here."""
        unknown = [replace(q.paper, id=str(i)) for i, q in enumerate(questions) if q.ranking is None]
        ranked = self._model.rank(unknown) if unknown else {}
        return [ranked[str(i)] if q.ranking is None else q.ranking for i, q in enumerate(questions)]

    def _answer(self, question: Question, ranking: Ranking) -> Answer:
        shown = ranking.top(question.top)
        if not question.explained:
            return Answer(shown, None)
        # What a run has written down of a ranking is too short to tell anew.
        applying = self._model.number_that_apply(ranking) if question.ranking is None else question.applying
        return Answer(shown, explain(self._model, question.paper, shown, applying))

"""The papers of a run for review: what was predicted, what people said, and why."""

from typing import Annotated

import numpy as np
from anyio import to_thread
from fastapi import APIRouter, Query, Response
from numpy.typing import NDArray

from futex.corpus.paper import Paper
from futex.serve.answering import Question
from futex.serve.corpus import LINKS, Corpus
from futex.serve.explaining import confidence, modules_of, text_of
from futex.serve.listing import Disagreement, Filters, Opinions, Order, before, select, trust_in
from futex.serve.problems import Problem, may_answer
from futex.serve.routes.parts import Behind, LabelId, Offset, PaperQuery, ProjectId, known_label, rendered
from futex.serve.schemas import (
    Classified,
    JudgedLabel,
    Neighbour,
    Neighbours,
    PaperDetails,
    PaperEntry,
    PaperPage,
    PredictedLabel,
    StoredEvidence,
    StoredLabel,
)
from futex.serve.service import Service

router = APIRouter(
    prefix="/api/projects/{project_id}/papers", tags=["Review"], responses=may_answer(404, 422, 429, 503)
)

MOST_NEIGHBOURS = 50
Share = Annotated[float, Query(ge=0, le=1, allow_inf_nan=False)]


@router.get("", summary="Papers and their labels, a page at a time")
def papers(
    project_id: ProjectId,
    behind: Behind,
    label: Annotated[LabelId | None, Query(description="Papers that have this label.")] = None,
    min_confidence: Share = 0.0,
    max_confidence: Share = 1.0,
    disagreement: Annotated[
        Disagreement | None,
        Query(
            description="`modules`: they rank different labels first. "
            "`people`: they rejected one of the best five labels, or accepted or added one that is not among them."
        ),
    ] = None,
    reviewed: Annotated[bool | None, Query(description="Only papers with feedback, or only those without.")] = None,
    title: Annotated[str, Query(max_length=200, description="Something the title holds.")] = "",
    order: Order = "corpus",
    top: Annotated[int, Query(ge=1, le=100, description="Labels shown of each paper.")] = 5,
    offset: Offset = 0,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    around: Annotated[
        str | None,
        Query(
            max_length=500, description="Instead of `offset`: the page where this paper is, or would be if it passed."
        ),
    ] = None,
) -> PaperPage:
    known = behind.reviewed_project(project_id)
    corpus, confident = known.corpus, known.confidences
    if label is not None:
        known_label(corpus.space, label)
    filters = Filters(
        label=label,
        min_confidence=min_confidence,
        max_confidence=max_confidence,
        disagreement=disagreement,
        modules=modules_of(behind.loaded_project(project_id).model),
        reviewed=reviewed,
        words=title,
        order=order,
    )
    opinions = behind.project(project_id).feedback.by_paper()
    found = select(corpus, confident, opinions, filters)
    ahead = None
    if around is not None and around in corpus.position:
        ahead = before(corpus, confident, filters, found, corpus.position[around])
        offset = max(0, min(ahead, len(found) - 1)) // limit * limit
    trust = trust_in(corpus, confident, label)
    entries = [
        _entry(corpus, int(paper), float(trust[paper]), confident[paper][:top], opinions)
        for paper in found[offset : offset + limit]
    ]
    return PaperPage(total=len(found), offset=offset, before=ahead, papers=entries)


@router.get("/one", summary="A paper with its text, its labels and all evidence", response_model=PaperDetails)
async def one(
    project_id: ProjectId,
    behind: Behind,
    id: PaperQuery,
    top: Annotated[int, Query(ge=1, le=100, description="How many labels to give.")] = 20,
) -> Response:
    corpus = behind.reviewed_project(project_id).corpus
    at = _position(corpus, id)
    details, paper = await to_thread.run_sync(_on_disk, behind, project_id, at, top)
    if paper is not None:
        known = Question(paper, top, explained=True, ranking=corpus.ranking(at), applying=corpus.applying(at))
        answer = await behind.ask(project_id, known)
        details.classified = Classified(paper=text_of(paper), labels=answer.explanation or [])
    return await rendered(details)


def _on_disk(behind: Service, project_id: str, at: int, top: int) -> tuple[PaperDetails, Paper | None]:
    """All that is known of a paper without asking the model."""
    corpus, model = behind.reviewed_project(project_id).corpus, behind.loaded_project(project_id).model
    given = behind.project(project_id).feedback.on(corpus.ids[at])
    stored = [
        StoredLabel(
            id=label["id"],
            name=corpus.space[label["id"]].name,
            score=confidence(label["score"], model),
            verdict=given.get(label["id"]),
            source=str(label.get("source", "")),
            evidence=[StoredEvidence(**piece) for piece in label.get("evidence", [])],
        )
        for label in corpus.stored(at)[:top]
    ]
    shown = {label.id for label in stored}
    also_judged = [
        JudgedLabel(id=label, name=corpus.space[label].name, verdict=verdict)
        for label, verdict in given.items()
        if label in corpus.space and label not in shown
    ]
    details = PaperDetails(id=corpus.ids[at], predicted=stored, also_judged=also_judged, classified=None)
    return details, corpus.paper(corpus.ids[at])


@router.get("/neighbours", summary="Papers that cite it, that it cites, or that cite the same")
def neighbours(project_id: ProjectId, behind: Behind, id: PaperQuery) -> Neighbours:
    corpus = behind.reviewed_project(project_id).corpus
    at = _position(corpus, id)
    found = {
        link: [
            Neighbour(id=paper, title=title, links=links)
            for paper, title, links in corpus.neighbours(at, link, MOST_NEIGHBOURS)
        ]
        for link in LINKS
    }
    return Neighbours(**found)


def _position(corpus: Corpus, paper: str) -> int:
    if paper not in corpus.position:
        raise Problem(404, f"no paper '{paper}' in this project")
    return corpus.position[paper]


def _entry(corpus: Corpus, paper: int, trust: float, scores: NDArray[np.float64], opinions: Opinions) -> PaperEntry:
    given = opinions.get(corpus.ids[paper], {})
    ranking = corpus.ranking(paper).top(len(scores))
    labels = [
        PredictedLabel(id=label, name=corpus.space[label].name, score=float(score), verdict=given.get(label))
        for label, score in zip(ranking.labels, scores, strict=False)
    ]
    labels += [
        PredictedLabel(id=label, name=corpus.space[label].name, score=0.0, verdict=verdict)
        for label, verdict in given.items()
        if verdict == "add" and label in corpus.space and label not in ranking.labels
    ]
    judged = sum(label in corpus.space for label in given)
    return PaperEntry(id=corpus.ids[paper], title=corpus.title(paper), confidence=trust, labels=labels, judged=judged)

"""What people say of labels: kept, listed, taken back, exported as gold."""

import json
from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Query, Response
from fastapi.responses import StreamingResponse

from futex.labels.label import LabelSpace
from futex.serve.feedback import Kept
from futex.serve.problems import Problem, may_answer
from futex.serve.routes.parts import Behind, LabelId, Limit, Offset, ProjectId, known_label, takes
from futex.serve.schemas import KeptOpinion, Opinion, Opinions

router = APIRouter(prefix="/api/projects/{project_id}/feedback", tags=["Feedback"])

LINES = "application/x-ndjson"
PaperOf = Annotated[str, Query(min_length=1, max_length=500, description="A paper's id.")]


def _lines(what: str) -> dict[int | str, dict[str, object]]:
    return {200: {"description": what, "content": {LINES: {"schema": {"type": "string"}}}}, **may_answer(404, 422)}


@router.get("", summary="All feedback, latest first", responses=may_answer(404, 422, 503))
def listed(
    project_id: ProjectId, behind: Behind, paper: PaperOf | None = None, offset: Offset = 0, limit: Limit = 100
) -> Opinions:
    labels, kept = behind.loaded_project(project_id).model.labels, behind.project(project_id).feedback
    found = [_named(opinion, labels) for opinion in kept.latest(offset, limit, paper)]
    return Opinions(total=kept.count(paper), feedback=found)


@router.put(
    "",
    summary="Accept, reject or add a label",
    description="A later word on the same label of the same paper takes the place of an earlier one.",
    responses=may_answer(400, 404, 408, 413, 415, 422, 429, 503),
    dependencies=[takes("application/json")],
)
def put(project_id: ProjectId, opinion: Opinion, behind: Behind) -> KeptOpinion:
    labels = behind.loaded_project(project_id).model.labels
    known_label(labels, opinion.label)
    return _named(behind.project(project_id).feedback.put(opinion.paper, opinion.label, opinion.verdict), labels)


@router.delete("", summary="Take an opinion back", status_code=204, responses=may_answer(404, 422))
def taken_back(project_id: ProjectId, behind: Behind, paper: PaperOf, label: LabelId) -> Response:
    if not behind.project(project_id).feedback.remove(paper, label):
        raise Problem(404, "nobody has said anything of this label of this paper")
    return Response(status_code=204)


@router.get(
    "/gold",
    summary="Gold for `futex eval`",
    response_class=StreamingResponse,
    responses=_lines('One {"id", "labels"} a line: the labels of each paper that were accepted or added.'),
)
def gold(project_id: ProjectId, behind: Behind) -> StreamingResponse:
    records = behind.project(project_id).feedback.gold()
    return _download((json.dumps(record, ensure_ascii=False) for record in records), "gold.jsonl")


@router.get(
    "/papers",
    summary="The texts that were sent to be learnt",
    response_class=StreamingResponse,
    responses=_lines('One {"document_id", "text"} a line, which `futex run` and Annif read as a corpus.'),
)
def learnt(project_id: ProjectId, behind: Behind) -> StreamingResponse:
    texts = behind.project(project_id).feedback.learnt()
    lines = (json.dumps({"document_id": paper, "text": text}, ensure_ascii=False) for paper, text in texts)
    return _download(lines, "papers.jsonl")


def _download(lines: Iterator[str], name: str) -> StreamingResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse((f"{line}\n" for line in lines), media_type=LINES, headers=headers)


def _named(kept: Kept, labels: LabelSpace) -> KeptOpinion:
    name = labels[kept.label].name if kept.label in labels else ""
    return KeptOpinion(paper=kept.paper, label=kept.label, name=name, verdict=kept.verdict, at=kept.at)

"""Annif's REST API (its version 1), so that existing clients work by changing the address."""

import hashlib
import json
from importlib.metadata import version
from typing import Annotated
from urllib.parse import parse_qsl

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, FailFast, Field, ValidationError

from futex.pipeline import FuTex
from futex.ranking import Ranking
from futex.serve.explaining import confidence
from futex.serve.parsing import Upload
from futex.serve.problems import Problem, may_answer
from futex.serve.project import Project
from futex.serve.routes.parts import Behind, ProjectId, check_charset, takes
from futex.serve.schemas import PaperId, Text
from futex.serve.service import Service

router = APIRouter(prefix="/v1", tags=["Annif"])

FORM = "application/x-www-form-urlencoded"
MOST_FIELDS = 1000
MOST_DOCUMENTS = 32
MOST_LEARNT = 10_000
Threshold = Annotated[float, Field(ge=0, le=1, description="Leave out labels with a lower score.")]
Most = Annotated[int, Field(ge=0, le=2**31 - 1, description="How many labels to give at most.")]
Language = Annotated[
    str | None, Field(max_length=20, description="Of the names of labels; the project's if not given.")
]


class ApiInfo(BaseModel):
    title: str
    version: str


class Vocabulary(BaseModel):
    vocab_id: str
    languages: list[str]
    size: int | None
    loaded: bool


class Vocabularies(BaseModel):
    vocabs: list[Vocabulary]


class Backend(BaseModel):
    backend_id: str


class AnnifProject(BaseModel):
    project_id: str
    name: str
    language: str
    backend: Backend
    vocab: Vocabulary
    vocab_language: str
    is_trained: bool
    modification_time: str | None


class AnnifProjects(BaseModel):
    projects: list[AnnifProject]


class SuggestForm(BaseModel):
    """A text and what is known of it; other fields are left aside."""

    text: Annotated[str, Field(min_length=1, description="The text to index: an abstract, or a full paper.")]
    limit: Most = 10
    threshold: Threshold = 0.0
    language: Language = None
    metadata_title: str = ""
    metadata_abstract: str = ""


class Metadata(BaseModel):
    """What is read of all that may be known of a text."""

    title: Text = ""
    abstract: Text = ""


class AnnifDocument(BaseModel):
    text: Text
    document_id: Text | None = None
    metadata: Metadata = Metadata()


class Documents(BaseModel):
    documents: list[AnnifDocument] = Field(max_length=MOST_DOCUMENTS)


class Subject(BaseModel):
    uri: Text
    label: Text | None = None


class IndexedDocument(BaseModel):
    text: Text | None = None
    subjects: Annotated[list[Subject] | None, FailFast()] = None
    document_id: PaperId | None = None


Learnt = Annotated[list[IndexedDocument], FailFast(), Field(max_length=MOST_LEARNT)]
"""The first that is wrong is told: a million wrong ones would be a million errors."""


class Suggested(BaseModel):
    uri: str
    label: str
    notation: str | None
    score: float


class SuggestedList(BaseModel):
    results: list[Suggested]


class SuggestedForDocument(SuggestedList):
    document_id: str | None


@router.get("/", summary="Version")
def info() -> ApiInfo:
    return ApiInfo(title="FuTex, with the REST API of Annif", version=version("futex"))


@router.get("/projects", summary="All projects", responses=may_answer())
def projects(behind: Behind) -> AnnifProjects:
    return AnnifProjects(projects=[_described(project) for project in behind.projects.values()])


@router.get("/projects/{project_id}", summary="One project", responses=may_answer(404))
def project(project_id: ProjectId, behind: Behind) -> AnnifProject:
    return _described(behind.project(project_id))


@router.get("/vocabs", summary="The taxonomies of all projects", responses=may_answer())
def vocabularies(behind: Behind) -> Vocabularies:
    return Vocabularies(vocabs=[_vocabulary(project) for project in behind.projects.values()])


async def _form(request: Request) -> SuggestForm:
    """The framework would read no field of more than 1 MiB, which 170,000 letters of Greek are."""
    check_charset(request)
    body = (await request.body()).decode(errors="replace")
    try:
        return SuggestForm.model_validate(dict(parse_qsl(body, max_num_fields=MOST_FIELDS)))
    except ValidationError as error:
        raise RequestValidationError(error.errors()) from error
    except ValueError as error:
        raise Problem(400, f"more than {MOST_FIELDS:,} fields") from error


@router.post(
    "/projects/{project_id}/suggest",
    summary="Labels for a text",
    responses=may_answer(400, 404, 408, 413, 415, 429, 503),
    dependencies=[takes(FORM)],
    openapi_extra={"requestBody": {"required": True, "content": {FORM: {"schema": SuggestForm.model_json_schema()}}}},
)
async def suggest(project_id: ProjectId, form: Annotated[SuggestForm, Depends(_form)], behind: Behind) -> SuggestedList:
    model = _model(behind, project_id, form.language)
    known = Metadata(title=form.metadata_title, abstract=form.metadata_abstract)
    (ranking,) = await _rankings(behind, project_id, [AnnifDocument(text=form.text, metadata=known)], form.limit)
    return SuggestedList(results=_suggested(model, ranking, form.threshold))


@router.post(
    "/projects/{project_id}/suggest-batch",
    summary="Labels for up to 32 texts",
    responses=may_answer(400, 404, 408, 413, 415, 429, 503),
    dependencies=[takes("application/json")],
)
async def suggest_batch(
    project_id: ProjectId,
    body: Documents,
    behind: Behind,
    limit: Annotated[Most, Query()] = 10,
    threshold: Annotated[Threshold, Query()] = 0.0,
    language: Annotated[Language, Query()] = None,
) -> list[SuggestedForDocument]:
    model = _model(behind, project_id, language)
    rankings = await _rankings(behind, project_id, body.documents, limit)
    return [
        SuggestedForDocument(document_id=document.document_id, results=_suggested(model, ranking, threshold))
        for document, ranking in zip(body.documents, rankings, strict=True)
    ]


@router.post(
    "/projects/{project_id}/learn",
    summary="Keep texts with their true labels",
    description="They are kept as feedback and exported as gold; the model itself does not change.",
    status_code=204,
    responses=may_answer(400, 404, 408, 413, 415, 429, 503),
    dependencies=[takes("application/json")],
)
def learn(project_id: ProjectId, documents: Learnt, behind: Behind) -> Response:
    labels, feedback = behind.loaded_project(project_id).model.labels, behind.project(project_id).feedback
    for document in documents:
        if document.text is None or document.subjects is None:
            continue
        known = [subject.uri for subject in document.subjects if subject.uri in labels]
        name = document.document_id or f"text-{hashlib.sha256(document.text.encode()).hexdigest()[:16]}"
        feedback.learn(name, document.text, known)
    return Response(status_code=204)


def _model(behind: Service, project_id: str, language: str | None) -> FuTex:
    model = behind.loaded_project(project_id).model
    if language and language != behind.project(project_id).language:
        raise Problem(400, f'language "{language}" not supported by vocabulary')
    return model


async def _rankings(behind: Service, project_id: str, documents: list[AnnifDocument], limit: int) -> list[Ranking]:
    """Texts are read as Annif's corpora are. One with nothing to read has no labels."""
    uploads = [_upload(document, behind.settings.limits.characters) for document in documents]
    async with behind.in_time():
        papers = await behind.read_all(uploads)
        full = [paper for paper in papers if not paper.is_empty]
        ranked = iter(await behind.rank_all(project_id, full, limit))
    return [Ranking() if paper.is_empty else next(ranked) for paper in papers]


def _upload(document: AnnifDocument, most: int) -> Upload:
    if len(document.text) > most:
        raise Problem(413, f"a text of {len(document.text):,} characters; the service takes {most:,} at most")
    record = {"text": document.text, "metadata": document.metadata.model_dump()}
    return Upload(json.dumps(record).encode(), ("annif",), ".json")


def _suggested(model: FuTex, ranking: Ranking, threshold: float) -> list[Suggested]:
    scored = [(model.labels[label], confidence(score, model)) for label, score in ranking]
    return [
        Suggested(uri=label.id, label=label.name, notation=None, score=score)
        for label, score in scored
        if score >= threshold
    ]


def _described(project: Project) -> AnnifProject:
    return AnnifProject(
        project_id=project.id,
        name=project.name,
        language=project.language,
        backend=Backend(backend_id="futex"),
        vocab=_vocabulary(project),
        vocab_language=project.language,
        is_trained=True,
        modification_time=project.changed.isoformat(timespec="seconds"),
    )


def _vocabulary(project: Project) -> Vocabulary:
    size = len(project.loaded.model.labels) if project.loaded else None
    return Vocabulary(vocab_id=project.id, languages=[project.language], size=size, loaded=project.loaded is not None)

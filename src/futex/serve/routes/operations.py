"""Is it alive, is it ready, what is it doing, what is it made of."""

import platform
from importlib.metadata import version

from fastapi import APIRouter, Response

from futex.serve.explaining import modules_of
from futex.serve.problems import may_answer, still_loading
from futex.serve.project import Project
from futex.serve.routes.parts import Behind
from futex.serve.schemas import Health, ProjectState, ProjectStates, ProjectVersion, Versions

router = APIRouter(tags=["Service"])

PACKAGES = ("numpy", "scipy", "torch", "transformers", "ahocorasick_rs", "lxml", "pypdfium2", "fastapi", "uvicorn")


@router.get("/health", summary="Whether the process answers", responses=may_answer())
async def health() -> Health:
    return Health(status="ok")


@router.get("/ready", summary="Whether all models are loaded", responses=may_answer(503))
async def ready(behind: Behind) -> Health:
    if not behind.is_ready:
        raise still_loading("the service")
    return Health(status="ok")


@router.get(
    "/metrics",
    summary="Metrics for Prometheus",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}, **may_answer()},
)
def metrics(behind: Behind) -> Response:
    return Response(behind.metrics.text(), media_type=behind.metrics.content_type)


@router.get("/api/projects", summary="All projects and how far they are", responses=may_answer())
def projects(behind: Behind) -> ProjectStates:
    return ProjectStates(projects=[_state(project) for project in behind.projects.values()])


@router.get("/api/version", summary="Versions of the software, the models and their data", responses=may_answer())
def versions(behind: Behind) -> Versions:
    return Versions(
        futex=version("futex"),
        python=platform.python_version(),
        packages={name: version(name) for name in PACKAGES},
        projects=[_version(project) for project in behind.projects.values()],
    )


def _state(project: Project) -> ProjectState:
    has_corpus = project.run is not None
    return ProjectState(
        id=project.id,
        name=project.name,
        language=project.language,
        state="ready" if project.loaded else "loading",
        corpus="ready" if project.reviewed else "loading" if has_corpus else "none",
        labels=len(project.loaded.model.labels) if project.loaded else None,
        papers=len(project.reviewed.corpus) if project.reviewed else None,
        modules=modules_of(project.loaded.model) if project.loaded else None,
    )


def _version(project: Project) -> ProjectVersion:
    inputs = project.config.get("inputs", {})
    return ProjectVersion(
        id=project.id,
        recipe=project.loaded.model.recipe.as_dict() if project.loaded else {},
        files={name: str(entry.get("sha256")) for name, entry in project.files.items()},
        inputs={name: given.get("sha256") for name, given in inputs.items()},
    )

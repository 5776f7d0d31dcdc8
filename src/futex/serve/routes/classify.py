"""Full papers in, ranked labels with all their evidence out."""

from typing import Annotated, NamedTuple

from fastapi import APIRouter, Query, Request, Response
from starlette.datastructures import UploadFile

from futex.serve.answering import Question
from futex.serve.explaining import text_of
from futex.serve.parsing import Upload
from futex.serve.problems import Problem, may_answer
from futex.serve.routes.parts import Behind, ProjectId, check_charset, media_type, rendered
from futex.serve.schemas import Classified

router = APIRouter(prefix="/api/projects/{project_id}", tags=["Classify"])


class Kind(NamedTuple):
    """The formats that a media type may hold, and the extension by which our readers know them."""

    formats: tuple[str, ...]
    extension: str


XML = Kind(("jats", "tei", "pubmed"), ".xml")
TEX = Kind(("latex",), ".tex")
MARKDOWN = Kind(("markdown",), ".md")
KINDS = {
    "application/pdf": Kind(("pdf",), ".pdf"),
    "application/xml": XML,
    "text/xml": XML,
    "application/jats+xml": XML,
    "application/tei+xml": XML,
    "application/json": Kind(("unarxive", "s2orc", "annif", "jsonl"), ".json"),
    "application/x-tex": TEX,
    "text/x-tex": TEX,
    "application/x-latex": TEX,
    "text/markdown": MARKDOWN,
    "text/x-markdown": MARKDOWN,
    "text/plain": Kind(("text",), ".txt"),
}
EXTENSIONS = {kind.extension: kind for kind in KINDS.values()} | {
    ".nxml": XML,
    ".jsonl": KINDS["application/json"],
    ".markdown": MARKDOWN,
}
"""For uploads of which a browser does not know the type."""
UNKNOWN_TYPES = ("", "application/octet-stream")

BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {"file": {"type": "string", "format": "binary", "description": "One paper."}},
                }
            },
            **{media: {"schema": {"type": "string", "format": "binary"}} for media in KINDS},
        },
    }
}


@router.post(
    "/classify",
    summary="Labels for a full paper, and why",
    description="Send one paper as the body, or as the field `file` of a form: JATS, TEI, PubMed, PDF, LaTeX, S2ORC, "
    "our JSON, Markdown or plain text. Nothing is kept of it.",
    responses=may_answer(400, 404, 408, 413, 415, 422, 429, 503),
    response_model=Classified,
    openapi_extra=BODY,
)
async def classify(
    project_id: ProjectId,
    request: Request,
    behind: Behind,
    top: Annotated[int, Query(ge=1, le=100, description="How many labels to give.")] = 20,
) -> Response:
    behind.loaded_project(project_id)
    upload = await _upload(request)
    async with behind.in_time():
        paper = await behind.read(upload)
        if paper.is_empty:
            raise Problem(422, "there is neither an abstract nor a paragraph of ten words in this file")
        answer = await behind.ask(project_id, Question(paper, top, explained=True))
    return await rendered(Classified(paper=text_of(paper), labels=answer.explanation or []))


async def _upload(request: Request) -> Upload:
    media = media_type(request)
    if media in KINDS:
        return Upload(await request.body(), *KINDS[media])
    if media != "multipart/form-data":
        raise Problem(415, f"send a paper as multipart/form-data, or as one of {', '.join(KINDS)}")
    check_charset(request)
    async with request.form(max_files=1, max_fields=4) as form:
        file = form.get("file")
        if not isinstance(file, UploadFile):
            raise Problem(422, "the form has no file in its field 'file'")
        return Upload(await file.read(), *_kind(file))


def _kind(file: UploadFile) -> Kind:
    """By its type; by the end of its name only if the browser knows none, and only if we know that end."""
    media = (file.content_type or "").partition(";")[0].strip().lower()
    end = "." + (file.filename or "").rpartition(".")[2].lower()
    kind = KINDS.get(media) or (EXTENSIONS.get(end) if media in UNKNOWN_TYPES else None)
    if kind is None:
        raise Problem(415, f"no paper can be read from {media or 'a file of unknown type'}")
    return kind

"""What goes wrong, as clients see it: RFC 9457 problem documents, as Annif sends them."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

MEDIA_TYPE = "application/problem+json"
LONGEST_DETAIL = 500

SCHEMA: dict[str, Any] = {
    "title": "Problem",
    "description": "Why a request was refused (RFC 9457).",
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string", "example": "about:blank"},
        "title": {"type": "string", "example": "Not Found"},
        "status": {"type": "integer", "example": 404},
        "detail": {"type": "string", "example": "Project 'x' not found"},
    },
}


class Problem(HTTPException):
    """A request that is refused; `detail` is for the person behind the client."""

    def __init__(self, status: int, detail: str, *, retry_after: float | None = None, close: bool = False) -> None:
        headers = {}
        if retry_after is not None:
            headers["Retry-After"] = str(max(1, round(retry_after)))
        if close:
            headers["Connection"] = "close"
        super().__init__(status, detail, headers)


def still_loading(what: str) -> Problem:
    return Problem(503, f"{what} is being loaded; try again soon", retry_after=2)


def shutting_down() -> Problem:
    return Problem(503, "the service is shutting down", retry_after=10)


def response_of(status: int, detail: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    document = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail[:LONGEST_DETAIL],
    }
    return JSONResponse(document, status, headers=dict(headers or {}), media_type=MEDIA_TYPE)


def may_answer(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """For OpenAPI: these refusals, and those that any request may meet."""
    return {
        status: {
            "description": HTTPStatus(status).phrase,
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for status in sorted({401, 403, 421, *statuses})
    }

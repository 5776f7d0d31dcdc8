"""The application: routes, errors as problem documents, the page, and the guard around all of it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import Route
from starlette.types import ASGIApp

from futex.serve import problems
from futex.serve.guard import KEY_HEADER, Guard
from futex.serve.routes import annif, classify, corpus, feedback, operations, papers, taxonomy
from futex.serve.service import Service

ROUTERS = tuple(part.router for part in (annif, classify, taxonomy, papers, corpus, feedback, operations))
PAGE = Path(__file__).with_name("page")
DESCRIPTION = """Ranked taxonomy labels with evidence for full-text scientific papers.

Below `/v1` it speaks Annif's API, so that clients of Annif work with another address; below `/api` its own.
Refusals are problem documents (RFC 9457); 429 and 503 say in `Retry-After` when to come again."""


def build(service: Service) -> ASGIApp:
    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        await service.start()
        try:
            yield
        finally:  # a second Ctrl-C cancels us here
            await service.stop()

    app = FastAPI(
        title="FuTex",
        description=DESCRIPTION,
        version=version("futex"),
        lifespan=life,
        docs_url=None,
        redoc_url=None,
    )
    app.state.service = service
    for router in ROUTERS:
        app.include_router(router)
    app.add_api_route("/", _front_page, include_in_schema=False)
    app.mount("/page", StaticFiles(directory=PAGE), name="page")
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(Exception, _failed)
    _describe(app, with_key=service.settings.api_key is not None)
    # Pages of other sites must be able to read why the guard refuses them.
    return _shared(Guard(app, service.settings, service.metrics), service.settings.allow_origins)


def _shared(app: ASGIApp, origins: tuple[str, ...]) -> ASGIApp:
    if not origins:
        return app
    return CORSMiddleware(
        app,
        allow_origins=origins,
        allow_methods=["GET", "POST", "PUT", "DELETE"],
        allow_headers=[KEY_HEADER, "content-type"],
    )


def _front_page() -> FileResponse:
    return FileResponse(PAGE / "index.html")


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    headers = _allowed(request) if error.status_code == 405 else error.headers
    return problems.response_of(error.status_code, str(error.detail), headers)


def _allowed(request: Request) -> dict[str, str]:
    """All methods of an address; one route knows only its own."""
    routes = chain(request.app.routes, *(router.routes for router in ROUTERS))
    here = [route for route in routes if isinstance(route, Route) and route.path_regex.match(request.url.path)]
    methods = {method for route in here for method in route.methods or ()}
    return {"Allow": ", ".join(sorted(methods))}


async def _invalid(request: Request, error: Exception) -> Response:
    """Annif answers 400 to what does not fit its schema; elsewhere it is 422."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return problems.response_of(400 if request.url.path.startswith("/v1/") else 422, f"{where}: {first['msg']}")


async def _failed(request: Request, error: Exception) -> Response:
    """A bug of ours: the traceback goes to the log, and nothing of it to the client."""
    return problems.response_of(500, "the service failed at this request; its log says more")


def _describe(app: FastAPI, *, with_key: bool) -> None:
    """OpenAPI as we answer: problem documents, and no 422 below /v1."""
    made = app.openapi

    def described() -> dict[str, Any]:
        schema = made()
        schema.setdefault("components", {}).setdefault("schemas", {})["Problem"] = problems.SCHEMA
        for path, operations_of in schema["paths"].items():
            for operation in operations_of.values():
                if path.startswith("/v1"):
                    operation["responses"].pop("422", None)
        if with_key:
            scheme = {"type": "apiKey", "in": "header", "name": KEY_HEADER}
            schema["components"]["securitySchemes"] = {"key": scheme}
            schema["security"] = [{"key": []}]
        return schema

    app.openapi = described  # type: ignore[method-assign]

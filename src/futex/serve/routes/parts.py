"""What routes share: the service behind them, pages of long lists, and the types of bodies they take."""

from typing import Annotated, Any

from anyio import to_thread
from fastapi import Depends, Path, Query, Request, Response
from pydantic import BaseModel
from python_multipart.multipart import parse_options_header

from futex.labels.label import LabelSpace
from futex.serve.problems import Problem
from futex.serve.schemas import LabelName
from futex.serve.service import Service


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


Behind = Annotated[Service, Depends(_service)]
ProjectId = Annotated[str, Path(description="A project, as `/api/projects` lists them.")]
Offset = Annotated[int, Query(ge=0, le=2**31, description="How many to leave out at the beginning.")]
Limit = Annotated[int, Query(ge=1, le=500, description="How many to give at most.")]
LabelId = Annotated[str, Query(max_length=2000, description="A label's id, which may be a URI.")]
PaperQuery = Annotated[str, Query(alias="id", max_length=500, description="A paper's id, which may be a DOI.")]


def media_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def takes(expected: str) -> Any:
    """A body of this type and no other: what is not JSON needs no leave of a browser to be sent across sites."""

    def check(request: Request) -> None:
        if media_type(request) != expected:
            raise Problem(415, f"send this as {expected}")

    return Depends(check)


def check_charset(request: Request) -> None:
    """A form with files would be decoded as it wishes, which takes many seconds a megabyte in some encodings of Python
    (punycode), and any other form as UTF-8, whatever it is in."""
    _, options = parse_options_header(request.headers["content-type"])
    if options.get(b"charset", b"utf-8").lower() != b"utf-8":
        raise Problem(415, "send a form in UTF-8")


async def rendered(answer: BaseModel) -> Response:
    """A long answer, written beside the event loop."""
    return Response(await to_thread.run_sync(answer.model_dump_json), media_type="application/json")


def known_label(labels: LabelSpace, label_id: str) -> str:
    if label_id not in labels:
        raise Problem(404, f"no label '{label_id}' in this project")
    return label_id


def path_names(labels: LabelSpace, label_id: str) -> list[LabelName]:
    return [LabelName(id=label.id, name=label.name) for label in labels.path_to(label_id)]

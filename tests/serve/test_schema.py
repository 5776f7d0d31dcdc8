"""schemathesis makes up requests from our OpenAPI and holds the answers against it."""

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance
from serve.running import a_service, listening_at
from starlette.testclient import TestClient

from futex.serve.app import build
from futex.serve.service import Service
from futex.serve.settings import Settings

JUDGED_BY_CONTENT = ("/classify", "/suggest", "/suggest-batch")
"""No schema can say what is a readable PDF, or the language of a project."""


@schemathesis.serializer("application/pdf", "application/x-tex", "application/x-latex")
def as_it_is(ctx, value):
    return value if isinstance(value, bytes) else str(value).encode()


described = TestClient(build(Service({}, Settings())), base_url="http://127.0.0.1").get("/openapi.json").json()
schema = schemathesis.openapi.from_dict(described)


@pytest.fixture(scope="module")
def address(run_folder, tmp_path_factory):
    with listening_at(a_service([run_folder], feedback=tmp_path_factory.mktemp("made-up") / "f.sqlite")) as address:
        yield address


@schema.parametrize()
@settings(
    max_examples=6,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_answers_are_as_described(case, address):
    if "project_id" in case.path_parameters:
        case.path_parameters["project_id"] = "my-run"
    excluded = [positive_data_acceptance] if case.path.endswith(JUDGED_BY_CONTENT) else []
    case.call_and_validate(base_url=address, excluded_checks=excluded)

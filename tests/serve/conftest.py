import faulthandler
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from serve.browsing import a_browser, visiting
from serve.running import PATIENCE, a_service, answering, make_run
from starlette.testclient import TestClient


@pytest.fixture(autouse=True)
def no_test_hangs() -> Iterator[None]:
    """Whatever waits for ever ends all tests, and shows where it waited."""
    faulthandler.dump_traceback_later(5 * PATIENCE, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("serve"))


@pytest.fixture(scope="module")
def client(run_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """The run as project my-run; feedback goes to a file of its own."""
    with answering(a_service([run_folder], feedback=tmp_path_factory.mktemp("opinions") / "f.sqlite")) as client:
        yield client


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with a_browser() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    with visiting(browser, address) as page:
        yield page

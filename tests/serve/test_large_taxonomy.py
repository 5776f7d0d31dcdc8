"""The page with 50,020 labels: it shows what is asked for, and never fetches or draws them all."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Response, expect
from serve.browsing import label
from serve.large import FIELDS, SUBJECTS, TOPICS, large_taxonomy, make_large_run
from serve.running import a_service, listening_at

pytestmark = pytest.mark.slow

MOST_ELEMENTS = 1500
MOST_BYTES = 100_000
"""Of all answers of the service together; the names of the labels alone are ten times as many."""


@pytest.fixture(scope="module")
def address(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """After the browser, so that nothing is made where there is none."""
    with listening_at(a_service([make_large_run(tmp_path_factory.mktemp("large"))])) as address:
        yield address


@pytest.fixture
def answers(page: Page) -> list[Response]:
    """What the page was given, but for its own files."""
    found: list[Response] = []
    page.on("response", lambda answer: found.append(answer) if "/api/" in answer.url else None)
    return found


def is_light(page: Page, answers: list[Response]) -> bool:
    elements: int = page.evaluate("document.querySelectorAll('*').length")
    return elements < MOST_ELEMENTS and sum(int(answer.headers["content-length"]) for answer in answers) < MOST_BYTES


def test_search_as_you_type(page: Page, answers: list[Response]):
    wanted = large_taxonomy()["F13-37-41"]
    page.goto("/#/review")
    expect(page.locator("#review .labels li").first).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type(wanted.name)
    found = page.get_by_role("listbox").get_by_role("option")
    expect(found).to_have_count(1)
    expect(found).to_contain_text(wanted.name)
    page.keyboard.press("Enter")
    expect(label(page, wanted.name)).to_contain_text("added")
    assert len([answer for answer in answers if "/search?" in answer.url]) <= len(wanted.name)
    page.keyboard.press("/")
    page.keyboard.type("a")
    expect(found).to_have_count(20)
    assert is_light(page, answers)


def test_down_the_tree_map_to_the_papers_of_a_label(page: Page, answers: list[Response]):
    page.goto("/#/corpus")
    expect(page.locator(".numbers")).to_contain_text("50,020")
    branches = page.locator(".tree-map a")
    for count in (FIELDS, TOPICS, SUBJECTS):
        expect(branches).to_have_count(count)
        expect(branches.first.locator("rect")).to_be_visible()
        assert is_light(page, answers)
        branches.first.focus()
        page.keyboard.press("Enter")
    expect(page.locator("#review .toolbar .status")).not_to_be_empty()
    assert is_light(page, answers)


def test_there_is_no_map_without_a_plm_and_all_else_is_shown(page: Page):
    page.goto("/#/corpus")
    expect(page.get_by_text("There is no map: this model has no PLM")).to_be_visible()
    expect(page.locator(".paper-map")).to_be_hidden()
    expect(page.locator(".frequencies li").first).to_be_visible()
    expect(page.locator("#notice")).to_be_hidden()

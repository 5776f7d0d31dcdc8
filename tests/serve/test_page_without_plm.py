"""The page of a run without a PLM: there is no map, and a paper that names no label has none."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from serve.running import a_service, listening_at, make_run

from futex.config import RECIPES


@pytest.fixture(scope="module")
def address(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """After the browser, so that nothing is made where there is none."""
    run = make_run(tmp_path_factory.mktemp("names"), RECIPES["best"].but(plm="none"))
    with listening_at(a_service([run])) as address:
        yield address


def test_where_there_is_no_map_there_is_nothing_to_colour(page: Page):
    page.goto("/#/corpus")
    expect(page.get_by_text("There is no map: this model has no PLM")).to_be_visible()
    expect(page.locator(".frequencies li").first).to_be_visible()
    expect(page.get_by_role("combobox", name="Colour by label")).to_be_hidden()
    expect(page.get_by_text("papers with “")).to_be_hidden()


def test_a_paper_without_labels(page: Page):
    page.goto("/")
    page.locator("#text").fill(
        "On nothing at all\n\nNothing of any note happened here for a week or a fortnight or so."
    )
    page.get_by_role("button", name="Classify", exact=True).click()
    expect(page.locator("#classify .labels")).to_have_text("No label was found.")

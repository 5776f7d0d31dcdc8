"""Review of more papers than the list shows at a time, which is 50."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect
from serve.browsing import let_go, review
from serve.running import a_paper, a_service, listening_at, make_run

from futex.config import RECIPES

PAPERS = 120


@pytest.fixture(scope="module")
def address(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """After the browser, so that nothing is made where there is none."""
    run = make_run(tmp_path_factory.mktemp("long"), RECIPES["best"].but(plm="none"), PAPERS)
    with listening_at(a_service([run])) as address:
        yield address


def is_shown(page: Page, paper: int) -> None:
    expect(page.locator("#review .paper-title")).to_have_text(a_paper(paper).title)


def chosen(page: Page) -> Locator:
    return page.locator(".papers [aria-current]")


@pytest.mark.parametrize(("paper", "key", "then"), [(60, "n", 61), (60, "p", 59), (49, "n", 50), (50, "p", 49)])
def test_next_and_previous_paper_after_a_reload(page: Page, paper: int, key: str, then: int):
    review(page, f"d{paper}")
    page.reload()
    is_shown(page, paper)
    expect(page.locator("#review .toolbar .status")).to_have_text(f"{paper + 1} of {PAPERS}")
    page.keyboard.press(key)
    is_shown(page, then)


def test_next_paper_after_one_from_elsewhere(page: Page):
    """A link of the map, or of a neighbour."""
    review(page, "d0")
    review(page, "d80")
    page.keyboard.press("n")
    is_shown(page, 81)


def test_a_next_paper_that_is_found_late_leaves_one_where_one_is(page: Page):
    review(page, "d49")
    held: list[Route] = []
    page.route("**/papers?offset=50&*", lambda route: held.append(route), times=1)
    with page.expect_request("**/papers?offset=50&*"):
        page.keyboard.press("n")
    page.get_by_role("link", name="Corpus").click()
    expect(page.locator("#corpus")).to_be_visible()
    let_go(page, held[0])
    expect(page).to_have_url(re.compile("#/corpus$"))


def test_turning_the_pages_of_the_list_keeps_the_chosen_paper(page: Page):
    review(page, "d3")
    page.get_by_text("Papers", exact=True).click()
    page.get_by_role("button", name="Later").click()
    expect(page.locator(".papers li").first).to_contain_text(" 50")
    expect(chosen(page)).to_have_count(0)
    page.get_by_role("button", name="Earlier").click()
    expect(chosen(page)).to_contain_text(" 3")
    page.get_by_role("button", name="Later").click()
    expect(page.locator(".papers li").first).to_contain_text(" 50")
    page.keyboard.press("n")
    is_shown(page, 4)
    expect(chosen(page)).to_contain_text(" 4")


def test_the_keyboard_stays_at_the_buttons_of_the_list(page: Page):
    review(page, "d60")
    page.get_by_text("Papers", exact=True).click()
    for button, first, other in (("Later", 100, "Earlier"), ("Earlier", 50, "Earlier"), ("Earlier", 0, "Later")):
        page.get_by_role("button", name=button).press("Enter")
        expect(page.locator(".papers li").first).to_contain_text(f" {first}")
        expect(page.get_by_role("button", name=other)).to_be_focused()


def test_the_list_shows_the_chosen_paper_and_each_page_from_its_beginning(page: Page):
    review(page, "d30")
    page.get_by_text("Papers", exact=True).click()
    expect(chosen(page)).to_be_in_viewport()
    for _ in range(9):
        page.keyboard.press("n")
    expect(chosen(page)).to_contain_text(" 39")
    expect(chosen(page)).to_be_in_viewport()
    page.get_by_role("button", name="Later").click()
    first = page.locator(".papers li").first
    expect(first).to_contain_text(" 50")
    expect(first).to_be_in_viewport()


def test_papers_that_were_reviewed_meanwhile_do_not_hide_others(page: Page):
    """They leave those that are not reviewed yet, so that the others move up."""
    page.goto("/#/review?reviewed=false&paper=10.1/d48")
    is_shown(page, 48)
    for paper in (0, 7, 48, 49):
        verdict = {"paper": a_paper(paper).id, "label": "L6", "verdict": "accept"}
        assert page.request.put("/api/projects/my-run/feedback", data=verdict).ok
    for key, paper in (("n", 49), ("n", 50), ("p", 47)):
        page.keyboard.press(key)
        is_shown(page, paper)

"""Verdicts in headless Chromium while others are still on their way, and those that were not kept."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect
from serve.browsing import REFUSAL, refuse, review
from serve.running import a_service, listening_at


@pytest.fixture(scope="module")
def address(run_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with listening_at(a_service([run_folder], feedback=tmp_path_factory.mktemp("page") / "f.sqlite")) as address:
        yield address


def test_quick_verdicts_fall_on_one_label_after_the_other(page: Page):
    review(page, "d10")
    title, names = page.locator("#review .paper-title"), page.locator("#review .labels li")
    held: list[Route] = []
    page.route("**/feedback", lambda route: held.append(route), times=1)
    with page.expect_request("**/feedback"):
        page.keyboard.press("a")
    for key in "rn":
        page.keyboard.press(key)
    for _ in range(2):  # time enough for the next paper to come, were it asked for before the verdicts are kept
        page.evaluate("() => fetch('/api/projects/my-run/papers/one?id=10.1/d11').then((answer) => answer.text())")
    expect(title).to_contain_text(" 10")
    held[0].continue_()
    expect(title).to_contain_text(" 11")
    page.keyboard.press("p")
    expect(title).to_contain_text(" 10")
    expect(names.nth(0)).to_contain_text("accepted")
    expect(names.nth(1)).to_contain_text("rejected")
    page.unroute("**/feedback")
    for _ in range(2):
        page.keyboard.press("u")
    expect(page.locator("#review .verdicts [aria-pressed=true]")).to_have_count(0)


def test_verdicts_that_are_given_while_the_next_paper_waits_for_others_are_kept(page: Page):
    review(page, "d0")
    title, names = page.locator("#review .paper-title"), page.locator("#review .labels li")
    held: list[Route] = []
    page.route("**/feedback", lambda route: held.append(route), times=1)
    with page.expect_request("**/feedback"):
        page.keyboard.press("a")
    with page.expect_response("**/papers/one?*"):
        page.keyboard.press("n")
    page.evaluate("() => fetch('/health').then((answer) => answer.text())")  # time enough to begin to wait
    for key in "ra":
        page.keyboard.press(key)
    held[0].continue_()
    expect(title).to_contain_text(" 1")
    page.keyboard.press("p")
    expect(title).to_contain_text(" 0")
    for i, said in enumerate(("accepted", "rejected", "accepted")):
        expect(names.nth(i)).to_contain_text(said)
    for _ in range(3):
        page.keyboard.press("u")
    expect(page.locator("#review .verdicts [aria-pressed=true]")).to_have_count(0)


def test_a_verdict_behind_one_that_failed_is_given_up(page: Page):
    """It was meant for the next label, and would fall on the same one."""
    review(page, "d0")
    told: list[str] = []
    page.on("request", lambda asked: told.append(asked.method) if asked.method == "PUT" else None)
    held: list[Route] = []
    page.route("**/feedback", lambda route: held.append(route), times=1)
    with page.expect_request("**/feedback"):
        page.keyboard.press("a")
    page.keyboard.press("r")
    refuse(held[0])
    expect(page.locator("#notice")).to_have_text(REFUSAL)
    page.evaluate("() => fetch('/health').then((answer) => answer.text())")  # time enough for the second one
    assert told == ["PUT"]
    expect(page.locator("#review .verdicts [aria-pressed=true]")).to_have_count(0)
    page.keyboard.press("a")
    expect(page.locator("#review .labels li").first).to_contain_text("accepted")
    page.keyboard.press("u")
    expect(page.locator("#review .verdicts [aria-pressed=true]")).to_have_count(0)


def test_letters_typed_after_a_verdict_stay_in_the_search(page: Page):
    review(page, "d4")
    held: list[Route] = []
    page.route("**/feedback", lambda route: held.append(route), times=1)
    with page.expect_request("**/feedback"):
        page.keyboard.press("a")
    page.keyboard.press("/")
    page.keyboard.type("bra")
    held[0].continue_()
    expect(page.locator("#review .labels li").first).to_contain_text("accepted")
    page.keyboard.type("in")
    expect(page.locator("#review .search input").last).to_have_value("brain")
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    expect(page.locator("#review .verdicts [aria-pressed=true]")).to_have_count(0)


def test_verdicts_that_wait_are_kept_when_one_leaves_by_a_link(page: Page):
    review(page, "d10")
    title, names = page.locator("#review .paper-title"), page.locator("#review .labels li")
    held: list[Route] = []
    page.route("**/feedback", lambda route: held.append(route), times=1)
    with page.expect_request("**/feedback"):
        page.keyboard.press("a")
    page.keyboard.press("r")
    with page.expect_response("**/papers/one?id=10.1%2Fd11"):
        page.evaluate("location.hash = '#/review?paper=10.1%2Fd11'")
    page.evaluate("() => fetch('/health').then((answer) => answer.text())")  # time enough to be shown too early
    held[0].continue_()
    expect(title).to_contain_text(" 11")
    page.evaluate("location.hash = '#/review?paper=10.1%2Fd10'")
    expect(title).to_contain_text(" 10")
    expect(names.nth(0)).to_contain_text("accepted")
    expect(names.nth(1)).to_contain_text("rejected")
    for _ in range(2):
        page.keyboard.press("u")
    expect(page.locator("#review .verdicts [aria-pressed=true]")).to_have_count(0)


def test_an_undo_that_failed_can_be_tried_again(page: Page):
    review(page, "d9")
    first = page.locator("#review .labels li").first
    page.keyboard.press("r")
    expect(first).to_contain_text("rejected")
    page.route("**/feedback?*", refuse)
    page.keyboard.press("u")
    expect(page.locator("#notice")).to_have_text(REFUSAL)
    page.unroute("**/feedback?*")
    page.keyboard.press("u")
    expect(first).not_to_contain_text("rejected")


@pytest.mark.parametrize("key", ["r", "u"])  # the same verdict again takes it back, too
def test_a_verdict_that_was_taken_back_in_another_tab_is_gone_here_too(page: Page, key: str):
    review(page, "d6")
    label = page.locator("#review .labels li").first
    page.keyboard.press("r")
    expect(label).to_contain_text("rejected")
    (verdict,) = page.request.get("/api/projects/my-run/feedback?paper=10.1/d6").json()["feedback"]
    gone = {"paper": verdict["paper"], "label": verdict["label"]}
    assert page.request.delete("/api/projects/my-run/feedback", params=gone).ok
    page.keyboard.press("k")
    page.keyboard.press(key)
    expect(label).not_to_contain_text("rejected")
    expect(page.locator("#notice")).to_be_hidden()


def test_an_undo_that_comes_late_leaves_one_where_one_is(page: Page):
    review(page, "d4")
    page.keyboard.press("r")
    expect(page.locator("#review .labels li").first).to_contain_text("rejected")
    page.keyboard.press("n")
    expect(page.locator("#review .paper-title")).to_contain_text(" 5")
    held: list[Route] = []
    page.route("**/feedback?*", lambda route: held.append(route), times=1)
    with page.expect_request("**/feedback?*"):
        page.keyboard.press("u")
    page.get_by_role("link", name="Corpus").click()
    expect(page.locator("#corpus")).to_be_visible()
    with page.expect_response("**/feedback?*"):
        held[0].continue_()
    page.evaluate("() => fetch('/health').then((answer) => answer.text())")  # the page has done with the answer
    expect(page).to_have_url(re.compile("#/corpus$"))

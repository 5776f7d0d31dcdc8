"""Review by keyboard in headless Chromium: what the keys do, where the focus goes, and how to do without them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from serve.browsing import review
from serve.running import SCRIPT, a_service, listening_at


@pytest.fixture(scope="module")
def address(run_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with listening_at(a_service([run_folder], feedback=tmp_path_factory.mktemp("page") / "f.sqlite")) as address:
        yield address


def test_keys_can_be_switched_off_for_good(page: Page):
    """To a program that types what somebody says, every word is a row of letters (WCAG 2.1.4)."""
    review(page, "d4")
    second = page.locator("#review .labels li").nth(1)
    rejected = page.locator("#review .labels .said", has_text="rejected")
    switch_keys(page, on=False)
    page.keyboard.press("r")
    second.locator(".accept").click()  # verdicts come one after the other: this one is the last
    expect(second).to_contain_text("accepted")
    expect(rejected).to_have_count(0)
    switch_keys(page, on=True)
    page.keyboard.press("r")
    expect(rejected).to_have_count(1)


def switch_keys(page: Page, *, on: bool) -> None:
    """In the help; it is remembered when the page comes again."""
    page.get_by_role("button", name="Keys (?)").click()
    page.get_by_label("These keys work").set_checked(on)
    page.get_by_role("button", name="Close").click()
    page.reload()
    expect(page.locator("#review .paper-title")).to_contain_text(" 4")


def test_keys_do_nothing_where_no_paper_is_shown(page: Page):
    review(page, "d2")
    told: list[str] = []
    page.on("request", lambda asked: told.append(asked.method) if asked.method == "PUT" else None)
    page.goto("/#/review?title=nothing+is+called+so")
    expect(page.locator("#review .toolbar .status")).to_have_text("No paper passes these filters.")
    for key in "jar":
        page.keyboard.press(key)
    page.goto("/#/review?paper=10.1/d4")
    expect(page.locator("#review .paper-title")).to_contain_text("4")
    assert told == []


def test_next_and_previous_label_and_paper(page: Page):
    review(page, "d0")
    pressed = page.locator("#review .label[aria-pressed=true] .name")
    names = page.locator("#review .label .name").all_text_contents()
    for key, name in (("j", names[1]), ("j", names[2]), ("k", names[1])):
        page.keyboard.press(key)
        expect(pressed).to_have_text(name)
    for key, paper in (("n", "1"), ("n", "2"), ("p", "1")):
        page.keyboard.press(key)
        expect(page.locator("#review .paper-title")).to_have_text(
            f"On {'biology' if paper == '1' else 'computing'} {SCRIPT} {paper}"
        )
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("next paper")


def test_a_key_that_is_held_judges_one_label(page: Page):
    review(page, "d3")
    labels = page.locator("#review .labels li")
    judged = page.locator("#review .verdicts [aria-pressed=true]")
    for key in "rr":
        page.keyboard.down(key)
    page.keyboard.up("r")
    labels.nth(2).locator(".accept").click()  # verdicts come one after the other: this one is the last
    expect(labels.nth(2)).to_contain_text("accepted")
    expect(judged).to_have_count(2)
    for key in "uu":
        page.keyboard.down(key)
    page.keyboard.up("u")
    labels.nth(3).locator(".accept").click()
    expect(labels.nth(3)).to_contain_text("accepted")
    expect(judged).to_have_count(2)


def test_the_keyboard_stays_at_the_labels_of_the_next_paper(page: Page):
    review(page, "d0")
    labels = page.locator("#review .label")
    page.keyboard.press("j")
    expect(labels.nth(1)).to_be_focused()
    page.keyboard.press("n")
    expect(page.locator("#review .paper-title")).to_contain_text(" 1")
    expect(labels.first).to_be_focused()


def test_the_keyboard_stays_at_the_filters_when_a_label_is_taken_off(page: Page):
    page.goto("/#/review?label=L2")
    page.get_by_text("Filters (1)").click()
    chip = page.locator(".filters .chip")
    expect(chip).to_have_text("Mice ✕")
    chip.press("Enter")
    expect(chip).to_be_hidden()
    expect(page.locator(".filters summary")).to_be_focused()


def test_enter_that_ends_a_word_of_an_input_method_takes_nothing(page: Page):
    review(page, "d5")
    page.keyboard.press("/")
    page.keyboard.type("nig")
    search = page.locator("#review .search input").last
    expect(search).to_have_attribute("aria-expanded", "true")
    search.dispatch_event("keydown", {"key": "Enter", "isComposing": True})
    expect(search).to_have_value("nig")
    expect(search).to_have_attribute("aria-expanded", "true")


def test_the_mouse_and_the_keys_choose_the_same_of_what_was_found(page: Page):
    review(page, "d5")
    page.keyboard.press("/")
    page.keyboard.type("l")
    options = page.get_by_role("listbox").get_by_role("option")
    expect(options).not_to_have_count(1)
    options.nth(1).hover()
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    expect(options.nth(0)).to_have_attribute("aria-selected", "false")

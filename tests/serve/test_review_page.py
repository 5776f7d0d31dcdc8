"""Review in headless Chromium: by keyboard, with filters, and from one project to another."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from serve.browsing import REFUSAL, label, let_go, refuse, review, visiting
from serve.running import LABELS, SCRIPT, a_service, listening_at


@pytest.fixture(scope="module")
def address(run_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with listening_at(a_service([run_folder], feedback=tmp_path_factory.mktemp("page") / "f.sqlite")) as address:
        yield address


def test_accept_and_reject_by_keyboard_outlive_a_reload_and_can_be_exported(page: Page):
    review(page, "d1")
    names = page.locator("#review .labels li")
    first = names.first.locator(".name").text_content()
    page.keyboard.press("a")
    expect(names.nth(0)).to_contain_text("accepted")
    page.keyboard.press("r")  # a verdict goes on to the next label
    expect(names.nth(1)).to_contain_text("rejected")
    page.reload()
    expect(names.nth(0)).to_contain_text("accepted")
    expect(names.nth(1)).to_contain_text("rejected")
    with page.expect_download() as download:
        page.get_by_text("Export as gold").click()
    gold = {line["id"]: line["labels"] for line in map(json.loads, download.value.path().read_text().splitlines())}
    assert [LABELS[one].name for one in gold["10.1/d1"]] == [first]


def test_undo_takes_back_the_last_verdict(page: Page):
    review(page, "d3")
    names = page.locator("#review .labels li")
    page.keyboard.press("r")
    expect(names.nth(0)).to_contain_text("rejected")
    page.keyboard.press("a")
    expect(names.nth(1)).to_contain_text("accepted")
    page.keyboard.press("u")
    expect(names.nth(1)).not_to_contain_text("accepted")
    page.keyboard.press("u")
    expect(names.nth(0)).not_to_contain_text("rejected")
    page.keyboard.press("u")
    expect(page.locator("#review .toolbar .status")).to_have_text("Nothing to undo.")


def test_a_label_that_was_added_and_removed_comes_back(page: Page):
    review(page, "d9")
    night = label(page, f"Night {SCRIPT}")
    page.keyboard.press("/")
    page.keyboard.type("nig")
    expect(page.get_by_role("listbox").get_by_role("option")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(night).to_contain_text("added")
    for _ in range(2):
        night.locator(".reject").click()
    expect(night).to_have_count(0)
    for said in ("rejected", "added"):
        page.keyboard.press("u")
        expect(night).to_contain_text(said)
    page.keyboard.press("u")
    expect(night).to_have_count(0)


def test_a_verdict_on_a_label_that_is_not_ranked_is_shown(page: Page):
    verdict = {"paper": "10.1/d10", "label": "T", "verdict": "reject"}
    assert page.request.put("/api/projects/my-run/feedback", data=verdict).ok
    review(page, "d10")
    page.get_by_text("Papers", exact=True).click()
    first = page.locator("#review .labels li").first
    expect(first).to_contain_text("Topics")
    expect(first).to_contain_text("rejected")
    expect(page.locator(".papers [aria-current]")).to_contain_text("1 judged")


def test_a_label_with_a_script_in_its_name_is_found_added_and_shown_as_text(page: Page):
    review(page, "d5")
    page.keyboard.press("/")
    page.keyboard.type("nig")
    option = page.get_by_role("listbox").get_by_role("option")
    expect(option).to_contain_text(f"Night {SCRIPT}")
    page.keyboard.press("Enter")
    expect(label(page, f"Night {SCRIPT}")).to_contain_text("added")
    page.reload()
    expect(label(page, f"Night {SCRIPT}")).to_contain_text("added")
    expect(page.locator("#review .paper-title")).to_have_text(f"On biology {SCRIPT} 5")
    assert page.locator("body script").count() == 0


def test_without_the_papers_review_shows_the_excerpts_of_the_run(browser: Browser, run_folder: Path, tmp_path: Path):
    moved = shutil.copytree(run_folder, tmp_path / "moved")
    config = json.loads((moved / "config.json").read_text())
    config["inputs"]["papers"]["path"] = "gone.jsonl"
    (moved / "config.json").write_text(json.dumps(config))
    shutil.rmtree(moved / "shards")
    with listening_at(a_service([moved])) as address, visiting(browser, address) as page:
        page.goto("/#/review?paper=10.1/d1")
        expect(label(page, "Lung cancer")).to_contain_text("named in title or abstract")
        expect(page.locator("#review .paper")).to_contain_text("We treat lung cancer in mice")
        label(page, "Lung cancer").locator(".label").click()
        about = page.locator("#review .about-label")
        expect(about).to_have_text("Lung cancer: named in title or abstract; only excerpts of the paper are here.")


def test_a_paper_that_cannot_be_read_is_passed_over(page: Page):
    review(page, "d2")
    page.route("**/papers/one?id=10.1%2Fd3", refuse)
    page.keyboard.press("n")
    expect(page.locator("#notice")).to_have_text(REFUSAL)
    expect(page.locator("#review .toolbar .status")).to_have_text("")
    page.keyboard.press("n")
    expect(page.locator("#review .paper-title")).to_contain_text("4")


def test_a_paper_that_comes_late_is_not_shown(page: Page):
    review(page, "d2")
    held: list[Route] = []
    page.route("**/papers/one?id=10.1%2Fd3", lambda route: held.append(route))
    with page.expect_request("**/papers/one?*"):
        page.keyboard.press("n")
    page.goto("/#/review?title=nothing+is+called+so")
    status = page.locator("#review .toolbar .status")
    expect(status).to_have_text("No paper passes these filters.")
    with page.expect_response("**/papers/one?*"):
        held[0].continue_()
    page.evaluate("() => fetch('/health')")
    expect(status).to_have_text("No paper passes these filters.")
    expect(page.locator("#review .paper-title")).to_have_count(0)


def test_a_paper_that_comes_late_leaves_one_where_one_is(page: Page):
    review(page, "d2")
    held: list[Route] = []
    page.route("**/papers/one?id=10.1%2Fd3", lambda route: held.append(route), times=1)
    with page.expect_request("**/papers/one?*"):
        page.keyboard.press("n")
    page.get_by_role("link", name="Corpus").click()
    expect(page.locator("#corpus")).to_be_visible()
    let_go(page, held[0])
    expect(page).to_have_url(re.compile("#/corpus$"))
    page.get_by_role("link", name="Review", exact=True).click()
    expect(page.locator("#review .paper-title")).to_contain_text(" 3")


def test_a_list_that_comes_late_is_not_shown(page: Page):
    review(page, "d2")
    held: list[Route] = []
    page.route("**/papers?title=biology&*", lambda route: held.append(route))
    with page.expect_request("**/papers?title=biology&*"):
        page.goto("/#/review?title=biology")
    review(page, "d4")
    let_go(page, held[0])
    expect(page.locator(".papers li")).to_have_count(12)


def test_enter_takes_nothing_that_was_found_for_another_text(page: Page):
    review(page, "d5")
    page.keyboard.press("/")
    page.keyboard.type("prot")
    expect(page.get_by_role("listbox").get_by_role("option")).to_have_count(1)
    page.keyboard.type("x")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Nothing begins like this.").locator("visible=true")).to_be_visible()
    expect(page.locator("#review .search input").last).to_have_value("protx")
    page.route("**/labels/search?*", refuse)
    page.keyboard.type("y")
    expect(page.get_by_text(REFUSAL).locator("visible=true")).to_be_visible()


def test_the_next_paper_begins_at_its_top(page: Page):
    page.set_viewport_size({"width": 1280, "height": 300})
    review(page, "d1")
    page.locator("#review .paper p").last.scroll_into_view_if_needed()
    title = page.locator("#review .paper-title")
    expect(title).not_to_be_in_viewport()
    page.keyboard.press("n")
    expect(title).to_contain_text(" 2")
    expect(title).to_be_in_viewport()
    expect(page.locator("#review .toolbar .status")).to_be_in_viewport()


def test_a_verdict_that_was_not_kept_is_told_wherever_one_reads(page: Page):
    page.set_viewport_size({"width": 1280, "height": 300})
    review(page, "d8")
    page.locator("#review .paper p").last.scroll_into_view_if_needed()
    page.route("**/feedback", refuse)
    page.keyboard.press("a")
    notice = page.locator("#notice")
    expect(notice).to_have_text(REFUSAL)
    expect(notice).to_be_in_viewport()
    page.unroute("**/feedback")
    page.keyboard.press("a")
    expect(page.locator("#review .labels li").first).to_contain_text("accepted")
    expect(notice).to_be_hidden()


def test_the_list_tells_at_once_how_much_was_judged(page: Page):
    review(page, "d6")
    page.get_by_text("Papers", exact=True).click()
    current = page.locator(".papers [aria-current]")
    expect(current).not_to_contain_text("judged")
    labels = page.locator("#review .labels li")
    for i in (0, 6):  # the list names the best five only
        labels.nth(i).locator(".accept").click()
    expect(current).to_contain_text("2 judged")
    page.reload()
    page.get_by_text("Papers", exact=True).click()
    expect(current).to_contain_text("2 judged")
    for _ in range(2):
        labels.locator(".accept[aria-pressed=true]").first.click()
    expect(current).not_to_contain_text("judged")


def test_review_is_found_again_as_it_was_left(page: Page):
    page.goto("/#/review?title=biology&paper=10.1/d5")
    expect(page.locator("#review .paper-title")).to_contain_text(" 5")
    page.keyboard.press("n")
    expect(page.locator("#review .paper-title")).to_contain_text(" 7")
    page.get_by_role("link", name="Corpus").click()
    expect(page.locator(".frequencies li").first).to_be_visible()
    page.get_by_role("link", name="Review", exact=True).click()
    expect(page).to_have_url(re.compile("title=biology&paper=10.1%2Fd7"))
    expect(page.locator("#review .toolbar .status")).to_have_text("4 of 6")
    page.get_by_role("link", name="Review", exact=True).click()  # once more: from the beginning
    expect(page.locator("#review .toolbar .status")).to_have_text("1 of 12")


def test_filters_by_label_and_by_what_was_reviewed(page: Page):
    review(page, "d7")
    page.keyboard.press("r")
    expect(page.locator("#review .labels li").first).to_contain_text("rejected")
    page.get_by_text("Filters", exact=True).click()
    page.get_by_label("Reviewed").select_option("true")
    page.get_by_label("Title holds").fill("7")
    page.get_by_label("Title holds").press("Enter")
    page.get_by_text("Papers", exact=True).click()
    expect(page.locator(".papers li")).to_have_count(1)
    expect(page.locator(".papers li")).to_contain_text(f"{SCRIPT} 7")
    page.get_by_label("Reviewed").select_option("false")
    expect(page.locator(".paper-list")).to_contain_text("No paper passes these filters.")


def test_neighbours_by_citation(page: Page):
    review(page, "d2")
    page.get_by_text("Neighbours by citation").locator("visible=true").click()
    cites = page.locator("#review .neighbours div").filter(has_text="It cites")
    expect(cites.get_by_role("link")).to_have_text(f"On computing {SCRIPT} 0")


def test_neighbours_of_another_paper_are_not_shown(page: Page):
    review(page, "d2")
    heading = page.get_by_text("Neighbours by citation").locator("visible=true")
    heading.click()
    expect(page.locator("#review .neighbours")).to_be_visible()
    review(page, "d3")
    page.route("**/papers/neighbours?*", refuse)
    heading.click()
    expect(page.locator("#notice")).to_have_text(REFUSAL)
    expect(page.locator("#review .neighbours")).to_have_count(0)


def test_the_label_of_a_filter_is_named_as_it_is(page: Page):
    held: list[Route] = []
    page.route("**/labels/one?id=L6", lambda route: held.append(route))
    with page.expect_request("**/labels/one?id=L6"):
        page.goto("/#/review?label=L6")
    page.goto("/#/review?label=L2")
    chip = page.locator(".filters .chip")
    expect(chip).to_have_text("Mice ✕")
    let_go(page, held[0])
    expect(chip).to_have_text("Mice ✕")


# --- several projects


@pytest.fixture(scope="module")
def two_projects(run_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The other one has its papers the other way round."""
    home = tmp_path_factory.mktemp("two")
    other = shutil.copytree(run_folder, home / "other")
    lines = (other / "predictions.jsonl").read_text().splitlines(keepends=True)
    (other / "predictions.jsonl").write_text("".join(reversed(lines)))
    with listening_at(a_service([run_folder, other], feedback=home / "f.sqlite")) as address:
        yield address


def test_the_address_names_the_project(browser: Browser, two_projects: str):
    with visiting(browser, two_projects) as page:
        page.goto("/#/review")
        title, chosen = page.locator("#review .paper-title"), page.get_by_label("Project")
        expect(title).to_contain_text(" 0")
        chosen.select_option("other")
        expect(title).to_contain_text(" 11")
        page.reload()
        expect(title).to_contain_text(" 11")
        expect(chosen).to_have_value("other")
        page.get_by_role("link", name="Corpus").click()
        expect(page.locator(".frequencies li").first).to_be_visible()
        page.go_back()
        page.go_back()
        expect(title).to_contain_text(" 0")
        expect(chosen).to_have_value("my-run")


def test_what_was_asked_in_another_project_does_not_count_any_more(browser: Browser, two_projects: str):
    with visiting(browser, two_projects) as page:
        page.goto("/#/review")
        title, first = page.locator("#review .paper-title"), page.locator("#review .labels li").first
        expect(title).to_contain_text(" 0")
        page.keyboard.press("a")
        expect(first).to_contain_text("accepted")
        held: list[Route] = []
        page.route("**/my-run/papers?*", lambda route: held.append(route))
        with page.expect_request("**/my-run/papers?*"):
            page.goto("/#/review?order=most-confident")
        page.get_by_label("Project").select_option("other")
        expect(title).to_contain_text(" 11")
        held[0].continue_()
        page.evaluate("() => fetch('/health')")
        expect(page.locator(".papers li").first).to_contain_text(" 11")
        page.locator("#main").focus()
        page.keyboard.press("u")
        expect(page.locator("#review .toolbar .status")).to_have_text("Nothing to undo.")

"""A real browser on the page: it must say nothing in its console and ask nobody but us."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect, sync_playwright

WAIT = 30_000
"""Milliseconds; only a test that fails waits as long."""
REFUSED = "Failed to load resource"
"""What the console says of every answer that is not 200, which the page shows on its own."""
REFUSAL = "Not now."


@contextmanager
def a_browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no Chromium here: `apt-get install chromium` lets the tests of the page run")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium)
        expect.set_options(timeout=WAIT)
        yield browser
        browser.close()


@contextmanager
def visiting(browser: Browser, address: str, width: int = 1280) -> Iterator[Page]:
    """The page in a profile of its own; complaints and requests to others fail the test in the end."""
    complaints: list[str] = []
    context = browser.new_context(base_url=address, viewport={"width": width, "height": 800}, reduced_motion="reduce")
    context.set_default_timeout(WAIT)
    context.route("**/nobody-asks-for-this", refuse)  # a first route that is set later can miss the next request
    page = context.new_page()
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: complaints.append(f"dialog: {dialog.message}"))
    page.on("request", lambda asked: None if asked.url.startswith((address, "blob:")) else complaints.append(asked.url))
    yield page
    context.close()
    assert [said for said in complaints if REFUSED not in said] == []


def label(page: Page, name: str) -> Locator:
    """The entry of a label in the list that is shown."""
    return page.locator("section:not([hidden]) .labels li").filter(has=page.get_by_text(name, exact=True))


def lit(page: Page) -> list[str]:
    """The names that are marked in the paper."""
    return page.locator("section:not([hidden]) .paper mark").all_text_contents()


def is_wider_than_screen(page: Page) -> bool:
    wide: bool = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    return wide


def refuse(route: Route) -> None:
    route.fulfill(status=503, json={"detail": REFUSAL})


def let_go(page: Page, held: Route) -> None:
    """A request that was held is answered, and the page has done with the answer what it does."""
    with page.expect_request_finished(lambda asked: asked.url == held.request.url):
        held.continue_()
    page.evaluate("() => fetch('/health').then((answer) => answer.text())")


def review(page: Page, paper: str) -> None:
    page.goto(f"/#/review?paper=10.1/{paper}")
    expect(page.locator("#review .paper-title")).to_contain_text(paper[1:])

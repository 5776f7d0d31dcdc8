"""Take docs/images/ anew, of the page on the run of `make demo`: `make pictures`."""

import tempfile
import zipfile
from pathlib import Path

from playwright.sync_api import Browser, Page, expect
from serve.browsing import a_browser, label, visiting
from serve.running import a_service, listening_at

from documentation.markdown import ROOT

FOLDER = ROOT / "docs/images"
DEMO = ROOT / "build/demo"
PAPER = "10.1371/journal.pbio.1001315"
LABEL = "T cells"
PHONE = 360


def main() -> None:
    with tempfile.TemporaryDirectory() as opinions, a_browser() as browser:
        service = a_service([DEMO / "run"], feedback=Path(opinions, "f.sqlite"), cache=ROOT / "build/cache")
        with listening_at(service) as address:
            of_classify(browser, address)
            of_review(browser, address)
            of_corpus(browser, address)
            of_phone(browser, address)


def of_classify(browser: Browser, address: str) -> None:
    with visiting(browser, address) as page:
        classify(page)
        label(page, LABEL).get_by_role("button").click()
        take(page, "classify", height=900)


def of_review(browser: Browser, address: str) -> None:
    with visiting(browser, address) as page:
        page.goto(f"/#/review?paper={PAPER}")
        page.set_viewport_size({"width": 1280, "height": 900})
        expect(label(page, LABEL)).to_be_visible()
        page.keyboard.press("a")
        expect(page.locator("#review .labels li").first).to_contain_text("accepted")
        label(page, LABEL).get_by_role("button").first.click()
        take(page, "review", height=900)


def of_corpus(browser: Browser, address: str) -> None:
    """After the review, so that one paper is reviewed."""
    with visiting(browser, address) as page:
        page.emulate_media(color_scheme="dark")
        page.goto("/#/corpus")
        expect(page.locator("#corpus")).to_contain_text("papers with “")
        expect(page.locator(".paper-map ~ .status")).to_have_text("")
        take(page, "corpus", height=1010)


def of_phone(browser: Browser, address: str) -> None:
    with visiting(browser, address, width=PHONE) as page:
        classify(page)
        label(page, LABEL).get_by_role("button").click()
        take(page, "phone", height=740)


def classify(page: Page) -> None:
    page.goto("/")
    page.set_input_files("#file", {"name": "paper.xml", "mimeType": "", "buffer": article()})
    expect(label(page, LABEL)).to_be_visible()


def article() -> bytes:
    """As its publisher made it."""
    (wheel,) = DEMO.glob("allofplos-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return archive.read(f"allofplos/starter_corpus/{PAPER.removeprefix('10.1371/')}.xml")


def take(page: Page, name: str, height: int) -> None:
    page.set_viewport_size({"width": page.viewport_size["width"], "height": height})
    page.screenshot(path=FOLDER / f"{name}.png", animations="disabled")


if __name__ == "__main__":
    main()

"""The page in headless Chromium: see labels and why, look at the corpus; Review has tests of its own."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect
from serve.browsing import REFUSAL, is_wider_than_screen, label, let_go, lit, refuse, review, visiting
from serve.running import SCRIPT, a_service, listening_at

JATS = b"""<?xml version="1.0"?><article><front><article-meta>
<title-group><article-title>On &lt;b&gt;lung cancer&lt;/b&gt;</article-title></title-group>
<abstract><p>We treat pulmonary tumours.</p></abstract></article-meta></front><body>
<sec><title>Methods</title>
<p>The \xf0\x9d\x9b\xbc and \xf0\x9d\x9b\xbd of a lung cancer were seen in the brain of an old animal.</p>
<p>Nothing of any note happened here for a week or a fortnight or so.</p></sec>
<sec><title>Results</title>
<p>It was seen once again that the brain of ten animals had changed.</p></sec></body></article>"""
TEXT = "On mice\n\nAbstract\n\nMice are treated.\n\nMethods\n\nThe brain of ten old animals was cut into slices."
VIEWS = ("classify", "review", "corpus")


@pytest.fixture(scope="module")
def address(run_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with listening_at(a_service([run_folder], feedback=tmp_path_factory.mktemp("page") / "f.sqlite")) as address:
        yield address


def upload(page: Page, name: str = "paper.nxml", content: bytes = JATS) -> None:
    page.set_input_files("#file", {"name": name, "mimeType": "", "buffer": content})


# --- classify


def test_a_label_lights_up_its_names_to_the_character(page: Page):
    page.goto("/")
    upload(page)
    label(page, "Lung cancer").get_by_role("button").click()
    assert lit(page) == ["lung cancer", "pulmonary tumours", "lung cancer"]  # the last one stands behind 𝛼 and 𝛽
    expect(page.locator("#classify .paper-title")).to_have_text("On <b>lung cancer</b>")
    label(page, "Brain").hover()
    assert lit(page) == ["brain", "brain"]
    page.locator("#classify .paper-title").hover()
    assert lit(page) == ["lung cancer", "pulmonary tumours", "lung cancer"]  # the chosen one again


def test_what_only_the_full_text_names_looks_and_reads_different(page: Page):
    page.goto("/")
    upload(page)
    found = {name: label(page, name) for name in ("Lung cancer", "Brain")}
    expect(found["Lung cancer"]).to_contain_text("●")
    expect(found["Brain"]).to_contain_text("◆")
    expect(found["Brain"]).to_contain_text("named in the full text only")
    colours = [one.locator(".shape").evaluate("shape => getComputedStyle(shape).color") for one in found.values()]
    assert colours[0] != colours[1]


def test_paragraphs_that_support_a_label_and_what_sections_add(page: Page):
    page.goto("/")
    with page.expect_response("**/classify") as answer:
        upload(page)
    brain = next(one for one in answer.value.json()["labels"] if one["name"] == "Brain")
    label(page, "Brain").get_by_role("button").click()
    nearest = max(range(3), key=lambda i: brain["similarities"][i])
    supporting = page.locator("#classify .paper p.supports")
    expect(supporting).to_have_count(1)
    expect(supporting).to_have_text(answer.value.json()["paper"]["paragraphs"][nearest])
    added = [brain["contributions"]["abstract"], *brain["contributions"]["sections"]]
    shown = page.locator("#classify .sections .number").all_text_contents()
    assert [float(number.replace("−", "-")) for number in shown] == pytest.approx(added, abs=0.0006)
    bars = page.locator("#classify .sections .bar")
    shares = [float(bar.evaluate("bar => bar.style.getPropertyValue('--share')")) for bar in bars.all()]
    assert shares == pytest.approx([max(0, one / max(added)) for one in added], abs=1e-4)


def test_broader_labels_are_shown(page: Page):
    page.goto("/")
    upload(page)
    expect(label(page, "Lung cancer").locator(".path")).to_have_text("Topics › Cancer")


DROP = """(element, [name, text]) => {
  const dataTransfer = new DataTransfer();
  if (name) dataTransfer.items.add(new File([text], name, { type: "text/plain" }));
  else dataTransfer.setData("text/plain", text);
  return element.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}"""
"""A file, or only a text; returns whether it is left to the browser, which opens files and puts texts into fields."""


def test_files_can_be_dropped_anywhere(page: Page):
    page.goto("/")
    upload(page)
    paper = page.locator("#classify .paper")
    expect(paper).to_contain_text("lung cancer")
    assert not paper.evaluate(DROP, ["a.txt", TEXT])
    expect(paper).to_contain_text("On mice")
    assert page.locator("#text").evaluate(DROP, [None, TEXT])
    page.goto("/#/corpus")
    expect(page.locator("#corpus")).to_be_visible()
    assert page.locator("main").evaluate(DROP, ["a.txt", TEXT])


def test_a_file_that_is_no_paper_is_refused_in_words(page: Page):
    page.goto("/")
    upload(page, "noise.pdf", b"\x00\xff" * 200)
    expect(page.locator("#notice")).to_contain_text("none of what its type promises")
    expect(page.get_by_role("button", name="Classify", exact=True)).to_be_enabled()


def test_an_answer_that_breaks_off_is_told_in_words(page: Page):
    page.route("**/classify", lambda route: route.fulfill(body='{"paper": {"id": '))
    page.goto("/")
    upload(page)
    expect(page.locator("#notice")).to_contain_text("does not answer, or broke off")


def test_the_answer_to_the_last_paper_is_shown(page: Page):
    page.goto("/")
    held: list[Route] = []
    page.route("**/classify", lambda route: held.append(route), times=1)
    with page.expect_request("**/classify"):
        upload(page)
    with page.expect_response("**/classify") as answer:
        upload(page, "mice.txt", TEXT.encode())
    assert answer.value.json()["paper"]["title"] == "On mice"
    expect(page.locator("#classify .paper-title")).to_have_text("On mice")
    held[0].fulfill(json={"paper": {**answer.value.json()["paper"], "title": "Late"}, "labels": []})
    page.evaluate("() => fetch('/health')")
    expect(page.locator("#classify .paper-title")).to_have_text("On mice")
    expect(page.get_by_role("button", name="Classify", exact=True)).to_be_enabled()


def test_names_that_stand_there_very_often_are_counted_up_to_a_limit(page: Page):
    page.goto("/")
    upload(page, "mice.txt", b"On mice\n\n" + b"A mouse saw another mouse in the house of a friend of mine.\n\n" * 150)
    label(page, "Mice").get_by_role("button").click()
    expect(page.locator("#classify .about-label")).to_contain_text("at least 200 times")


def test_classify_without_a_mouse(page: Page):
    page.goto("/")
    expect(page.locator("#project option")).to_have_count(1)
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#file")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.insert_text(TEXT)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    first = page.locator("#classify .labels li").first.get_by_role("button")
    expect(first).to_be_visible()
    page.keyboard.press("Tab")
    expect(first).to_be_focused()
    outline = first.evaluate("button => getComputedStyle(button).outlineStyle")
    assert outline == "solid"
    assert lit(page)


# --- corpus

AREAS = """(names) => names.map((name) => {
  const { width, height } = document.querySelector(`.tree-map a[aria-label^="${name}: "] rect`);
  return (width.baseVal.value + 2) * (height.baseVal.value + 2);
})"""
"""Of cells of the tree map with the gaps around them, all at a time: the map is drawn anew when the window changes."""


def test_down_the_tree_map_and_up_again(page: Page):
    page.goto("/#/corpus")
    expect(page.locator(".numbers")).to_contain_text("12")
    page.locator(".tree-map a").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".tree-map a")).to_have_count(6)
    expect(page.locator(".tree-map a").first).to_be_focused()
    page.keyboard.press("Tab")
    page.set_viewport_size({"width": 700, "height": 800})
    expect(page.locator(".tree-map")).to_have_attribute("viewBox", re.compile(r"^0 0 [1-6]\d\d "))
    expect(page.locator(".tree-map a").nth(1)).to_be_focused()
    expect(page.locator(".crumbs")).to_contain_text("Topics")
    cancer, mice = page.evaluate(AREAS, ["Cancer", "Mice"])
    assert cancer / mice == pytest.approx(2, rel=0.02)  # Cancer has Lung cancer below it
    page.locator(".crumbs").get_by_text("All").click()
    expect(page.locator(".tree-map a")).to_have_count(1)


def test_the_map_opens_a_paper_by_keyboard(page: Page):
    page.goto("/#/corpus")
    status = page.locator(".paper-map ~ .status")
    expect(page.locator("#corpus")).to_contain_text("papers with “")
    expect(status).to_have_text("")
    page.get_by_role("application", name="Map of the papers").focus()
    page.keyboard.press("ArrowRight")
    expect(status).to_contain_text("On ")
    title = status.text_content()
    page.keyboard.press("Enter")
    expect(page.locator("#review .paper-title")).to_have_text(title)
    expect(page.locator("main")).to_be_focused()
    assert page.evaluate("scrollY") == 0


def test_numbers_are_new_and_what_failed_is_tried_again(page: Page):
    page.route("**/corpus/labels?*", refuse, times=1)
    page.goto("/#/corpus")
    expect(page.locator("#notice")).to_have_text(REFUSAL)
    reviewed = page.locator(".numbers div").filter(has_text="papers reviewed").locator("dd")
    before = int(reviewed.text_content())
    review(page, "d11")
    page.keyboard.press("a")
    expect(page.locator("#review .labels li").first).to_contain_text("accepted")
    page.get_by_role("link", name="Corpus").click()
    expect(reviewed).to_have_text(str(before + 1))
    expect(page.locator(".frequencies li").first).to_be_visible()


def test_a_map_that_is_being_computed_is_asked_for_again_after_an_answer_that_failed(page: Page):
    computing = {"state": "computing", "done": 5, "total": 12, "points": []}
    page.route("**/corpus/map", refuse, times=1)
    page.route("**/corpus/map", lambda route: route.fulfill(json=computing), times=1)  # the last route comes first
    page.goto("/#/corpus")
    status = page.locator(".paper-map ~ .status")
    expect(status).to_contain_text("5 of 12")
    expect(page.locator("#notice")).to_have_text(REFUSAL)
    expect(status).to_contain_text("5 of 12")
    page.get_by_role("link", name="Classify").click()
    page.get_by_role("link", name="Corpus").click()
    expect(page.locator(".paper-map")).to_be_visible()
    expect(status).to_have_text("")


def take(search: Locator, text: str) -> None:
    """The first of what is found."""
    search.fill(text)
    expect(search).to_have_attribute("aria-expanded", "true")
    search.press("Enter")


@pytest.mark.parametrize(
    ("box", "late", "last", "asked", "shown"),
    [
        ("Colour by label", "Brain", "Mice", "**/papers?label=L6&*", "papers with “Mice”"),
        ("Paper", "10", "11", "**/papers/neighbours?id=10.1%2Fd10", f"Near “On biology {SCRIPT} 11”"),
    ],
)
def test_the_answer_to_the_last_choice_is_shown(page: Page, box: str, late: str, last: str, asked: str, shown: str):
    page.goto("/#/corpus")
    corpus, search = page.locator("#corpus"), page.get_by_role("combobox", name=box)
    expect(corpus).to_contain_text("papers with “")
    held: list[Route] = []
    page.route(asked, lambda route: held.append(route))
    with page.expect_request(asked):
        take(search, late)
    take(search, last)
    expect(corpus).to_contain_text(shown)
    let_go(page, held[0])
    expect(corpus).to_contain_text(shown)


@pytest.mark.parametrize(
    ("box", "text", "shown"),
    [("Colour by label", "Brain", "papers with “Brain”"), ("Paper", "11", f"Near “On biology {SCRIPT} 11”")],
)
def test_what_was_chosen_while_the_page_loads_stays(page: Page, box: str, text: str, shown: str):
    held: list[Route] = []
    page.route("**/corpus/labels?*", lambda route: held.append(route), times=1)
    with page.expect_request("**/corpus/labels?*"):
        page.goto("/#/corpus")
    corpus = page.locator("#corpus")
    take(page.get_by_role("combobox", name=box), text)
    expect(corpus).to_contain_text(shown)
    let_go(page, held[0])
    expect(page.locator(".frequencies li").first).to_be_visible()
    for _ in range(2):  # time enough for another colour
        page.evaluate("() => fetch('/health').then((answer) => answer.text())")
    expect(corpus).to_contain_text(shown)


def test_spaces_around_what_is_searched_do_not_count(page: Page):
    page.goto("/#/corpus")
    page.get_by_role("combobox", name="Paper").fill(f" {SCRIPT} 7 ")
    expect(page.get_by_role("option")).to_contain_text(f"{SCRIPT} 7")


def test_more_labels_by_keyboard(page: Page):
    def answer(route: Route) -> None:
        offset = int(re.search(r"offset=(\d+)", route.request.url)[1])
        labels = [{"id": "L1", "name": f"Label {i}", "papers": 40 - i} for i in range(offset, min(offset + 15, 40))]
        route.fulfill(json={"total": 40, "labels": labels})

    page.route("**/corpus/labels?*", answer)
    page.goto("/#/corpus")
    more, labels = page.get_by_role("button", name="More"), page.locator(".frequencies li")
    more.focus()
    for known in (15, 30):
        expect(labels).to_have_count(known)
        expect(more).to_be_focused()
        page.keyboard.press("Enter")
    expect(labels).to_have_count(40)
    expect(more).to_be_hidden()
    expect(labels.nth(30).get_by_role("link")).to_be_focused()


# --- the frame


@pytest.mark.parametrize("view", VIEWS)
def test_a_phone_needs_no_sideways_scrolling(browser: Browser, address: str, view: str):
    with visiting(browser, address, width=360) as page:
        page.goto(f"/#/{view}")
        if view == "classify":
            upload(page)
        expect(page.locator(f"#{view} .labels li, #{view} .tree-map a").first).to_be_visible()
        assert not is_wider_than_screen(page)


def test_a_key_is_asked_for_once(browser: Browser, run_folder: Path, tmp_path: Path):
    service = a_service([run_folder], feedback=tmp_path / "f.sqlite", api_key="open sesame")
    with listening_at(service) as address, visiting(browser, address) as page:
        page.goto("/#/review")
        key = page.get_by_label("This service wants a key")
        expect(key).to_be_visible()
        expect(page.locator("#project")).to_be_hidden()
        key.fill("open sesame\u200b")  # as it is copied from somewhere; no header can carry it
        page.keyboard.press("Enter")
        assert key.evaluate("key => key.validity.patternMismatch && sessionStorage.length === 0")
        key.fill("open sesame")
        page.keyboard.press("Enter")
        expect(page.locator("#review .labels li").first).to_be_visible()
        page.keyboard.press("a")
        expect(page.locator("#review .labels li").first).to_contain_text("accepted")
        with page.expect_download() as download:
            page.get_by_text("Export as gold").click()
        assert json.loads(download.value.path().read_text())["id"] == "10.1/d0"
        with page.expect_download() as download:
            page.get_by_text("The API").click()
        assert "paths" in json.loads(download.value.path().read_text())
        page.route("**/feedback/gold", refuse)
        page.get_by_text("Export as gold").click()
        expect(page.locator("#notice")).to_have_text(REFUSAL)


def test_each_view_waits_for_what_it_needs(page: Page):
    (project,) = page.request.get("/api/projects").json()["projects"]
    project |= {"state": "loading", "corpus": "loading"}
    page.route("**/api/projects", lambda route: route.fulfill(json={"projects": [project]}))
    page.goto("/")
    notice, loading = page.locator("#notice"), "This project is being loaded…"
    expect(notice).to_have_text(loading)
    expect(page.locator("#classify")).to_be_hidden()
    project["state"] = "ready"
    expect(page.locator("#classify")).to_be_visible()
    expect(notice).to_be_hidden()
    page.get_by_role("link", name="Review", exact=True).click()
    expect(notice).to_have_text(loading)
    project["corpus"] = "ready"
    expect(page.locator("#review .labels li").first).to_be_visible()
    expect(notice).to_be_hidden()


def test_a_model_without_papers_has_nothing_to_review(browser: Browser, run_folder: Path, tmp_path: Path):
    alone = shutil.copytree(run_folder / "model", tmp_path / "alone")
    with listening_at(a_service([alone])) as address, visiting(browser, address) as page:
        page.goto("/#/review")
        expect(page.locator("#notice")).to_contain_text("a model without papers")

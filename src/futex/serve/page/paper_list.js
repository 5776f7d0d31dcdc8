// Papers of the run, a page at a time.

import * as api from "./api.js";
import { keepVisible, make, plural } from "./elements.js";

const PAGE = 50;

export class PaperList {
  constructor(open, attempt) {
    this._open = open;
    this._asked = 0;
    this._offset = 0;
    this._total = 0;
    this._papers = [];
    this._list = make("ul", { class: "papers" });
    this._count = make("p", { class: "hint", role: "status", "aria-live": "polite" });
    const turn = (by) => attempt(() => this._load(this._filters, { offset: Math.max(0, this._offset + by) }));
    this._earlier = make("button", { type: "button", onclick: () => turn(-PAGE) }, "Earlier");
    this._later = make("button", { type: "button", onclick: () => turn(PAGE) }, "Later");
    this.element = make(
      "details",
      { class: "paper-list card" },
      make("summary", {}, "Papers"),
      this._count,
      this._list,
      make("p", { class: "pages" }, this._earlier, this._later),
    );
    this.element.addEventListener("toggle", () => this._showCurrent());
  }

  get first() {
    return this._papers[0]?.id ?? null;
  }

  title(id) {
    return this._papers.find((paper) => paper.id === id)?.title ?? id;
  }

  /** Where a paper stands among all that were found, as "3 of 122". */
  place(id) {
    const at = this._papers.findIndex((paper) => paper.id === id);
    return at < 0 ? "" : `${this._offset + at + 1} of ${this._total.toLocaleString("en")}`;
  }

  has(id) {
    return this._papers.some((paper) => paper.id === id);
  }

  /** The page where a paper is, or would be if it passed the filters; the first one without a paper. */
  async load(filters, paper) {
    await this._load(filters, { around: paper });
  }

  /** Returns how many papers come before the one that was asked for, null where it is unknown. */
  async _load(filters, where) {
    const asked = ++this._asked;
    const { total, offset, before, papers } = await api.get("papers", { ...filters, ...where, limit: PAGE });
    if (asked !== this._asked) throw new DOMException("another page was asked for", "AbortError");
    this._filters = filters;
    this._offset = offset;
    this._total = total;
    this._papers = papers;
    this._count.textContent = total
      ? `${this._offset + 1}–${this._offset + papers.length} of ${plural(total, "paper")}`
      : "No paper passes these filters.";
    const pressed = document.activeElement; // a button that is disabled loses the focus
    this._earlier.disabled = this._offset === 0;
    this._later.disabled = this._offset + papers.length >= total;
    if (pressed === this._later && pressed.disabled) this._earlier.focus();
    if (pressed === this._earlier && pressed.disabled) this._later.focus();
    this._list.replaceChildren(...papers.map((paper) => this._item(paper)));
    this._list.scrollTop = 0;
    this._markCurrent();
    return before;
  }

  /** The id of the paper after this one (by 1) or before it (by -1); pages are turned as needed. Null at either end. */
  async from(id, by) {
    const at = this._papers.findIndex((paper) => paper.id === id);
    if (at >= 0 && this._papers[at + by]) return this._papers[at + by].id;
    // Verdicts may have changed which papers pass, and so where this one is among them.
    const before = await this._load(this._filters, { around: id });
    if (before === null) return this.first;
    const wanted = by < 0 ? before - 1 : before + (this.has(id) ? 1 : 0);
    if (wanted < 0 || wanted >= this._total) return null;
    if (!this._papers[wanted - this._offset]) await this._load(this._filters, { offset: wanted - (wanted % PAGE) });
    return this._papers[wanted - this._offset]?.id ?? null;
  }

  current(id) {
    this._current = id;
    this._markCurrent();
  }

  _markCurrent() {
    this._papers.forEach((paper, i) => {
      const button = this._list.children[i].firstElementChild;
      if (paper.id === this._current) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
    this._showCurrent();
  }

  _showCurrent() {
    const button = this._list.querySelector("[aria-current]");
    if (button) keepVisible(this._list, button);
  }

  /** So many labels of a paper have a verdict now. */
  judged(id, count) {
    const at = this._papers.findIndex((paper) => paper.id === id);
    if (at < 0) return;
    this._papers[at].judged = count;
    this._list.children[at].querySelector(".hint").textContent = hintOf(this._papers[at]);
  }

  _item(paper) {
    return make(
      "li",
      {},
      make(
        "button",
        { type: "button", onclick: () => this._open(paper.id) },
        make("span", {}, paper.title || paper.id),
        make("span", { class: "hint" }, hintOf(paper)),
      ),
    );
  }
}

function hintOf({ confidence, labels, judged }) {
  const best = labels.slice(0, 3).map((label) => label.name);
  return `${judged ? `${judged} judged · ` : ""}${confidence.toFixed(2)} · ${best.join(", ")}`;
}

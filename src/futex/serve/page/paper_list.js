// Papers of the run, a page at a time.

import * as api from "./api.js";
import { make, plural } from "./elements.js";

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
    const turn = (by) => attempt(() => this.load(this._filters, this._offset + by));
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

  async load(filters, offset = 0) {
    const asked = ++this._asked;
    const from = Math.max(0, offset);
    const { total, papers } = await api.get("papers", { ...filters, offset: from, limit: PAGE });
    if (asked !== this._asked) return;
    this._filters = filters;
    this._offset = from;
    this._total = total;
    this._papers = papers;
    this._count.textContent = total
      ? `${this._offset + 1}–${this._offset + papers.length} of ${plural(total, "paper")}`
      : "No paper passes these filters.";
    this._earlier.disabled = this._offset === 0;
    this._later.disabled = this._offset + papers.length >= total;
    this._list.replaceChildren(...papers.map((paper) => this._item(paper)));
  }

  /** The id of the paper so many further on; pages are turned as needed. Null at either end. */
  async from(id, by) {
    const at = this._papers.findIndex((paper) => paper.id === id);
    const wanted = at < 0 ? 0 : at + by;
    if (this._papers[wanted]) return this._papers[wanted].id;
    const further = this._offset + wanted;
    if (further < 0 || further >= this._total) return null;
    await this.load(this._filters, by > 0 ? this._offset + PAGE : this._offset - PAGE);
    return this._papers.at(by > 0 ? 0 : -1)?.id ?? null;
  }

  current(id) {
    this._papers.forEach((paper, i) => {
      const button = this._list.children[i].firstElementChild;
      if (paper.id === id) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
  }

  _item(paper) {
    const judged = paper.labels.filter((label) => label.verdict).length;
    const hint = `${paper.confidence.toFixed(2)} · ${paper.labels
      .slice(0, 3)
      .map((label) => label.name)
      .join(", ")}`;
    return make(
      "li",
      {},
      make(
        "button",
        { type: "button", onclick: () => this._open(paper.id) },
        make("span", {}, paper.title || paper.id),
        make("span", { class: "hint" }, judged ? `${judged} judged · ${hint}` : hint),
      ),
    );
  }
}

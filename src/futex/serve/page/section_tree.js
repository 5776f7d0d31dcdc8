// The sections of a paper as a tree, each with a bar of what it adds to a label's score_B (Eq. 7).

import { bar, make } from "./elements.js";

export const UNTITLED = "Without a heading";

export class SectionTree {
  constructor(goTo) {
    this._goTo = goTo;
    this._list = make("ul");
    this._what = make("p", { class: "hint" });
    this.element = make(
      "nav",
      { class: "sections", "aria-label": "Sections of the paper" },
      make("h3", {}, "Sections"),
      this._what,
      this._list,
    );
    this.clear();
  }

  clear() {
    this._rows = [];
    this._list.replaceChildren();
    this.element.hidden = true;
  }

  show(paper, title, headings) {
    this._rows = [this._row("Title and abstract", 1, title)];
    paper.sections.forEach((section, i) =>
      this._rows.push(this._row(section.heading || UNTITLED, section.depth, headings[i])),
    );
    this._list.replaceChildren(...this._rows.map((row) => row.item));
    this.element.hidden = false;
  }

  /** Bars as shares of the longest one; the numbers are what each part adds to the cosine. */
  light(contributions) {
    this.element.classList.toggle("unmeasured", !contributions);
    const values = contributions ? [contributions.abstract, ...contributions.sections] : [];
    const most = Math.max(...values, Number.EPSILON);
    this._what.textContent = contributions ? "What each adds to the label’s similarity." : "";
    this._rows.forEach((row, i) => {
      const value = values[i];
      row.number.textContent = value === undefined ? "" : shownAs(value);
      row.bar.style.setProperty("--share", value === undefined ? 0 : Math.max(0, value / most));
    });
  }

  _row(heading, depth, target) {
    const row = { bar: bar(0), number: make("span", { class: "number" }) };
    const button = make(
      "button",
      { type: "button", onclick: () => this._goTo(target) },
      make("span", {}, heading),
      row.number,
      row.bar,
    );
    row.item = make("li", { "data-depth": Math.min(depth, 4) }, button);
    return row;
  }
}

function shownAs(value) {
  const rounded = value.toFixed(3);
  return Number(rounded) === 0 ? "0.000" : rounded.replace("-", "−");
}

// Which papers to review. The filters are named as the service names them.

import * as api from "./api.js";
import { make } from "./elements.js";
import { SearchBox } from "./search_box.js";
import { labelsLike } from "./searches.js";

const SHARES = { "": "any", 0.25: "0.25", 0.5: "0.50", 0.75: "0.75" };
const CHOICES = {
  min_confidence: ["Confidence at least", SHARES],
  max_confidence: ["Confidence at most", SHARES],
  disagreement: ["Disagreement", { "": "any", modules: "of the modules", people: "of people with the ranking" }],
  reviewed: ["Reviewed", { "": "any", false: "not yet", true: "yes" }],
  order: [
    "Order",
    {
      "": "as in the corpus",
      "least-confident": "least confident first",
      "most-confident": "most confident first",
    },
  ],
};

export class Filters {
  constructor(changed) {
    this._changed = changed;
    this._label = "";
    this._selects = Object.fromEntries(
      Object.entries(CHOICES).map(([name, [, choices]]) => [name, this._select(choices)]),
    );
    this._title = make("input", { type: "search", maxlength: "200" });
    this._title.addEventListener("change", changed);
    this._search = new SearchBox({
      label: "Label",
      placeholder: "any",
      find: labelsLike,
      choose: (id) => this._setLabel(id),
    });
    this._chip = make("button", { type: "button", class: "chip", hidden: true, onclick: () => this._takeOff() });
    this._summary = make("summary", {}, "Filters");
    this.element = make(
      "details",
      { class: "filters card" },
      this._summary,
      make(
        "form",
        { "aria-label": "Filters", onsubmit: (event) => event.preventDefault() },
        make("div", {}, this._search.element, this._chip),
        make("label", {}, "Title holds", this._title),
        ...Object.entries(CHOICES).map(([name, [label]]) => make("label", {}, label, this._selects[name])),
      ),
    );
  }

  get values() {
    const chosen = Object.fromEntries(Object.entries(this._selects).map(([name, select]) => [name, select.value]));
    return { label: this._label, title: this._title.value.trim(), ...chosen };
  }

  /** From an address; whatever is not there is any. */
  set values(parameters) {
    this._label = parameters.get("label") ?? "";
    this._title.value = parameters.get("title") ?? "";
    for (const [name, select] of Object.entries(this._selects)) this._set(select, parameters.get(name) ?? "");
    this._tell();
  }

  /** Modules can disagree only where there are several. */
  set modules(count) {
    const choice = [...this._selects.disagreement.options].find(({ value }) => value === "modules");
    choice.hidden = choice.disabled = count < 2;
  }

  _select(choices) {
    return make(
      "select",
      { onchange: this._changed },
      Object.entries(choices).map(([value, text]) => new Option(text, value)),
    );
  }

  /** Addresses may ask for more than there are choices for. */
  _set(select, value) {
    select.value = value;
    if (select.value !== value)
      select.add(new Option(Number(value) ? Number(value).toFixed(2) : value, value, false, true));
  }

  _setLabel(id) {
    this._label = id;
    this._changed();
  }

  /** The chip will be gone; the keyboard stays at the filters. */
  _takeOff() {
    this._summary.focus();
    this._setLabel("");
  }

  _tell() {
    const active = Object.values(this.values).filter(Boolean).length;
    this._summary.textContent = active ? `Filters (${active})` : "Filters";
    this._chip.hidden = !this._label;
    this._name(this._label);
    const id = this._label;
    if (id)
      api.get("labels/one", { id }).then(
        ({ name }) => id === this._label && this._name(name),
        () => {},
      );
  }

  /** Ids may be addresses that nobody wants to read. */
  _name(label) {
    this._chip.textContent = `${label} ✕`;
    this._chip.setAttribute("aria-label", `Any label, not only ${label}`);
  }
}

// Search as you type: the service searches, so that it does not matter how many there are to search.

import { make } from "./elements.js";

const WAIT = 120;
let boxes = 0;

export class SearchBox {
  /** find(text, signal) → [{ text, hint, value }]; choose(value, text) is called with what was chosen. */
  constructor({ label, placeholder, find, choose, nothing = "Nothing begins like this." }) {
    this._find = find;
    this._nothing = nothing;
    this._choose = choose;
    this._found = [];
    this._active = -1;
    const id = `search-${++boxes}`;
    this.input = make("input", {
      type: "search",
      role: "combobox",
      id,
      placeholder,
      autocomplete: "off",
      spellcheck: "false",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-controls": `${id}-list`,
    });
    this._list = make("ul", { role: "listbox", id: `${id}-list`, "aria-label": label, hidden: true });
    this._said = make("p", { class: "hint unseen", "aria-live": "polite" });
    this.element = make(
      "div",
      { class: "search" },
      make("label", { for: id }, label),
      this.input,
      this._list,
      this._said,
    );
    this.input.addEventListener("input", () => this._soon());
    this.input.addEventListener("keydown", (event) => this._key(event));
    this.input.addEventListener("blur", () => this._close());
  }

  /** Wait until the typing pauses, and drop what was asked and found before. */
  _soon() {
    clearTimeout(this._timer);
    this._asking?.abort();
    this._found = [];
    this._activate(-1);
    if (!this.input.value.trim()) return this._close();
    this._timer = setTimeout(() => this._ask(), WAIT);
  }

  async _ask() {
    this._asking = new AbortController();
    try {
      this._show(await this._find(this.input.value.trim(), this._asking.signal));
    } catch (error) {
      if (error.name !== "AbortError") this._show([], error.message);
    }
  }

  _show(found, otherwise = this._nothing) {
    this._found = found;
    this._list.replaceChildren(...found.map((one, i) => this._option(one, i)));
    this._list.hidden = !found.length;
    this.input.setAttribute("aria-expanded", String(found.length > 0));
    this._say(found.length ? `${found.length} found` : otherwise);
    this._said.classList.toggle("unseen", found.length > 0);
    this._activate(found.length ? 0 : -1);
  }

  _option(found, i) {
    const { text, hint } = found;
    const option = make(
      "li",
      { role: "option", id: `${this._list.id}-${i}` },
      text,
      hint ? make("span", { class: "hint" }, hint) : null,
    );
    option.addEventListener("mousemove", () => this._found[i] === found && this._activate(i, { scroll: false }));
    option.addEventListener("mousedown", (event) => {
      event.preventDefault();
      this._take(found);
    });
    return option;
  }

  _key(event) {
    if (event.isComposing) return; // Enter ends a word of Japanese, and takes nothing
    const last = this._found.length - 1;
    if (event.key === "ArrowDown") this._activate(Math.min(this._active + 1, last));
    else if (event.key === "ArrowUp") this._activate(Math.min(Math.max(this._active - 1, 0), last));
    else if (event.key === "Enter" && this._active >= 0) this._take(this._found[this._active]);
    else if (event.key === "Escape") this._leave();
    else return;
    event.preventDefault();
  }

  _activate(i, { scroll = true } = {}) {
    this._active = i;
    [...this._list.children].forEach((option, at) => option.setAttribute("aria-selected", String(at === i)));
    const option = this._list.children[i];
    if (option) this.input.setAttribute("aria-activedescendant", option.id);
    else this.input.removeAttribute("aria-activedescendant");
    if (scroll) option?.scrollIntoView({ block: "nearest" });
  }

  _take({ text, value }) {
    this._leave();
    this._choose(value, text);
  }

  _leave() {
    this.input.value = "";
    this._close();
    this.input.blur();
  }

  _close() {
    clearTimeout(this._timer);
    this._asking?.abort();
    this._found = [];
    this._active = -1;
    this._list.hidden = true;
    this._say("");
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }

  _say(text) {
    this._said.textContent = text;
  }
}

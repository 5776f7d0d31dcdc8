// How many papers each label has, most frequent first.

import * as api from "./api.js";
import { bar, make, plural } from "./elements.js";
import { placeOf } from "./places.js";

const PAGE = 15;

export class Frequencies {
  constructor(attempt) {
    this._isAsking = false;
    this._list = make("ol", { class: "frequencies" });
    this._more = make("button", { type: "button", onclick: () => attempt(() => this._next()) }, "More");
    this.element = make("div", {}, this._list, this._more);
  }

  /** Returns the most frequent label, or null. */
  async show() {
    await this._from(0);
    return this._most;
  }

  async _next() {
    if (this._isAsking) return; // for the same labels; a disabled button would lose the focus
    this._isAsking = true;
    try {
      await this._from(this._list.children.length);
    } finally {
      this._isAsking = false;
    }
  }

  async _from(offset) {
    const { total, labels } = await api.get("corpus/labels", { offset, limit: PAGE });
    if (offset === 0) {
      this._list.replaceChildren();
      this._most = labels[0] ?? null;
    }
    this._list.append(...labels.map((label) => this._item(label)));
    const hadFocus = this._more === document.activeElement;
    this._more.hidden = this._list.children.length >= total;
    if (hadFocus && this._more.hidden) this._list.children[offset]?.firstElementChild.focus();
  }

  _item({ id, name, papers }) {
    const link = make("a", { href: placeOf("review", { label: id }) }, name);
    return make(
      "li",
      {},
      link,
      bar(papers / this._most.papers),
      make("span", { class: "number" }, plural(papers, "paper")),
    );
  }
}

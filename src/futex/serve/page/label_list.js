// Ranked labels. Pointing at one or focusing it shows its evidence for the moment; choosing it makes that stay.

import { bar, broader, isTypedInto, keepVisible, make } from "./elements.js";
import { ADDED, CUES } from "./cues.js";

const SAID = { accept: "✓ accepted", reject: "✗ rejected", add: "+ added" };

export class LabelList {
  /** light(label, go) shows the evidence of a label, or of none, and goes there; judge(label, verdict) keeps a verdict. */
  constructor({ light, judge = null }) {
    this.element = make("ol", { class: "labels", "aria-label": "Labels, best first" });
    this._light = light;
    this._judge = judge;
    this._labels = [];
    this._chosen = -1;
    this._pointed = null;
    this.element.addEventListener("mouseleave", () => {
      this._pointed = null;
      this._light(this.chosen, false);
    });
  }

  show(labels) {
    const hadFocus = this.element.contains(document.activeElement);
    this._labels = labels;
    this._chosen = -1;
    const items = labels.map((label, i) => this._item(label, i));
    this.element.replaceChildren(...(items.length ? items : [make("li", { class: "hint" }, "No label was found.")]));
    this._light(null, false);
    if (hadFocus) this.element.querySelector(".label")?.focus({ preventScroll: true });
  }

  get chosen() {
    return this._labels[this._chosen] ?? null;
  }

  /** Choose by position, kept within the list. Who types by now keeps the focus, or letters would become verdicts. */
  choose(position, { focus = false, go = true } = {}) {
    if (!this._labels.length) return;
    this._chosen = Math.max(0, Math.min(position, this._labels.length - 1));
    [...this.element.children].forEach((item, i) => {
      item.querySelector(".label").setAttribute("aria-pressed", i === this._chosen);
    });
    const item = this.element.children[this._chosen];
    if (focus && !isTypedInto(document.activeElement)) item.querySelector(".label").focus({ preventScroll: true });
    keepVisible(this.element, item);
    this._light(this.chosen, go);
  }

  step(by) {
    this.choose(this._chosen + by, { focus: true });
  }

  /** Show one label again, after a verdict. */
  refresh(label) {
    const at = this._labels.indexOf(label);
    const hadFocus = this.element.children[at].contains(document.activeElement);
    this.element.children[at].replaceWith(this._item(label, at));
    if (hadFocus) this.element.children[at].querySelector(".label").focus({ preventScroll: true });
  }

  _item(label, i) {
    const cue = CUES[label.indicated_by] ?? ADDED;
    const path = broader(label.path);
    const button = make(
      "button",
      { type: "button", class: "label", "aria-pressed": i === this._chosen ? "true" : "false" },
      make("span", { class: "shape", "aria-hidden": "true", title: cue.words }, cue.shape),
      make("span", { class: "name" }, label.name),
      make("span", { class: "score" }, label.score === null ? "" : label.score.toFixed(2)),
      label.score === null ? null : bar(label.score),
      path ? make("span", { class: "path" }, path) : null,
      make("span", { class: "unseen" }, label.applies === false ? `${cue.words}, less likely` : cue.words),
    );
    button.addEventListener("click", () => this.choose(i));
    button.addEventListener("focus", () => this._light(label, false));
    const below = label.applies === false;
    const item = make("li", { "data-by": label.indicated_by, "data-verdict": label.verdict, "data-below": below }, button);
    // Not mouseenter: that also comes when the list is scrolled below a mouse at rest.
    item.addEventListener("mousemove", () => this._pointAt(label));
    if (this._judge) item.append(this._verdicts(label));
    return item;
  }

  _pointAt(label) {
    if (this._pointed === label) return;
    this._pointed = label;
    this._light(label, false);
  }

  _verdicts(label) {
    const choice = (verdict, sign, words) =>
      make(
        "button",
        {
          type: "button",
          class: verdict,
          "aria-pressed": String(label.verdict === verdict),
          "aria-label": `${words} ${label.name}`,
          title: words,
          onclick: () => this._judge(label, verdict),
        },
        sign,
      );
    const said = make("span", { class: "said" }, SAID[label.verdict] ?? "");
    return make("div", { class: "verdicts" }, said, choice("accept", "✓", "Accept"), choice("reject", "✗", "Reject"));
  }
}

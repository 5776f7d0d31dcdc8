// The taxonomy as a tree map: as large as a branch has labels, as strong as the corpus uses them.

import * as api from "./api.js";
import { make, makeSvg, plural } from "./elements.js";
import { placeOf } from "./places.js";
import { squarify } from "./squarify.js";

const HEIGHT = 360;
const FONT = "13px system-ui, sans-serif";
const LINE = 16;
const STEPS = 5;
const MOST = 500;

export class TreeMap {
  constructor() {
    this._path = make("nav", { class: "crumbs", "aria-label": "Place in the taxonomy" });
    this._svg = makeSvg("svg", { class: "tree-map", role: "group", "aria-label": "Branches by number of labels" });
    this._hint = make("p", { class: "hint" });
    this._branches = [];
    this._asked = 0;
    this.element = make("div", {}, this._path, this._svg, scale(), this._hint);
    new ResizeObserver(() => this._draw()).observe(this.element);
  }

  async show(under) {
    const asked = ++this._asked;
    const { path, total, branches } = await api.get("corpus/branches", { under, limit: MOST });
    if (asked !== this._asked) return;
    const hadFocus = this.element.contains(document.activeElement);
    this._branches = branches.map((branch) => ({ ...branch, size: branch.labels }));
    const crumbs = [{ id: null, name: "All" }, ...path];
    this._path.replaceChildren(
      ...crumbs.map(({ id, name }, i) =>
        i === crumbs.length - 1
          ? make("span", { "aria-current": "location" }, name)
          : make("a", { href: placeOf("corpus", { under: id }) }, name),
      ),
    );
    const left = total > branches.length ? ` The largest ${MOST} of ${plural(total, "branch", "branches")}.` : "";
    this._hint.textContent = `A branch is as large as it has labels, and as strong as papers use them.${left}`;
    this._draw(hadFocus ? 0 : -1);
  }

  /** The branch that has the focus, by its position, has it afterwards. */
  _draw(focused = [...this._svg.children].indexOf(document.activeElement)) {
    const width = this.element.clientWidth;
    if (!width) return;
    this._svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    this._svg.setAttribute("height", HEIGHT);
    this._svg.replaceChildren(...squarify(this._branches, width, HEIGHT).map(cell));
    this._svg.children[focused]?.focus();
  }
}

/** A branch is a link: down to its branches, or to the papers of a label that has none. */
function cell({ item, x, y, width, height }) {
  const words = `${item.name}: ${item.labels_used} of ${plural(item.labels, "label")} used, ${plural(item.papers, "paper")}`;
  const href = item.narrower ? placeOf("corpus", { under: item.id }) : placeOf("review", { label: item.id });
  const lines = [cut(item.name, width - 12), whole(`${item.labels_used} of ${item.labels}`, width - 12)];
  return makeSvg(
    "a",
    { href, "aria-label": words, "data-step": step(item) },
    makeSvg("title", {}, words),
    makeSvg("rect", { x: x + 1, y: y + 1, width: Math.max(0, width - 2), height: Math.max(0, height - 2), rx: 3 }),
    lines
      .slice(0, Math.max(0, Math.floor((height - 6) / LINE)))
      .map((line, i) => makeSvg("text", { x: x + 7, y: y + LINE * (i + 1) + 2, class: i ? "count" : null }, line)),
  );
}

/** 0 for a branch no label of which is used, STEPS for one of which all are. */
function step({ labels, labels_used: used }) {
  return used ? Math.max(1, Math.ceil((STEPS * used) / labels)) : 0;
}

const pen = document.createElement("canvas").getContext("2d");

function fits(text, width) {
  pen.font = FONT;
  return pen.measureText(text).width <= width;
}

/** As much of a text as there is room for, or nothing if that is a letter or two. */
function cut(text, width) {
  if (fits(text, width)) return text;
  for (let end = text.length - 1; end > 2; end -= 1) {
    const beginning = `${text.slice(0, end).trimEnd()}…`;
    if (fits(beginning, width)) return beginning;
  }
  return "";
}

/** Half a number would be another number. */
function whole(text, width) {
  return fits(text, width) ? text : "";
}

function scale() {
  const steps = Array.from({ length: STEPS + 1 }, (_, i) =>
    make("span", { class: "step", "data-step": i, "aria-hidden": "true" }),
  );
  return make("p", { class: "scale hint" }, "none used", ...steps, "all used");
}

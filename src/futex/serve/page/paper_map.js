// A map of the papers: near each other if they are alike. Papers with the chosen label are filled, the others hollow.

import * as api from "./api.js";
import { make } from "./elements.js";
import { placeOf } from "./places.js";

const HEIGHT = 420;
const MARGIN = 14;
const REACH = 12;
const ASK_AGAIN = 1000;
const PAGE = 200;
const PAGES = 25;
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class PaperMap {
  /** What the colours are chosen with is shown only where there is a map. */
  constructor(attempt, colouring) {
    this._attempt = attempt;
    this._colouring = make("div", { hidden: true }, colouring);
    this._points = [];
    this._with = new Set();
    this._asked = 0;
    this._current = null;
    this._canvas = make("canvas", {
      class: "paper-map",
      tabindex: "0",
      role: "application", // or screen readers would keep the arrow keys
      "aria-label": "Map of the papers; arrow keys go from paper to paper, Enter opens one",
    });
    this._progress = make("progress", { "aria-label": "Computing the map", hidden: true });
    this._status = make("p", { class: "status", role: "status", "aria-live": "polite" });
    this._hint = make("p", { class: "hint" }, "Papers that are alike lie near each other. Choose one to review it.");
    this.element = make("div", {}, this._colouring, this._canvas, this._progress, this._status, this._hint);
    this._canvas.addEventListener("mousemove", (event) => this._point(this._under(event)));
    this._canvas.addEventListener("click", (event) => this._open(this._under(event)));
    this._canvas.addEventListener("keydown", (event) => this._key(event));
    new ResizeObserver(() => this._draw()).observe(this.element);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this._draw());
  }

  /** It may have to be computed first; then we ask again until it is there. */
  async show() {
    clearTimeout(this._timer);
    const { state, done, total, points, why } = await api.get("corpus/map").catch(noMap);
    this._points = points;
    this._current = null;
    this._range = { x: range(points.map(({ x }) => x)), y: range(points.map(({ y }) => y)) };
    this._canvas.hidden = this._hint.hidden = state !== "ready";
    this._colouring.hidden = state === "none";
    this._progress.hidden = state !== "computing";
    this._progress.max = Math.max(total, 1);
    this._progress.value = done;
    this._status.textContent = state === "computing" ? `Computing the map: ${done} of ${total} papers.` : (why ?? "");
    if (state === "computing") this._timer = setTimeout(() => this._attempt(() => this.show()), ASK_AGAIN);
    this._draw();
  }

  /** Ask again if the map is still being computed: an answer that failed has ended the asking. */
  async goOn() {
    if (!this._progress.hidden) await this.show();
  }

  /** Colour the papers that have this label; false if another one was asked for meanwhile. */
  async colour(label) {
    const asked = ++this._asked;
    const found = new Set();
    for (let page = 0; page < PAGES; page += 1) {
      const { total, papers } = await api.get("papers", { label, offset: page * PAGE, limit: PAGE, top: 1 });
      if (asked !== this._asked) return false;
      papers.forEach((paper) => found.add(paper.id));
      if (found.size >= total) break;
    }
    this._with = found;
    this._draw();
    return true;
  }

  _draw() {
    const width = this.element.clientWidth;
    const density = devicePixelRatio || 1;
    if (!width) return;
    Object.assign(this._canvas, { width: width * density, height: HEIGHT * density });
    this._canvas.style.setProperty("height", `${HEIGHT}px`);
    const pen = this._canvas.getContext("2d");
    const colour = (name) => getComputedStyle(this._canvas).getPropertyValue(name);
    pen.scale(density, density);
    const chosen = this._points.filter((point) => this._with.has(point.paper));
    const others = this._points.filter((point) => !this._with.has(point.paper));
    pen.strokeStyle = colour("--quiet");
    for (const point of others) this._circle(pen, point, 4, false);
    pen.fillStyle = colour("--accent");
    for (const point of chosen) this._circle(pen, point, 5.5, true);
    pen.strokeStyle = colour("--text");
    pen.lineWidth = 2.5;
    if (this._current) this._circle(pen, this._current, 9, false);
  }

  _circle(pen, point, radius, filled) {
    pen.beginPath();
    pen.arc(...this._place(point), radius, 0, 2 * Math.PI);
    if (filled) pen.fill();
    else pen.stroke();
  }

  _place({ x, y }) {
    const across = this.element.clientWidth - 2 * MARGIN;
    return [MARGIN + this._range.x(x) * across, MARGIN + (1 - this._range.y(y)) * (HEIGHT - 2 * MARGIN)];
  }

  _under({ offsetX, offsetY }) {
    const distance = (point) => Math.hypot(this._place(point)[0] - offsetX, this._place(point)[1] - offsetY);
    const nearest = this._points.reduce(
      (best, point) => (best && distance(best) <= distance(point) ? best : point),
      null,
    );
    return nearest && distance(nearest) <= REACH ? nearest : null;
  }

  _point(point) {
    if (point === this._current) return;
    this._current = point;
    this._status.textContent = point ? point.title || point.paper : "";
    this._canvas.classList.toggle("pointing", point !== null);
    this._draw();
  }

  _open(point) {
    if (point) location.hash = placeOf("review", { paper: point.paper });
  }

  _key(event) {
    if (event.key === "Enter") this._open(this._current);
    else if (event.key in WAYS) this._point(this._towards(...WAYS[event.key]));
    else return;
    event.preventDefault();
  }

  /** The nearest paper that way; those that lie aside count as further away. */
  _towards(across, up) {
    const from = this._current;
    if (!from) return this._points[0] ?? null;
    const ahead = (point) => (point.x - from.x) * across + (point.y - from.y) * up;
    const aside = (point) => Math.abs((point.x - from.x) * up) + Math.abs((point.y - from.y) * across);
    const far = (point) => ahead(point) + 2 * aside(point);
    return (
      this._points
        .filter((point) => ahead(point) > 0)
        .reduce((best, point) => (best && far(best) <= far(point) ? best : point), null) ?? from
    );
  }
}

/** Some projects have none, and some cannot be made; the service says why. */
function noMap(refusal) {
  if (![404, 500].includes(refusal.status)) throw refusal;
  return { state: "none", done: 0, total: 0, points: [], why: refusal.message };
}

/** From these numbers to 0…1. */
function range(numbers) {
  const [low, high] = numbers.reduce(
    ([least, most], number) => [Math.min(least, number), Math.max(most, number)],
    [Infinity, -Infinity],
  );
  return (number) => (high > low ? (number - low) / (high - low) : 0.5);
}

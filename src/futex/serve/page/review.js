// Review: go through the papers of a run by keyboard, see why, and say what is right.

import * as api from "./api.js";
import { download } from "./download.js";
import { make } from "./elements.js";
import { Filters } from "./filters.js";
import { LabelList } from "./label_list.js";
import { legend } from "./legend.js";
import { neighboursOf } from "./neighbours.js";
import * as opinions from "./opinions.js";
import { PaperList } from "./paper_list.js";
import { PaperView } from "./paper_view.js";
import { here, note, placeOf } from "./places.js";
import { added, reviewed } from "./reviewed.js";
import { SearchBox } from "./search_box.js";
import { labelsLike } from "./searches.js";
import { shortcuts } from "./shortcuts.js";

const view = { paper: null, loaded: null, asked: 0, last: Promise.resolve(), failures: 0 };

export function build(section, frame) {
  view.frame = frame;
  view.section = section;
  view.filters = new Filters(() => go(null));
  view.papers = new PaperList((paper) => go(paper), frame.attempt);
  view.text = new PaperView();
  view.labels = new LabelList({
    light: (label, goThere) => view.text.light(label, goThere),
    judge: (label, verdict) => inTurn(() => say(label, verdict)),
  });
  view.search = new SearchBox({
    label: "Add a label (/)",
    placeholder: "search the taxonomy",
    find: labelsLike,
    choose: (id, name) => inTurn(() => add(id, name)),
  });
  view.status = make("p", { class: "status", role: "status", "aria-live": "polite" });
  const save = (event) => frame.attempt(() => download(event));
  view.export = make("a", { class: "button", download: "gold.jsonl", onclick: save }, "Export as gold");
  view.neighbours = make("details", { class: "card" }, make("summary", {}, "Neighbours by citation"));
  view.neighbours.addEventListener("toggle", () => view.neighbours.open && frame.attempt(showNeighbours));
  const help = shortcuts(KEYS, () => !section.hidden);
  view.bar = make(
    "div",
    { class: "toolbar" },
    step("‹ Previous", -1),
    step("Next ›", 1),
    view.status,
    view.export,
    make("button", { type: "button", onclick: () => help.showModal() }, "Keys (?)"),
  );
  view.reading = make(
    "div",
    { class: "reading", hidden: true },
    make("div", { class: "left" }, make("h3", {}, "Labels"), legend(), view.search.element, view.labels.element),
    make("div", {}, view.text.element, view.neighbours),
    view.text.sections.element,
  );
  const choose = make("div", { class: "choose" }, view.filters.element, view.papers.element);
  section.append(make("h2", { id: "review-title" }, "Review the papers"), choose, view.bar, view.reading, help);
}

/** A key that is held down goes on through labels and papers, but gives or takes back one verdict only. */
function once(action) {
  return ({ repeat }) => repeat || inTurn(action);
}

const KEYS = {
  j: ["next label", () => view.labels.step(1)],
  k: ["previous label", () => view.labels.step(-1)],
  n: ["next paper", () => view.frame.attempt(() => turn(1))],
  p: ["previous paper", () => view.frame.attempt(() => turn(-1))],
  a: ["accept the label, or take that back", once(() => sayOfChosen("accept"))],
  r: ["reject the label, or take that back", once(() => sayOfChosen("reject"))],
  u: ["undo the last verdict", once(takeBack)],
  "/": ["add a label: search the taxonomy", () => view.search.input.focus()],
};

function step(text, by) {
  return make("button", { type: "button", onclick: () => view.frame.attempt(() => turn(by)) }, text);
}

export function forget() {
  view.asked += 1;
  view.loaded = null;
  opinions.forget();
  close();
}

/** Without a paper there is nothing that keys could act on. */
function close() {
  view.paper = null;
  view.reading.hidden = true;
  view.text.clear();
  view.labels.show([]);
}

export async function show(parameters, { modules }) {
  view.filters.modules = modules;
  view.filters.values = parameters;
  view.export.href = api.address("feedback/gold");
  const asked = ++view.asked;
  const wanted = JSON.stringify(view.filters.values);
  const paper = parameters.get("paper");
  if (view.loaded !== wanted || (paper && !view.papers.has(paper))) {
    view.loaded = null; // whoever comes back before the answer asks anew
    await view.papers.load(view.filters.values, paper);
    if (isLate(asked)) return;
    view.loaded = wanted;
  }
  await open(paper ?? view.papers.first, asked);
}

/** Whoever has gone on to another paper or another view does not want what comes now. */
function isLate(asked) {
  return asked !== view.asked || view.section.hidden;
}

function go(paper) {
  location.hash = placeOf("review", { ...view.filters.values, paper });
}

async function turn(by) {
  const { asked } = view;
  const next = await view.papers.from(here().parameters.get("paper") ?? view.paper?.id ?? null, by);
  if (isLate(asked)) return;
  if (next === null) view.status.textContent = by > 0 ? "This is the last paper." : "This is the first paper.";
  else go(next);
}

async function open(id, asked) {
  if (id === null) {
    await verdictsKept();
    if (isLate(asked)) return;
    close();
    view.status.textContent = "No paper passes these filters.";
    return;
  }
  if (id !== view.paper?.id) {
    const details = await read(id, asked);
    await verdictsKept();
    if (isLate(asked)) return;
    view.paper = reviewed(details, view.papers.title(id));
    view.reading.hidden = false;
    view.text.show(view.paper.text);
    view.labels.show(view.paper.labels);
    view.labels.choose(0, { go: false });
    view.neighbours.open = false;
    if (view.bar.getBoundingClientRect().top < 0) view.bar.scrollIntoView(); // it begins at its top
  }
  note("review", { ...view.filters.values, paper: id });
  view.papers.current(id);
  count(view.paper);
  view.status.textContent = view.papers.place(id);
}

async function read(id, asked) {
  view.status.textContent = "Reading the paper…";
  try {
    return await api.get("papers/one", { id });
  } catch (error) {
    if (isLate(asked)) return null;
    view.status.textContent = "";
    throw error;
  }
}

/** Verdicts one after the other, for each one goes on to the next label; none on a paper that came meanwhile. */
function inTurn(action) {
  const { paper, failures } = view;
  const failed = (error) => {
    view.failures += 1;
    throw error;
  };
  const next = () => {
    if (paper !== view.paper || failures !== view.failures) return null; // one before it failed, and did not go on
    return view.frame.attempt(() => action().catch(failed));
  };
  view.last = view.last.then(next, next);
}

/** No verdict is left behind, nor one that is given while we wait for others. */
async function verdictsKept() {
  let last = null;
  while (last !== view.last) {
    last = view.last;
    await Promise.allSettled([last]);
  }
}

async function say(label, verdict) {
  if (label.verdict === "add" && verdict === "accept") return; // whoever added it has accepted it
  const { paper } = view;
  await opinions.judge(paper.id, label, verdict);
  kept(paper);
  refresh(label);
}

/** What could not be kept before is told no longer. */
function kept(paper) {
  view.frame.say("");
  count(paper);
}

function count({ id, labels }) {
  view.papers.judged(id, labels.filter((label) => label.verdict).length);
}

/** A label that somebody added and took back is gone; so may the paper be. */
function refresh(label) {
  const at = view.paper ? view.paper.labels.indexOf(label) : -1;
  if (at < 0) return;
  if (label.score !== null || label.verdict) {
    view.labels.refresh(label);
    return;
  }
  view.paper.labels.splice(at, 1);
  view.labels.show(view.paper.labels);
  view.labels.choose(at, { focus: true, go: false });
}

async function sayOfChosen(verdict) {
  const label = view.labels.chosen;
  if (!label) return;
  const paper = view.paper;
  await say(label, verdict);
  if (paper !== view.paper) return;
  view.status.textContent = `${label.name}: ${label.verdict ? `${label.verdict}ed` : "taken back"}.`;
  if (label.verdict) view.labels.step(1);
}

/** A label that is there already is accepted instead. */
async function add(id, name) {
  const { paper } = view;
  let label = paper.labels.find((known) => known.id === id);
  if (label?.verdict === "add" || label?.verdict === "accept") return;
  if (!label) {
    label = added({ id, name });
    await opinions.judge(paper.id, label, "add");
    paper.labels.unshift(label);
    kept(paper);
    if (paper === view.paper) view.labels.show(paper.labels);
  } else await say(label, label.score === null ? "add" : "accept");
  if (paper !== view.paper) return;
  view.labels.choose(paper.labels.indexOf(label), { focus: true, go: false });
  view.status.textContent = `${name}: added.`;
}

async function takeBack() {
  const last = await opinions.undo();
  if (!last) {
    view.status.textContent = "Nothing to undo.";
    return;
  }
  if (last.paper === view.paper?.id) putBack(last);
  else if (!view.section.hidden) go(last.paper);
  view.status.textContent = "Taken back.";
}

/** A label that was added and taken back is not in the list any more. */
function putBack({ label: { id, name }, before }) {
  const { labels } = view.paper;
  let label = labels.find((known) => known.id === id);
  if (!label) {
    label = added({ id, name });
    labels.unshift(label);
    view.labels.show(labels);
  }
  label.verdict = before;
  kept(view.paper);
  refresh(label);
  if (labels.includes(label)) view.labels.choose(labels.indexOf(label), { focus: true, go: false });
}

async function showNeighbours() {
  const { paper } = view;
  view.neighbours.replaceChildren(view.neighbours.firstElementChild); // those of another paper
  const found = await neighboursOf(paper.id);
  if (paper === view.paper) view.neighbours.replaceChildren(view.neighbours.firstElementChild, found);
}

// The frame: which project, which view, and what to say when something goes wrong.

import * as api from "./api.js";
import * as classify from "./classify.js";
import * as corpus from "./corpus.js";
import * as review from "./review.js";
import { byId } from "./elements.js";
import { download } from "./download.js";
import { here, nameProject, placeOf } from "./places.js";

const VIEWS = { classify, review, corpus };
const SAID = {
  loading: "This project is being loaded…",
  none: "This project is a model without papers; there is nothing to review. Start the service on the folder of a run.",
  ready: "",
};
const ASK_AGAIN = 1000;
let known = [];
let shown = null;
let again; // to ask whether all is loaded by now
let left = {}; // where each view was when it was left

function say(text) {
  byId("notice").textContent = text;
  byId("notice").hidden = !text;
}

async function show() {
  const { view: asked, parameters } = here();
  const view = Object.hasOwn(VIEWS, asked) ? asked : "classify";
  choose(parameters.get("project"));
  turnTo(view);
  clearTimeout(again);
  const project = known.find(({ id }) => id === api.chosenProject());
  if (!project) return;
  const needed = view === "classify" ? project.state : project.corpus; // which is loaded after the model
  say(SAID[needed]);
  byId(view).hidden = needed !== "ready";
  if (needed === "loading") again = setTimeout(() => attempt(start), ASK_AGAIN);
  if (needed === "ready") await attempt(() => VIEWS[view].show(parameters, project));
}

/** The project that an address names, or else the one that was chosen before, or the first. */
function choose(wanted) {
  const ids = known.map(({ id }) => id);
  const before = api.chosenProject();
  const id = [wanted, before, ids[0]].find((one) => ids.includes(one));
  if (id === undefined || id === before) return;
  byId("project").value = id;
  nameProject(known.length > 1 ? id : null);
  api.chooseProject(id);
  if (before === null) return;
  left = {};
  for (const view of Object.values(VIEWS)) view.forget();
}

function turnTo(view) {
  for (const name of Object.keys(VIEWS)) {
    const link = byId(`to-${name}`);
    byId(name).hidden = name !== view;
    link.href = (name !== view && left[name]) || placeOf(name);
    if (name === view) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${view[0].toUpperCase()}${view.slice(1)} · FuTex`;
  if (shown && shown !== view) arrive();
  shown = view;
}

/** Another view begins at its top; whoever followed a link by keyboard is not left in the view that is gone. */
function arrive() {
  scrollTo(0, 0);
  if (document.activeElement?.closest("section")) byId("main").focus({ preventScroll: true });
}

async function attempt(action) {
  try {
    await action();
  } catch (error) {
    if (error.name === "AbortError") return;
    byId("key-form").hidden = error.status !== 401;
    say(error.message);
    if (error.status === 401) byId("key").focus();
    if (error.status === undefined) throw error;
  }
}

async function start() {
  known = await api.projects();
  const select = byId("project");
  select.replaceChildren(...known.map((project) => new Option(project.name, project.id)));
  select.parentElement.hidden = known.length < 2;
  select.value = api.chosenProject();
  await show();
}

for (const [name, view] of Object.entries(VIEWS)) view.build(byId(name), { attempt, say });
byId("project").addEventListener("change", () => {
  location.hash = placeOf(here().view || "classify", { project: byId("project").value });
});
byId("key-form").addEventListener("submit", (event) => {
  event.preventDefault();
  api.setKey(byId("key").value);
  byId("key-form").hidden = true;
  attempt(start);
});
byId("api").addEventListener("click", (event) => attempt(() => download(event)));
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("main").focus();
});
addEventListener("hashchange", ({ oldURL }) => {
  const { hash } = new URL(oldURL);
  left[here(hash).view] = hash;
  attempt(show);
});
attempt(start);

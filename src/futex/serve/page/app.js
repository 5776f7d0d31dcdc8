// The frame: which project, which view, and what to say when something goes wrong.

import * as api from "./api.js";
import * as classify from "./classify.js";
import * as corpus from "./corpus.js";
import * as review from "./review.js";
import { byId } from "./elements.js";
import { here, placeOf } from "./places.js";

const VIEWS = { classify, review, corpus };
const ASK_AGAIN = 1000;
let known = [];
let shown = null;

function say(text) {
  byId("notice").textContent = text;
  byId("notice").hidden = !text;
}

async function show() {
  const { view: asked, parameters } = here();
  const view = Object.hasOwn(VIEWS, asked) ? asked : "classify";
  turnTo(view);
  const project = known.find(({ id }) => id === byId("project").value);
  if (!project) return;
  say("");
  if (view !== "classify" && project.corpus === "none") {
    byId(view).hidden = true;
    say(
      "This project is a model without papers; there is nothing to review. Start the service on the folder of a run.",
    );
    return;
  }
  await attempt(() => VIEWS[view].show(parameters, project));
}

function turnTo(view) {
  for (const name of Object.keys(VIEWS)) byId(name).hidden = name !== view;
  for (const link of document.querySelectorAll("header nav a")) {
    if (link.hash === `#/${view}`) link.setAttribute("aria-current", "page");
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
  const chosen = select.value || here().parameters.get("project");
  select.replaceChildren(...known.map((project) => new Option(project.name, project.id)));
  if (known.some(({ id }) => id === chosen)) select.value = chosen;
  select.parentElement.hidden = known.length < 2;
  api.chooseProject(select.value);
  if (known.some((project) => project.state === "loading" || project.corpus === "loading")) {
    say("The models are being loaded…");
    setTimeout(() => attempt(start), ASK_AGAIN);
    return;
  }
  await show();
}

for (const [name, view] of Object.entries(VIEWS)) view.build(byId(name), { attempt, say });
byId("project").addEventListener("change", () => {
  api.chooseProject(byId("project").value);
  for (const view of Object.values(VIEWS)) view.forget();
  location.hash = placeOf(here().view || "classify");
  attempt(show);
});
byId("key-form").addEventListener("submit", (event) => {
  event.preventDefault();
  api.setKey(byId("key").value);
  byId("key-form").hidden = true;
  attempt(start);
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("main").focus();
});
addEventListener("hashchange", () => attempt(show));
attempt(start);

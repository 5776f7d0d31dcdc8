// Classify: a file or a text in, ranked labels and the paper with their evidence out.

import * as api from "./api.js";
import { make, plural, scrollTo } from "./elements.js";
import { LabelList } from "./label_list.js";
import { legend } from "./legend.js";
import { PaperView } from "./paper_view.js";

const view = {};

export function build(section, frame) {
  view.frame = frame;
  view.section = section;
  view.file = make("input", {
    type: "file",
    id: "file",
    accept: ".xml,.nxml,.pdf,.tex,.json,.jsonl,.md,.markdown,.txt",
  });
  view.text = make("textarea", {
    id: "text",
    rows: "4",
    placeholder: "Title, then an empty line, then the abstract and the rest",
  });
  view.button = make("button", { type: "submit" }, "Classify");
  view.status = make("p", { class: "status", role: "status", "aria-live": "polite" });
  view.progress = make("progress", { "aria-label": "Classifying", hidden: true });
  view.paper = new PaperView();
  view.labels = new LabelList({ light: (label, go) => view.paper.light(label, go) });
  view.form = make(
    "form",
    { class: "card give", "aria-label": "Give a paper" },
    make(
      "label",
      { class: "drop" },
      make("strong", {}, "Drop a paper here or choose a file"),
      make("span", { class: "hint" }, "JATS, TEI, PubMed, PDF, LaTeX, S2ORC, JSON, Markdown or text"),
      view.file,
    ),
    make("label", {}, "or paste its text", view.text),
    view.button,
  );
  view.result = make(
    "div",
    { class: "reading", hidden: true },
    make("div", { class: "left" }, make("h3", {}, "Labels"), legend(), view.labels.element),
    view.paper.element,
    view.paper.sections.element,
  );
  section.append(
    make("h2", { id: "classify-title" }, "Classify a paper"),
    view.form,
    view.status,
    view.progress,
    view.result,
  );
  listen();
}

export function show() {}

export function forget() {
  view.asking?.abort();
  view.result.hidden = true;
  view.status.textContent = "";
}

function listen() {
  view.form.addEventListener("submit", (event) => {
    event.preventDefault();
    classify(view.file.files[0]);
  });
  view.file.addEventListener("change", () => view.file.files[0] && classify(view.file.files[0]));
  for (const kind of ["dragover", "dragleave", "drop"]) addEventListener(kind, drag);
}

/** A file may be dropped anywhere, or the browser would open it in place of the page; a text goes where it is dropped. */
function drag(event) {
  if (view.section.hidden || !event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  view.form.classList.toggle("over", event.type === "dragover");
  if (event.type === "drop") classify(event.dataTransfer.files[0]);
}

function sent(file) {
  if (!file) return { body: view.text.value, headers: { "Content-Type": "text/plain; charset=utf-8" } };
  const body = new FormData();
  body.append("file", file);
  return { body };
}

async function classify(file) {
  if (!file && !view.text.value.trim()) {
    view.status.textContent = "Give a file or a text first.";
    return;
  }
  view.asking?.abort();
  const asking = (view.asking = new AbortController());
  const stop = showProgress(file ? file.name : "the text");
  view.result.hidden = true;
  let said = "";
  try {
    await view.frame.attempt(async () => {
      view.frame.say("");
      const { paper, labels } = await api.classify({ ...sent(file), signal: asking.signal });
      view.result.hidden = false;
      view.paper.show(paper);
      view.labels.show(labels);
      view.labels.choose(0, { go: false });
      scrollTo(view.status, "start");
      said = `${plural(labels.length, "label")} for “${paper.title || "this paper"}”.`;
    });
  } finally {
    if (asking === view.asking) {
      stop(said);
      view.file.value = "";
    }
  }
}

/** Shows that something is under way; returns what ends it. */
function showProgress(what) {
  view.progress.hidden = false;
  view.button.disabled = true;
  view.status.textContent = `Reading ${what} and ranking labels…`;
  return (said) => {
    view.progress.hidden = true;
    view.button.disabled = false;
    view.status.textContent = said;
  };
}

// Corpus: numbers, label frequencies, coverage of the taxonomy, a map, and papers that need a look.

import * as api from "./api.js";
import { make, plural } from "./elements.js";
import { Frequencies } from "./frequencies.js";
import { neighboursOf } from "./neighbours.js";
import { PaperMap } from "./paper_map.js";
import { placeOf } from "./places.js";
import { SearchBox } from "./search_box.js";
import { labelsLike, papersLike } from "./searches.js";
import { TreeMap } from "./tree_map.js";

const UNSURE = 10;
const JUST_BELOW = 1e-6;
const view = { isLoaded: false, isColourChosen: false, near: null };

export function build(section, { attempt }) {
  view.numbers = make("dl", { class: "numbers" });
  view.frequencies = new Frequencies(attempt);
  view.tree = new TreeMap();
  view.colouredBy = make("p", { class: "hint" });
  const colour = new SearchBox({
    label: "Colour by label",
    placeholder: "search the taxonomy",
    find: labelsLike,
    choose: (id, name) => {
      view.isColourChosen = true;
      attempt(() => colourBy({ id, name }));
    },
  });
  view.map = new PaperMap(attempt, [colour.element, view.colouredBy]);
  view.unsure = make("div");
  view.neighbours = make("div");
  const paper = new SearchBox({
    label: "Paper",
    placeholder: "something its title holds",
    find: papersLike,
    nothing: "No title holds this.",
    choose: (id, title) => attempt(() => showNeighbours(id, title)),
  });
  section.append(
    make("h2", { id: "corpus-title" }, "The corpus"),
    view.numbers,
    card("How the papers cover the taxonomy", view.tree.element),
    card("Map of the papers", view.map.element),
    make(
      "div",
      { class: "columns" },
      card("Most frequent labels", view.frequencies.element),
      make(
        "div",
        {},
        card("Papers without a confident label", view.unsure),
        card("Neighbours by citation", paper.element, view.neighbours),
      ),
    ),
  );
}

function card(heading, ...children) {
  return make("section", { class: "card", "aria-label": heading }, make("h3", {}, heading), ...children);
}

export function forget() {
  view.isLoaded = view.isColourChosen = false;
  view.neighbours.replaceChildren();
}

export async function show(parameters) {
  await view.tree.show(parameters.get("under"));
  const summary = await api.get("corpus");
  showNumbers(summary);
  if (view.isLoaded) return view.map.goOn();
  view.isLoaded = true;
  try {
    await load(summary);
  } catch (error) {
    view.isLoaded = false; // to be tried again
    throw error;
  }
}

async function load(summary) {
  const [most] = await Promise.all([view.frequencies.show(), showUnsure(summary), view.map.show()]);
  if (most && !view.isColourChosen) await colourBy(most);
}

function showNumbers(summary) {
  const numbers = [
    [summary.papers, "papers"],
    [summary.labels, "labels in the taxonomy"],
    [summary.labels_used, `labels used, among the best ${summary.labels_per_paper} of some paper`],
    [summary.papers_without_confident_label, "papers without a confident label"],
    [summary.papers_reviewed, "papers reviewed"],
  ];
  view.numbers.replaceChildren(
    ...numbers.map(([number, words]) =>
      make("div", {}, make("dt", {}, words), make("dd", {}, number.toLocaleString("en"))),
    ),
  );
}

async function colourBy({ id, name }) {
  if (!(await view.map.colour(id))) return;
  view.colouredBy.replaceChildren(make("span", { class: "filled" }, "● "), `papers with “${name}”, ○ others`);
}

async function showUnsure({ confident }) {
  const filters = { max_confidence: confident - JUST_BELOW, order: "least-confident" };
  const { total, papers } = await api.get("papers", { ...filters, limit: UNSURE, top: 1 });
  const items = papers.map((paper) =>
    make(
      "li",
      {},
      make("a", { href: placeOf("review", { ...filters, paper: paper.id }) }, paper.title || paper.id),
      make("span", { class: "hint" }, ` ${paper.confidence.toFixed(2)}`),
    ),
  );
  view.unsure.replaceChildren(
    make("p", { class: "hint" }, `${plural(total, "paper")} whose best score is below ${confident.toFixed(2)}.`),
    make("ul", {}, items),
    ...(total > papers.length
      ? [make("a", { href: placeOf("review", filters) }, `Review all ${total.toLocaleString("en")}`)]
      : []),
  );
}

async function showNeighbours(id, title) {
  view.near = id;
  const found = await neighboursOf(id);
  if (id !== view.near) return;
  view.neighbours.replaceChildren(
    make("p", {}, "Near “", make("a", { href: placeOf("review", { paper: id }) }, title), "”:"),
    found,
  );
}

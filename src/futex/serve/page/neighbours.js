// Papers near a paper by citation.

import * as api from "./api.js";
import { make, plural } from "./elements.js";
import { placeOf } from "./places.js";

const LINKS = { cites: "It cites", cited_by: "Cited by", shared_references: "Share references with it" };

export async function neighboursOf(paper) {
  const found = await api.get("papers/neighbours", { id: paper });
  const lists = Object.entries(LINKS).filter(([link]) => found[link].length);
  if (!lists.length) return make("p", { class: "hint" }, "No other paper of the corpus is linked to it by citation.");
  return make(
    "div",
    { class: "neighbours" },
    lists.map(([link, heading]) =>
      make(
        "div",
        {},
        make("h4", {}, heading),
        make(
          "ul",
          {},
          found[link].map((other) => item(other, link)),
        ),
      ),
    ),
  );
}

function item({ id, title, links }, link) {
  const hint = link === "shared_references" ? make("span", { class: "hint" }, ` ${plural(links, "reference")}`) : null;
  return make("li", {}, make("a", { href: placeOf("review", { paper: id }) }, title || id), hint);
}

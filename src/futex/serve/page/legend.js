import { make } from "./elements.js";
import { CUES } from "./cues.js";

/** What the two colours and the shapes mean. */
export function legend() {
  const items = Object.entries(CUES).map(([by, { shape, words }]) =>
    make("li", { "data-by": by }, make("span", { "aria-hidden": "true" }, `${shape} `), words),
  );
  return make("ul", { class: "legend", "aria-label": "Legend" }, items);
}

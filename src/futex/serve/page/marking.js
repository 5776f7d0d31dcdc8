// Marks names in a text. Positions count code points, as Python does; JavaScript's own count UTF-16 units.

import { make } from "./elements.js";

/** The pieces of a text: [text, whether it is a mention]. Mentions within others are left out. */
export function pieces(text, mentions) {
  const points = Array.from(text);
  const found = [];
  let at = 0;
  for (const { start, end } of [...mentions].sort((one, other) => one.start - other.start || other.end - one.end)) {
    if (start < at) continue;
    if (start > at) found.push([points.slice(at, start).join(""), false]);
    found.push([points.slice(start, end).join(""), true]);
    at = end;
  }
  if (at < points.length) found.push([points.slice(at).join(""), false]);
  return found;
}

export function marked(element, text, mentions) {
  if (!mentions.length) {
    if (element.querySelector("mark")) element.textContent = text;
    return;
  }
  element.replaceChildren(
    ...pieces(text, mentions).map(([piece, isMention]) => (isMention ? make("mark", {}, piece) : piece)),
  );
}

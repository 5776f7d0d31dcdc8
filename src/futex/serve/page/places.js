// Where we are: #/review?paper=…, so that a reload, a bookmark and the back button all work.

export function here() {
  const [view, query] = location.hash.replace(/^#\/?/, "").split("?");
  return { view, parameters: new URLSearchParams(query || "") };
}

export function placeOf(view, parameters = {}) {
  const given = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const query = new URLSearchParams(given).toString();
  return `#/${view}${query ? `?${query}` : ""}`;
}

/** Say where we are without going there again. */
export function note(view, parameters) {
  history.replaceState(null, "", placeOf(view, parameters));
}
